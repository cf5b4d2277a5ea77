"""Which tasks a run has: the split's, the first so many of it, or those that were named."""

from collections import Counter
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from deploy.config.sections import RunSection
from protocols.errors import UsageError
from protocols.paths import episode_path
from protocols.worlds import World

MOST_EPISODES = 10_000_000
"""Of a run; they are planned in memory."""


class TaskEntry(BaseModel):
    """A task as a run's record keeps it, so that a report needs no world."""

    model_config = ConfigDict(frozen=True)

    name: str
    facts: Mapping[str, str]
    """What reports group it by."""


def choose(run: RunSection, world: World) -> tuple[TaskEntry, ...]:
    """The tasks of a run, in order.

    Raises:
        UsageError: no such split or task, an empty split, a task named twice, or more than there are.
    """
    split = world.splits[0] if run.split is None else run.split
    tasks = world.tasks(split)
    if isinstance(run.tasks, tuple):
        names = run.tasks
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            raise UsageError(f"run.tasks: expected each name once, got {twice[0]!r} twice")
    elif not tasks:
        raise UsageError(f"run.split: expected one with tasks, got {split!r}, which has none; name some with --tasks")
    elif run.tasks is not None and run.tasks > len(tasks):
        raise UsageError(f"run.tasks: expected at most {len(tasks)}, the size of split {split!r}, got {run.tasks}")
    else:
        names = tasks[: run.tasks]
    for name in names:
        _check_name(name, world)
    if len(names) * run.epochs > MOST_EPISODES:
        most = f"{MOST_EPISODES // len(names)}, which with {len(names)} tasks makes {MOST_EPISODES:,} episodes"
        raise UsageError(f"run.epochs: expected at most {most}, got {run.epochs}")
    return tuple(TaskEntry(name=name, facts=dict(world.facts(name))) for name in names)


def _check_name(name: str, world: World) -> None:
    try:
        episode_path(name, 0, 0)
    except ValueError as error:
        raise UsageError(f"environment {world.name}: {error}") from error
