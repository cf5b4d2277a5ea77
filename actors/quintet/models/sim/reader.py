"""What a reader of one world is: it makes sense of that world's prompts, as far as a skill reads them."""

from collections.abc import Sequence
from typing import Protocol

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.asked import Asked
from quintet.models.sim.chance import Chance
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.skills import Skill


class Reader(Protocol):
    """Answers prompts of one world. A pure function of its arguments."""

    def __call__(
        self, messages: Sequence[ChatMessage], wanted: Asked, skill: Skill, chance: Chance, misreading: Misreading
    ) -> str | None:
        """The answer in the wanted form; None if the prompt is not about this world, or makes no sense."""
        ...
