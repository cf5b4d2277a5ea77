"""Paths: where in a run something happened.

A path is `task/epoch/attempt` for an episode, followed by one number for each ask, call, decision or branch below it:
`beehive/0/0/2/1` is the first thing that happened inside the second thing of the first attempt of epoch 0 of the task
`beehive`. The asker gives the numbers, in order, so the same episode has the same paths on every host.
"""

from typing import NamedTuple, NewType

Path = NewType("Path", str)

VISIT = "~visit"
"""The first part of paths of requests from outside any episode."""

VISITS = Path(f"{VISIT}/0")
"""Above every visit."""

LEARNER = Path("~learn/0/0")
"""The path of the learner, as if it were an episode."""

RESERVED = (VISIT, LEARNER.split("/", 1)[0])
"""First parts of paths that belong to no task."""

_ROOT_PARTS = 3


def episode_path(task: str, epoch: int, attempt: int) -> Path:
    """The path of one attempt at a task.

    Args:
        task: the task's name within its environment; any text without "/" and control characters, but `~visit` and
            `~learn`.
        epoch: repetition of the task, from 0; every epoch has its own world. In a run that learns, the version that the
            episode reads; all versions have the same world.
        attempt: from 0; raised when a faulted or requeued episode is repeated, with the same world and seeds.

    Raises:
        ValueError: the task's name cannot be part of a path.
    """
    if not task or "/" in task or not task.isprintable() or task in RESERVED:
        others = " and ".join(map(repr, RESERVED))
        raise ValueError(f"task name: expected printable text without '/' other than {others}, got {task!r}")
    return Path(f"{task}/{epoch}/{attempt}")


class Attempt(NamedTuple):
    """The parts of an episode's path."""

    task: str
    epoch: int
    number: int


def attempt_of(episode: Path) -> Attempt:
    """The attempt whose path `episode` is."""
    task, epoch, number = episode.split("/")
    return Attempt(task, int(epoch), int(number))


def child(path: Path, number: int) -> Path:
    """The path of the `number`-th thing (from 1) that happens under `path`; 0: of what takes no number."""
    return Path(f"{path}/{number}")


def episode_of(path: Path) -> Path:
    """The path of the episode that `path` belongs to."""
    return Path("/".join(path.split("/", _ROOT_PARTS)[:_ROOT_PARTS]))


def parent(path: Path) -> Path:
    """The path that this one is a child of: of an attempt, its task and epoch."""
    return Path(path.rpartition("/")[0])


def is_within(path: Path, ancestor: Path) -> bool:
    """Whether `path` is `ancestor` or lies below it."""
    return path == ancestor or path.startswith(f"{ancestor}/")


def without_attempt(path: Path) -> str:
    """The path without the attempt; a call's seed depends on it."""
    task, epoch, _attempt, *rest = path.split("/")
    return "/".join([task, epoch, *rest])


def order_of(path: Path) -> tuple[str, tuple[int, ...]]:
    """A sort key: by task, then in the order in which things happened."""
    task, *numbers = path.split("/")
    return task, tuple(map(int, numbers))
