"""What `[learning]` means: whether a run learns, and which tasks it learns from."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from random import Random
from typing import Any, NamedTuple

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.sections import RunConfig
from quintet.config.settings import Settings
from quintet.config.tasks import TaskEntry, enough, entries, to_learn_from
from quintet.errors import UsageError
from quintet.methods.base.method import LearnerSpec, Method
from quintet.plugins import catalogue
from quintet.ports.world import World

_HELD_OUT = 4
"""Of so many tasks one is held out, where a version is chosen and nobody says by how many."""


_MOST_VERSIONS = 10_000


class TrainingTasks(NamedTuple):
    """What a run learns from. The two have no task in common."""

    training: tuple[TaskEntry, ...]
    """At least one."""
    held_out: tuple[TaskEntry, ...]
    """By these a version is chosen."""


def learning_of(method: type[Method[Any]], settings: Settings) -> type[LearnerSpec[Any]] | None:
    """How a run learns; None where its settings do not ask it to.

    Raises:
        UsageError: its method does not learn, or there are settings of learning in a run that does not.
    """
    asked = settings.get("run.learn")
    if asked is not None and asked.value is True:
        if method.learner is None:
            learners = list(_learners())
            expected = catalogue.one_of(learners, method.name) if learners else "a method"
            error = UsageError(f"method: expected {expected}, which learns across episodes, got {method.name!r}")
            raise with_origin(error, settings, ["method.name"])
        return method.learner
    for key, setting in settings.items():
        if key == "learning" or key.startswith("learning."):
            raise UsageError(
                f"{key}: expected a run that learns (quintet optimize, or run.learn=true), got one that does not "
                f"({setting.where})"
            )
    return None


def _learners() -> Iterator[str]:
    for name in catalogue.names("method"):
        with suppress(UsageError):
            if catalogue.method(name).learner is not None:
                yield name


def with_task_counts(config: RunConfig, world: World, measured: Sequence[TaskEntry], given: Settings) -> RunConfig:
    """The same with what depends on the tasks that there are: how many are learnt from, and how many are held out.

    Args:
        config: of a run that learns or not.
        world: of the run.
        measured: the tasks that it is measured by.
        given: what is more than a default.

    Raises:
        UsageError: there are no such tasks, or too few of them.
    """
    if config.learning is None:
        return config
    if config.run.epochs != 1:
        raise UsageError(f"run.epochs: expected 1 in a run that learns, got {config.run.epochs}")
    learning = config.learning
    if isinstance(learning.tasks, tuple) and "learning.split" not in given:
        learning = learning.model_copy(update={"split": None})
    there = to_learn_from(config.run, learning, world)
    if isinstance(learning.tasks, int) and "learning.tasks" not in given:
        learning = learning.model_copy(update={"tasks": min(learning.tasks, len(there))})
    chooses = plugins.learner(config).chooses()
    if chooses and not learning.held_out:
        if "learning.held_out" in given:
            raise UsageError("learning.held_out: expected >= 1, since a version is chosen by them, got 0")
        drawn = learning.tasks if isinstance(learning.tasks, int) else len(there)
        learning = learning.model_copy(update={"held_out": max(1, drawn // _HELD_OUT)})
    config = config.model_copy(update={"learning": learning})
    versions(config, lessons(config, world, measured))
    return config


def lessons(config: RunConfig, world: World, measured: Sequence[TaskEntry]) -> TrainingTasks | None:
    """The tasks that a run learns from; None where it does not. They depend on nothing but the configuration's seed.

    Args:
        config: as resolved.
        world: of the run.
        measured: the tasks that it is measured by.

    Raises:
        UsageError: there are no such tasks, too few of them, or one of them is among those it is measured by.
    """
    learning = config.learning
    if learning is None:
        return None
    there = to_learn_from(config.run, learning, world)
    wanted = enough("learning", learning.tasks, there, learning.split, config.run)
    if learning.held_out >= wanted:
        raise UsageError(
            f"learning.held_out: expected fewer than the {wanted} tasks to learn from, got {learning.held_out}"
        )
    drawn = _shuffled(there, config.run.seed)[:wanted]
    both = {task.name for task in measured}.intersection(drawn)
    for name in drawn:
        if name in both:
            raise UsageError(
                f"learning.tasks: expected tasks other than those that the run is measured by, got {name!r} among both"
            )
    held_out = set(drawn[wanted - learning.held_out :])
    training = set(drawn).difference(held_out)
    return TrainingTasks(
        entries((name for name in there if name in training), world),
        entries((name for name in there if name in held_out), world),
    )


def _shuffled(tasks: Sequence[str], seed: int) -> list[str]:
    # In whole, so that more tasks of a split are those that fewer were, and others.
    digest = blake2b(f"{seed}/tasks to learn from".encode(), digest_size=16).digest()
    return Random(digest).sample(tasks, len(tasks))


def versions(config: RunConfig, found: TrainingTasks | None) -> int:
    """How many versions of what is learnt a run will publish, after the one it begins with.

    Raises:
        UsageError: the options ask for what so few tasks cannot give.
    """
    if found is None:
        return 0
    try:
        number = plugins.learner(config).versions(len(found.training))
    except ValueError as error:
        raise UsageError(str(error)) from error
    if number > _MOST_VERSIONS:
        raise UsageError(f"run.learn: expected options for at most {_MOST_VERSIONS:,} versions, got {number:,}")
    return number
