"""Everything besides the prompt that an answer depends on: a skill, and the draws of one call."""

from dataclasses import dataclass

from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.transcript import Exchange, Reading, TaskT


@dataclass(frozen=True)
class Skill:
    """How well a level reads."""

    name: str
    window: int | None = None
    """How many steps of the conversation it reads, the last ones; None: all. Instructions and task are no steps, and
    neither is what a summary says of the past: that is read in full."""
    misled: bool = False
    """It begins with wrong beliefs about how things work, until a text says otherwise."""
    common_sense: bool = True
    """It knows where things usually are. Without, it knows what texts show."""
    error_rate: float = 0.0
    """The share of questions that it misreads, in [0, 1]; see `Misreading`."""

    def remembered(self, reading: Reading[TaskT]) -> tuple[Exchange, ...]:
        """The steps that it knows of."""
        steps = reading.steps if self.window is None else reading.steps[-self.window :]
        return (*(reading.past or ()), *steps)


@dataclass(frozen=True)
class Mind:
    """How one call reads and answers."""

    skill: Skill
    chance: Chance
    misreading: Misreading
