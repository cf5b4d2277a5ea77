"""Attempts: an episode that faulted may be repeated, and of several attempts the newest counts."""

from collections.abc import Iterable

from quintet.events import EpisodeEnded
from quintet.messages.paths import Path, attempt_of, is_of_task


def newest_at_tasks(begun: Iterable[Path]) -> dict[tuple[str, int], int]:
    """The newest attempt by task and epoch, without visits and without the learner."""
    return newest(filter(is_of_task, begun))


def newest(begun: Iterable[Path]) -> dict[tuple[str, int], int]:
    """The newest attempt by task and epoch."""
    found: dict[tuple[str, int], int] = {}
    for path in begun:
        task, epoch, number = attempt_of(path)
        found[task, epoch] = max(number, found.get((task, epoch), 0))
    return found


def is_result(end: EpisodeEnded) -> bool:
    """Whether an attempt ended by its method's own account: not by a fault, nor by an operator's hand."""
    return end.state != "faulted" and not end.cancelled
