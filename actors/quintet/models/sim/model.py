"""The simulated model: recognizes the request, and lets the player of its world answer."""

from typing import Any

from quintet.messages.prompts import ChatMessage, Prompt
from quintet.models.completion import complete_with
from quintet.models.sim.alfworld.player import AlfworldPlayer
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.hotpotqa.player import HotpotqaPlayer
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.player import Player
from quintet.models.sim.requests import recognize
from quintet.models.sim.styles import WritingStyle, in_style
from quintet.models.sim.textcraft.player import TextcraftPlayer
from quintet.models.sim.transcript import reflections_in
from quintet.models.sim.webarena.player import WebarenaPlayer
from quintet.models.sim.webshop.player import WebshopPlayer
from quintet.ports.model import Completion, Sampling

PLAYERS: tuple[Player[Any], ...] = (
    TextcraftPlayer(),
    AlfworldPlayer(),
    WebarenaPlayer(),
    HotpotqaPlayer(),
    WebshopPlayer(),
)
"""Asked in this order; the first that can read a prompt answers it. HotpotQA's may read a goal alone, so the player of
websites, which needs a page, comes before it."""

WEAK = Skill("weak", window=2, misled=True)
STRONG = Skill("strong")
NEWCOMER = Skill("newcomer", common_sense=False)

ERROR_RATE = 0.1
"""The default of `fallible`: a round number, chosen before anything was measured."""

_PUZZLED = "I do not understand."


class Simulated:
    """A model made of rules. Keeps nothing between calls.

    Args:
        skill: how well it reads.
        style: the form in which it writes.
        style_seed: varies the forms.
    """

    def __init__(self, skill: Skill, style: WritingStyle = "plain", style_seed: int = 0) -> None:
        self.skill = skill
        self._style: WritingStyle = style
        self._style_seed = style_seed

    @property
    def name(self) -> str:
        style = "" if self._style == "plain" else f", {self._style} styles"
        return f"sim-{self.skill.name}{style} (simulated)"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        plain = complete_with(self._answer(messages, sampling), prompt, sampling)
        return plain if self._style == "plain" else in_style(plain, prompt, sampling, self._style_seed)

    def _answer(self, messages: tuple[ChatMessage, ...], sampling: Sampling) -> str:
        if (found := recognize(messages)) is None:
            return _PUZZLED
        misreading = Misreading.of_call(self.skill.error_rate, sampling, reflections_in(messages))
        mind = Mind(self.skill, Chance(messages, sampling), misreading)
        answers = (player.answer(*found, mind) for player in PLAYERS)
        return next((answer for answer in answers if answer is not None), _PUZZLED)


def weak(style: WritingStyle = "plain", style_seed: int = 0) -> Simulated:
    """Reads only the last steps of a conversation."""
    return Simulated(WEAK, style, style_seed)


def strong(style: WritingStyle = "plain", style_seed: int = 0) -> Simulated:
    """Misreads nothing."""
    return Simulated(STRONG, style, style_seed)


def newcomer(style: WritingStyle = "plain", style_seed: int = 0) -> Simulated:
    """Knows of places only what texts show; makes no other errors."""
    return Simulated(NEWCOMER, style, style_seed)


def fallible(error_rate: float = ERROR_RATE, style: WritingStyle = "plain", style_seed: int = 0) -> Simulated:
    """Misreads each question about one thing with the probability `error_rate`.

    Raises:
        ValueError: it is no probability.
    """
    if not 0 <= error_rate <= 1:
        raise ValueError(f"error_rate: expected a number from 0 to 1, got {error_rate!r}")
    return Simulated(Skill(f"fallible({error_rate:g})", error_rate=error_rate), style, style_seed)
