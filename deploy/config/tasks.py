"""Which tasks a run has: the split's, those of one type, the first so many of them, or those that were named."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from deploy.config.sections import RunSection
from protocols.errors import UsageError
from protocols.paths import episode_path
from protocols.worlds import World

MOST_EPISODES = 10_000_000
"""Of a run; they are planned in memory."""


TASK_TYPE = "task type"
"""The fact by which tasks are chosen."""


class TaskEntry(BaseModel):
    """A task as a run's record keeps it, so that a report needs no world."""

    model_config = ConfigDict(frozen=True)

    name: str
    facts: Mapping[str, str]
    """What reports group it by."""


def choose(run: RunSection, world: World) -> tuple[TaskEntry, ...]:
    """The tasks of a run, in order.

    Raises:
        UsageError: no such split, type or task, an empty split, a task named twice or of another type, or more than
            there are.
    """
    split = world.splits[0] if run.split is None else run.split
    tasks = world.tasks(split)
    names = _named(run, world) if isinstance(run.tasks, tuple) else _first(run, split, _of_type(run, tasks, world))
    for name in names:
        _check_name(name, world)
    if len(names) * run.epochs > MOST_EPISODES:
        most = f"{MOST_EPISODES // len(names)}, which with {len(names)} tasks makes {MOST_EPISODES:,} episodes"
        raise UsageError(f"run.epochs: expected at most {most}, got {run.epochs}")
    return tuple(TaskEntry(name=name, facts=dict(world.facts(name))) for name in names)


def _named(run: RunSection, world: World) -> Sequence[str]:
    """The tasks that were named, each once and all of the type that is wanted."""
    assert isinstance(run.tasks, tuple)
    twice = [name for name, times in Counter(run.tasks).items() if times > 1]
    if twice:
        raise UsageError(f"run.tasks: expected each name once, got {twice[0]!r} twice")
    for name in () if run.task_type is None else run.tasks:
        found = _type(name, run, world)
        if found != run.task_type:
            raise UsageError(f"run.tasks: expected tasks of type {run.task_type!r}, got {name!r} of type {found!r}")
    return run.tasks


def _first(run: RunSection, split: str, tasks: Sequence[str]) -> Sequence[str]:
    """As many of a split's tasks as the run has."""
    if not tasks:
        raise UsageError(f"run.split: expected one with tasks, got {split!r}, which has none; name some with --tasks")
    wanted = run.tasks if isinstance(run.tasks, int) else len(tasks)
    if wanted > len(tasks):
        of_type = "" if run.task_type is None else f"task type {run.task_type!r} in "
        raise UsageError(
            f"run.tasks: expected at most {len(tasks)}, the size of {of_type}split {split!r}, got {wanted}"
        )
    return tasks[:wanted]


def _of_type(run: RunSection, tasks: Sequence[str], world: World) -> Sequence[str]:
    """Those of a split's tasks that are of the type that is wanted."""
    if run.task_type is None:
        return tasks
    types = {name: _type(name, run, world) for name in tasks}
    if types and run.task_type not in types.values():
        there = ", ".join(map(repr, sorted(set(types.values()))))
        raise UsageError(f"run.task_type: expected one of {there}, got {run.task_type!r}")
    return [name for name in tasks if types[name] == run.task_type]


def _type(name: str, run: RunSection, world: World) -> str:
    facts = world.facts(name)
    if TASK_TYPE not in facts:
        raise UsageError(
            f"run.task_type: expected an environment whose tasks are of types, got {run.task_type!r} on {world.name}"
        )
    return facts[TASK_TYPE]


def _check_name(name: str, world: World) -> None:
    try:
        episode_path(name, 0, 0)
    except ValueError as error:
        raise UsageError(f"environment {world.name}: {error}") from error
