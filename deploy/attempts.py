"""Attempts: an episode that faulted may be repeated, and of several attempts the newest counts."""

from collections.abc import Iterable

from protocols.paths import Path, attempt_of


def newest(begun: Iterable[Path]) -> dict[tuple[str, int], int]:
    """The newest attempt by task and epoch."""
    found: dict[tuple[str, int], int] = {}
    for path in begun:
        task, epoch, number = attempt_of(path)
        found[task, epoch] = max(number, found.get((task, epoch), 0))
    return found
