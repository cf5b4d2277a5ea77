"""The names of tasks. A name is all that is needed to make its game: it holds the objective, the room and a seed."""

import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from quintet.environments.alfworld.generator.objectives import Objective, possible, reading
from quintet.environments.alfworld.generator.tables import text_hash

_FIRST_TRIAL = datetime(2025, 1, 1, tzinfo=UTC)
"""The official trials were recorded in 2019: ours cannot be taken for one of them."""
_MICROSECONDS = 365 * 24 * 3600 * 1_000_000
_FORM = re.compile(r"(?P<type>[a-z_]+)-(?P<thing>\w+)-None-(?P<target>\w+)-(?P<scene>\d{1,3})")


class TaskName(Struct, frozen=True):
    """A generated task's name, taken apart."""

    objective: Objective
    scene: int
    trial: str
    """Tells apart the games of one objective in one room; their seed."""

    @property
    def folder(self) -> str:
        """Its folder in the official layout, without the trial."""
        return f"{self.objective.type}-{self.objective.thing}-None-{self.objective.target}-{self.scene}"

    def __str__(self) -> str:
        return f"{self.folder}.{self.trial}"


def trial(text: str) -> str:
    """A trial's name in the official form, `trial_T20250907_184715_099476`, that stands for a text."""
    moment = _FIRST_TRIAL + timedelta(microseconds=text_hash(text) % _MICROSECONDS)
    return f"trial_T{moment:%Y%m%d_%H%M%S_%f}"


def parsed(name: str) -> TaskName | None:
    """A task's name taken apart; None: no generated task can have it."""
    folder, _, stamp = name.partition(".")
    found = _FORM.fullmatch(folder)
    if found is None or re.fullmatch(r"trial_T\d{8}_\d{6}_\d{6}", stamp) is None:
        return None
    objective = reading(found["type"], found["thing"], found["target"])
    if objective is None or objective not in possible(objective.type, int(found["scene"])):
        return None
    return TaskName(objective, int(found["scene"]), stamp)
