"""Chooses a run's tasks: those that measure it and, if it learns, those it learns from."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from quintet.config.sections import LearningSection, RunSection
from quintet.errors import UsageError
from quintet.messages.paths import episode_path
from quintet.methods.base.method import LearnerSpec
from quintet.ports.world import TASK_TYPE, World

MOST_EPISODES = 1_000_000
"""Of a run; they are planned in memory, a kilobyte each."""

_MOST_VERSIONS = 10_000
_HELD_OUT_SHARE = 4
"""If a version is chosen and no number is set, one task in so many is held out."""

LeftOut: TypeAlias = Mapping[str, tuple[str, ...]]
"""By reason, in the world's words, the names of tasks: `needs a judge`."""

_OTHER_PLURALS: Mapping[str, str] = {"is": "are", "has": "have", "does": "do", "goes": "go"}


def _task_name(name: str) -> str:
    episode_path(name, 0, 0)
    return name


class TaskEntry(BaseModel):
    """A task as a run's record keeps it, so that a report needs no world."""

    model_config = ConfigDict(frozen=True)

    name: Annotated[str, AfterValidator(_task_name)]
    metadata: Mapping[str, str]
    """What reports group it by."""


class TrainingTasks(NamedTuple):
    """The tasks that a run learns from; no task is in both lists."""

    training: tuple[TaskEntry, ...] = ()
    held_out: tuple[TaskEntry, ...] = ()
    """A version is chosen by its success on these."""
    left_out: Mapping[str, tuple[str, ...]] = {}
    """By reason, those that would be among them, but cannot be played."""


class ChosenTasks(NamedTuple):
    """The tasks that a run is measured by, in order."""

    tasks: tuple[TaskEntry, ...]
    left_out: LeftOut
    """Those that would be among them, but cannot be played. Others take their places where there are more."""


class TaskRefusals:
    """Which tasks of a run's world cannot be played, and why; `judged`: the run has a judge."""

    def __init__(self, world: World, *, judged: bool) -> None:
        self._world = world
        self._judged = judged
        self._known: dict[str, str] = {}

    def reason(self, task: str) -> str:
        """Why a task cannot be played; empty: it can."""
        if task not in self._known:
            self._known[task] = self._world.refusal(task, judged=self._judged)
        return self._known[task]

    def playable(self, tasks: Sequence[str]) -> Sequence[str]:
        """Those that can be played, in order."""
        return [name for name in tasks if not self.reason(name)]

    def left_out(self, tasks: Iterable[str]) -> LeftOut:
        """Those that cannot be played."""
        found: dict[str, tuple[str, ...]] = {}
        for name in tasks:
            if reason := self.reason(name):
                found[reason] = (*found.get(reason, ()), name)
        return found

    def refuse_named(self, section: str, tasks: Iterable[str]) -> None:
        """Refuse tasks that a user named and that cannot be played."""
        for name in tasks:
            if reason := self.reason(name):
                raise UsageError(f"{section}.tasks: expected tasks that can be played, got {name!r}, which {reason}")


def left_out_text(left_out: LeftOut) -> str:
    """How many tasks are left out of a run, by reason: `12 tasks are left out: 10 need a judge, 2 need the site map`.

    With one reason `10 tasks are left out: they need a judge`. Empty: none are.
    """
    counts = {reason: len(tasks) for reason, tasks in left_out.items()}
    number = sum(counts.values())
    if not number:
        return ""
    if len(counts) == 1:
        reasons = " ".join(f"{'it' if number == 1 else 'they'} {_agreeing(reason, number)}" for reason in counts)
    else:
        reasons = ", ".join(f"{count} {_agreeing(reason, count)}" for reason, count in counts.items())
    return f"{number} {'task is' if number == 1 else 'tasks are'} left out: {reasons}"


def _agreeing(reason: str, count: int) -> str:
    """A reason, which is worded for one task, for so many."""
    verb, space, rest = reason.partition(" ")
    return reason if count == 1 else f"{_OTHER_PLURALS.get(verb, verb.removesuffix('s'))}{space}{rest}"


