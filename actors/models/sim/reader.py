"""What a reader of one world is: it makes sense of that world's prompts, as far as a skill reads them."""

from collections.abc import Sequence
from typing import Protocol

from actors.models.sim.asked import Asked
from actors.models.sim.chance import Chance
from actors.models.sim.misreading import Misreading
from actors.models.sim.skills import Skill
from protocols.prompts import ChatMessage


class Reader(Protocol):
    """Answers prompts of one world. A pure function of its arguments."""

    def __call__(
        self, messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, chance: Chance, misreading: Misreading
    ) -> str | None:
        """The answer in the wanted form; None if the prompt is not about this world, or makes no sense."""
        ...
