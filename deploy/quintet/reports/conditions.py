"""What two runs must have in common for a task to be the same in both, and how they differ in it."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from quintet.config.settings import flatten
from quintet.config.tasks import left_out_text
from quintet.roles.judge import JUDGE_ROLE
from quintet.runs.record import RunRecord

_ABSENT = "none"


class ConditionDifference(NamedTuple):
    """A condition in which two runs differ, with its values as text."""

    key: str
    ours: str
    theirs: str


def condition_difference(ours: RunRecord, theirs: RunRecord) -> ConditionDifference | None:
    """The first condition in which two runs differ; None: they met the same tasks in the same worlds.

    Answers that two judges graded were not graded alike; a judge beside none may have graded a further figure.
    """
    mine, other = (record.models.get(JUDGE_ROLE.name) for record in (ours, theirs))
    if mine is not None and other is not None and mine != other:
        return ConditionDifference("model.judge.name", repr(mine), repr(other))
    for one, another in zip_longest(_conditions(ours), _conditions(theirs)):
        if one != another:
            key = min(each[0] for each in (one, another) if each is not None)
            mine, other = (repr(each[1]) if each and each[0] == key else _ABSENT for each in (one, another))
            return ConditionDifference(key, mine, other)
    return None


def _conditions(record: RunRecord) -> Iterator[tuple[str, object]]:
    config = record.configuration
    yield "environment.name", config.environment.name
    yield from ((f"environment.{key}", value) for key, value in sorted(flatten(config.environment.options)))
    yield f"version of {config.environment.name}", record.world_version
    yield "run.split", config.run.split
    yield "run.seed", config.run.seed
    yield "run.epochs", config.run.epochs
    yield "tasks left out", left_out_text(record.left_out) or _ABSENT
    yield from ((f"task {number}", task.name) for number, task in enumerate(record.tasks, 1))
