"""The simulated model: reads the prompt, asks each world's reader, and answers."""

from quintet.messages.prompts import ChatMessage, Prompt
from quintet.models.drawing import complete_with
from quintet.models.sim import alfworld, skills, textcraft
from quintet.models.sim.chance import Chance
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.reader import Reader
from quintet.models.sim.request import understood
from quintet.models.sim.skills import STRONG, WEAK, Skill
from quintet.models.sim.styles import Style, in_style
from quintet.ports.model import Completion, Sampling

READERS: tuple[Reader, ...] = (textcraft.answer, alfworld.answer)
"""Asked in this order; the first that can read a prompt answers it."""

ERROR_RATE = 0.1
"""Of `fallible`, where none is given: a round number, chosen before anything was measured."""

_PUZZLED = "I do not understand."


class Simulated:
    """A model made of rules. Keeps nothing between calls.

    Args:
        skill: what it is able to.
        style: in which form it answers.
        style_seed: of the form.
    """

    def __init__(self, skill: Skill, style: Style = "plain", style_seed: int = 0) -> None:
        self.skill = skill
        self._style: Style = style
        self._style_seed = style_seed

    @property
    def name(self) -> str:
        style = "" if self._style == "plain" else f", {self._style} styles"
        return f"sim-{self.skill.name}{style} (simulated)"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        plain = complete_with(self._answer(messages, sampling), messages, sampling)
        return plain if self._style == "plain" else in_style(plain, messages, sampling, self._style_seed)

    def _answer(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> str:
        if (found := understood(messages)) is None:
            return _PUZZLED
        wanted, about = found
        chance = Chance(messages, sampling)
        misreading = Misreading.by(self.skill.error_rate, sampling)
        answers = (reader(about, wanted, self.skill, chance, misreading) for reader in READERS)
        return next((answer for answer in answers if answer is not None), _PUZZLED)


def weak(style: Style = "plain", style_seed: int = 0) -> Simulated:
    """Reads only the last steps of a conversation."""
    return Simulated(WEAK, style, style_seed)


def strong(style: Style = "plain", style_seed: int = 0) -> Simulated:
    """Errs never."""
    return Simulated(STRONG, style, style_seed)


def fallible(error_rate: float = ERROR_RATE, style: Style = "plain", style_seed: int = 0) -> Simulated:
    """Misreads each question about one thing with the probability `error_rate`.

    Raises:
        ValueError: it is no probability.
    """
    if not 0 <= error_rate <= 1:
        raise ValueError(f"error_rate: expected a number from 0 to 1, got {error_rate!r}")
    return Simulated(skills.fallible(error_rate), style, style_seed)
