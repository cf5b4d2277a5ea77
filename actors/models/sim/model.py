"""The simulated model: reads the prompt, asks each world's reader, and answers."""

from actors.models.drawing import drawn
from actors.models.sim import alfworld, textcraft
from actors.models.sim.chance import Chance
from actors.models.sim.reader import Reader
from actors.models.sim.request import understood
from actors.models.sim.skills import SHALLOW, STRONG, WEAK, Skill
from actors.models.sim.styles import Style, styled
from protocols.models import Completion, Model, Sampling
from protocols.prompts import ChatMessage, Prompt

READERS: tuple[Reader, ...] = (textcraft.answer, alfworld.answer)
"""Asked in this order; the first that can read a prompt answers it."""

_PUZZLED = "I do not understand."


class Simulated:
    """A model made of rules. Keeps nothing between calls."""

    def __init__(self, skill: Skill) -> None:
        self.skill = skill

    @property
    def name(self) -> str:
        return f"sim-{self.skill.name} (simulated)"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        return drawn(self._answer(messages, sampling), messages, sampling)

    def _answer(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> str:
        if (found := understood(messages)) is None:
            return _PUZZLED
        wanted, about = found
        chance = Chance(messages, sampling)
        answers = (reader(about, wanted, self.skill, chance) for reader in READERS)
        return next((answer for answer in answers if answer is not None), _PUZZLED)


def weak(style: Style = "plain", style_seed: int = 0) -> Model:
    """Reads only the last steps of a conversation."""
    return styled(Simulated(WEAK), style, style_seed)


def shallow(style: Style = "plain", style_seed: int = 0) -> Model:
    """Looks no further than one step: one recipe down, and not behind closed doors."""
    return styled(Simulated(SHALLOW), style, style_seed)


def strong(style: Style = "plain", style_seed: int = 0) -> Model:
    """Has no weakness."""
    return styled(Simulated(STRONG), style, style_seed)