def choose(run: RunSection, world: World, refusals: TaskRefusals) -> ChosenTasks:
    """The tasks that a run is measured by.

    Raises:
        UsageError: no such split, type or task, none that can be played, fewer than asked for, or a named task
            that is named twice, is of another type or cannot be played.
    """
    split = world.splits[0] if run.split is None else run.split
    tasks = world.tasks(split)
    if isinstance(run.tasks, tuple):
        if run.per_type is not None:
            raise UsageError(f"run.per_type: expected none beside named tasks, got {run.per_type}")
        names = _pick_named("run", run.tasks, run.task_type, world)
        refusals.refuse_named("run", names)
        left_out: LeftOut = {}
    else:
        there = _some("run", split, tasks, run, world)
        played = _first_of_each_type(run.per_type, _played("run", split, there, refusals), world)
        asked = _first_of_each_type(run.per_type, there, world)
        number = _count("run", run.tasks, played, split, run, refusals.left_out(asked))
        names, left_out = played[:number], refusals.left_out(asked[:number] if run.tasks is not None else asked)
    if len(names) * run.epochs > MOST_EPISODES:
        most = f"{MOST_EPISODES // len(names)}, which with {len(names)} tasks makes {MOST_EPISODES:,} episodes"
        raise UsageError(f"run.epochs: expected at most {most}, got {run.epochs}")
    if run.order is not None:
        names = _shuffle(names, run.order, "order of the stream")
    return ChosenTasks(_entries(names, world), left_out)


def choose_training(
    run: RunSection,
    learning: LearningSection,
    world: World,
    test: Sequence[TaskEntry],
    given: Collection[str],
    refusals: TaskRefusals,
    *,
    plays: bool = True,
    chooses: bool,
) -> tuple[LearningSection, TrainingTasks]:
    """The tasks that a run learns from. They depend on nothing but the configuration and its seed.

    Args:
        test: the tasks that it is measured by, of which none may be learnt from.
        given: keys of settings that are more than defaults.
        plays: whether it plays tasks to learn from; if not, there are none but those that are held out.
        chooses: whether held-out tasks choose what is kept; if so, some tasks must be held out.

    Returns:
        The section with the numbers of tasks filled in, and the tasks.

    Raises:
        UsageError: there are no such tasks that can be played, too few, or one of them is a test task too.
    """
    if run.epochs != 1:
        raise UsageError(f"run.epochs: expected 1 in a run that learns, got {run.epochs}")
    if not (plays or chooses):
        return learning, TrainingTasks()
    if isinstance(learning.tasks, tuple) and "learning.split" not in given:
        learning = learning.model_copy(update={"split": None})
    every = _trainable(run, learning, world)
    if isinstance(learning.tasks, tuple):
        refusals.refuse_named("learning", every)
    there = _played("learning", learning.split, every, refusals)
    learning = _with_numbers(learning, len(there), given, chooses=chooses)
    wanted = _count("learning", learning.tasks, there, learning.split, run, refusals.left_out(every))
    if learning.held_out >= wanted:
        raise UsageError(
            f"learning.held_out: expected fewer than the {wanted} tasks to learn from, got {learning.held_out}"
        )
    # All of them, so that a task that cannot be played changes no other's place, and more tasks include fewer.
    shuffled = _shuffle(every, run.seed, "tasks to learn from")
    drawn = refusals.playable(shuffled)[:wanted]
    if both := [task.name for task in test if task.name in drawn]:
        others = "tasks other than those that the run is measured by"
        raise UsageError(f"learning.tasks: expected {others}, got {both[0]!r} among both")
    held_out = set(drawn[wanted - learning.held_out :])
    trained = set(drawn).difference(held_out) if plays else set[str]()
    return learning, TrainingTasks(
        _entries((name for name in there if name in trained), world),
        _entries((name for name in there if name in held_out), world),
        refusals.left_out(shuffled if wanted == len(there) else shuffled[:wanted]),
    )


