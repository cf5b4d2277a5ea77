"""The names of tasks. A name holds the objective, the room and a seed, so it alone determines its game."""

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from quintet.environments.alfworld.generator.objectives import Objective
from quintet.environments.alfworld.generator.tables import text_hash

_FIRST_TRIAL = datetime(2025, 1, 1, tzinfo=UTC)
"""The official trials date from 2019, so no name of ours can be one of theirs."""
_MICROSECONDS = 365 * 24 * 3600 * 1_000_000


class TaskName(Struct, frozen=True):
    """A generated task's name, taken apart."""

    objective: Objective
    scene: int
    trial: str
    """Distinguishes the games of one objective in one room; also their seed."""

    @property
    def folder(self) -> str:
        """Its folder in the official layout, without the trial."""
        return f"{self.objective.type}-{self.objective.thing}-None-{self.objective.target}-{self.scene}"

    def __str__(self) -> str:
        return f"{self.folder}.{self.trial}"


def trial(text: str) -> str:
    """A trial's name in the official form, `trial_T20250907_184715_099476`, derived from a text."""
    moment = _FIRST_TRIAL + timedelta(microseconds=text_hash(text) % _MICROSECONDS)
    return f"trial_T{moment:%Y%m%d_%H%M%S_%f}"
