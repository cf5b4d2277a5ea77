"""Attempts: an episode that faulted may be repeated, and of several attempts the newest counts."""

from collections.abc import Iterable

from protocols.paths import Path


def newest(begun: Iterable[Path]) -> dict[tuple[str, int], int]:
    """The newest attempt by task and epoch."""
    found: dict[tuple[str, int], int] = {}
    for path in begun:
        task, epoch, attempt = path.split("/")
        key = task, int(epoch)
        found[key] = max(int(attempt), found.get(key, 0))
    return found