def _with_numbers(learning: LearningSection, there: int, given: Collection[str], *, chooses: bool) -> LearningSection:
    if isinstance(learning.tasks, int) and "learning.tasks" not in given:
        learning = learning.model_copy(update={"tasks": min(learning.tasks, there)})
    if not chooses or learning.held_out:
        return learning
    if "learning.held_out" in given:
        raise UsageError("learning.held_out: expected >= 1, since a version is chosen by them, got 0")
    number = learning.tasks if isinstance(learning.tasks, int) else there
    return learning.model_copy(update={"held_out": max(1, number // _HELD_OUT_SHARE)})


def _trainable(run: RunSection, learning: LearningSection, world: World) -> Sequence[str]:
    tasks = () if learning.split is None else world.tasks(learning.split)
    if isinstance(learning.tasks, tuple):
        return _pick_named("learning", learning.tasks, run.task_type, world)
    if learning.split is None:
        splits = ", ".join(map(repr, world.splits))
        raise UsageError(
            f"learning.split: expected one of {splits}, got none; name one with --train-split, or tasks with "
            "--train-tasks"
        )
    return _some("learning", learning.split, tasks, run, world)


def _shuffle(tasks: Sequence[str], seed: int, why: str) -> list[str]:
    """All of the tasks in a random order, drawn by the seed; `why`: what it is for."""
    digest = blake2b(f"{seed}/{why}".encode(), digest_size=16).digest()
    return Random(digest).sample(tasks, len(tasks))


def count_versions(learner: LearnerSpec[Any], training: int, trajectories: int) -> int:
    """How many versions will follow version 0; see `LearnerSpec.versions`."""
    try:
        number = learner.versions(training, trajectories)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if number > _MOST_VERSIONS:
        raise UsageError(f"run.learn: expected options for at most {_MOST_VERSIONS:,} versions, got {number:,}")
    return number


def _entries(names: Iterable[str], world: World) -> tuple[TaskEntry, ...]:
    try:
        return tuple(TaskEntry(name=name, metadata=dict(world.metadata(name))) for name in names)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"environment {world.name}: {reason}") from error


def _played(section: str, split: str | None, tasks: Sequence[str], refusals: TaskRefusals) -> Sequence[str]:
    found = refusals.playable(tasks)
    if not found:
        left_out = left_out_text(refusals.left_out(tasks))
        raise UsageError(f"{section}.split: expected one with tasks that can be played, got {split!r}; {left_out}")
    return found


def _count(
    section: str, wanted: object, there: Sequence[str], split: str | None, run: RunSection, left_out: LeftOut
) -> int:
    """The number of tasks to take: `wanted` if it is a number, else all."""
    if not isinstance(wanted, int):
        return len(there)
    if wanted > len(there):
        of_type = "" if run.task_type is None else f"task type {run.task_type!r} in "
        of_type += "" if run.per_type is None or section != "run" else f"the first {run.per_type} of each task type in "
        raise UsageError(
            f"{section}.tasks: expected at most {len(there)}, the size of {of_type}split {split!r}, got {wanted}"
            + (f"; {left_out_text(left_out)}" if left_out else "")
        )
    return wanted


def _pick_named(section: str, names: Sequence[str], task_type: str | None, world: World) -> Sequence[str]:
    """The tasks that were named, each once and all of the type that is asked for."""
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
    """The tasks of a split that are of the type that is asked for; at least one."""
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


def _first_of_each_type(number: int | None, tasks: Sequence[str], world: World) -> Sequence[str]:
    """The first so many tasks of each type, in order; None: all."""
    if number is None:
        return tasks
    taken = Counter[str]()
    found: list[str] = []
    for name in tasks:
        task_type = _type(name, number, world, "run.per_type")
        taken[task_type] += 1
        found += [name] * (taken[task_type] <= number)
    return found


def _type(name: str, wanted: object, world: World, key: str = "run.task_type") -> str:
    metadata = world.metadata(name)
    if TASK_TYPE not in metadata:
        raise UsageError(f"{key}: expected none, since the tasks of {world.name} have no types, got {wanted!r}")
    return metadata[TASK_TYPE]
