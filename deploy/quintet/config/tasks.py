"""Which tasks a run has: the split's, those of one type, the first so many of them, or those that were named."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from quintet.config.sections import LearningSection, RunSection
from quintet.errors import UsageError
from quintet.messages.paths import episode_path
from quintet.ports.world import World

MOST_EPISODES = 1_000_000
"""Of a run; they are planned in memory, a kilobyte each."""


TASK_TYPE = "task type"
"""The key of a task's metadata by which tasks are chosen."""


def _task_name(name: str) -> str:
    episode_path(name, 0, 0)
    return name


class TaskEntry(BaseModel):
    """A task as a run's record keeps it, so that a report needs no world."""

    model_config = ConfigDict(frozen=True)

    name: Annotated[str, AfterValidator(_task_name)]
    metadata: Mapping[str, str]
    """What reports group it by."""


def choose(run: RunSection, world: World) -> tuple[TaskEntry, ...]:
    """The tasks of a run, in order; those that it is measured by.

    Raises:
        UsageError: no such split, type or task, an empty split, a task named twice or of another type, or more than
            there are.
    """
    split = world.splits[0] if run.split is None else run.split
    tasks = world.tasks(split)
    if isinstance(run.tasks, tuple):
        names = _named("run", run.tasks, run.task_type, world)
    else:
        names = _some("run", split, tasks, run, world)
        names = names[: enough("run", run.tasks, names, split, run)]
    if len(names) * run.epochs > MOST_EPISODES:
        most = f"{MOST_EPISODES // len(names)}, which with {len(names)} tasks makes {MOST_EPISODES:,} episodes"
        raise UsageError(f"run.epochs: expected at most {most}, got {run.epochs}")
    return entries(names, world)


def to_learn_from(run: RunSection, learning: LearningSection, world: World) -> Sequence[str]:
    """The names of the tasks that a run may learn from: those that were named, or all of its split and type.

    Raises:
        UsageError: as `choose`.
    """
    tasks = () if learning.split is None else world.tasks(learning.split)
    if isinstance(learning.tasks, tuple):
        return _named("learning", learning.tasks, run.task_type, world)
    if learning.split is None:
        splits = ", ".join(map(repr, world.splits))
        raise UsageError(
            f"learning.split: expected one of {splits}, got none; name one with --train-split, or tasks with "
            "--train-tasks"
        )
    return _some("learning", learning.split, tasks, run, world)


def entries(names: Iterable[str], world: World) -> tuple[TaskEntry, ...]:
    """Tasks as a run's record keeps them.

    Raises:
        UsageError: the world has a name that no path can have.
    """
    return tuple(_entry(name, world) for name in names)


def enough(section: str, wanted: object, there: Sequence[str], split: str | None, run: RunSection) -> int:
    """How many of the tasks that are there are taken.

    Args:
        section: which asks for them.
        wanted: a number; anything else means all.
        there: the tasks.
        split: where they are from.
        run: of what type.

    Raises:
        UsageError: more are wanted than there are.
    """
    if not isinstance(wanted, int):
        return len(there)
    if wanted > len(there):
        of_type = "" if run.task_type is None else f"task type {run.task_type!r} in "
        raise UsageError(
            f"{section}.tasks: expected at most {len(there)}, the size of {of_type}split {split!r}, got {wanted}"
        )
    return wanted


def _named(section: str, names: Sequence[str], task_type: str | None, world: World) -> Sequence[str]:
    """The tasks that were named, each once and all of the type that is wanted."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise UsageError(f"{section}.tasks: expected each name once, got {twice[0]!r} twice")
    if task_type is None:
        return names
    for name in names:
        found = _type(name, task_type, world)
        if found != task_type:
            raise UsageError(f"{section}.tasks: expected tasks of type {task_type!r}, got {name!r} of type {found!r}")
    return names


def _some(section: str, split: str, tasks: Sequence[str], run: RunSection, world: World) -> Sequence[str]:
    """Those of a split's tasks that are of the type that is wanted; at least one."""
    found = _of_type(run.task_type, tasks, world)
    if not found:
        flag = "--tasks" if section == "run" else "--train-tasks"
        raise UsageError(
            f"{section}.split: expected one with tasks, got {split!r}, which has none; name some with {flag}"
        )
    return found


def _of_type(task_type: str | None, tasks: Sequence[str], world: World) -> Sequence[str]:
    if task_type is None:
        return tasks
    types = {name: _type(name, task_type, world) for name in tasks}
    if types and task_type not in types.values():
        there = ", ".join(map(repr, sorted(set(types.values()))))
        raise UsageError(f"run.task_type: expected one of {there}, got {task_type!r}")
    return [name for name in tasks if types[name] == task_type]


def _type(name: str, task_type: str, world: World) -> str:
    metadata = world.metadata(name)
    if TASK_TYPE not in metadata:
        raise UsageError(
            f"run.task_type: expected an environment whose tasks are of types, got {task_type!r} on {world.name}"
        )
    return metadata[TASK_TYPE]


def _entry(name: str, world: World) -> TaskEntry:
    metadata = dict(world.metadata(name))
    try:
        return TaskEntry(name=name, metadata=metadata)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"environment {world.name}: {reason}") from error
