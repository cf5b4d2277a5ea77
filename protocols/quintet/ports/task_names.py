"""What a world answers to the name of a split or a task that it does not have."""

from collections.abc import Iterable
from difflib import get_close_matches

from quintet.errors import UsageError

_ENOUGH = 200
"""Characters of a name that are compared and shown; no task's name is nearly so long."""
_NEAR = 0.5
"""How alike a suggested name is at least, in [0, 1]."""
_MOST = 3


def unknown_split(split: str, known: Iterable[str], world: str) -> UsageError:
    """An error that names the splits there are."""
    return UsageError(f"split: expected {' or '.join(known)}, got {split[:_ENOUGH]!r} ({world})")


def unknown_task(task: str, known: Iterable[str], world: str) -> UsageError:
    """An error that suggests up to three tasks with the most similar names, or else the first task.

    Args:
        known: the world's tasks, at least one; a task may come twice.
    """
    names = list(dict.fromkeys(known))
    near = get_close_matches(task[:_ENOUGH], names, n=_MOST, cutoff=_NEAR)
    return UsageError(f"task: expected one such as {' or '.join(near or names[:1])}, got {task[:_ENOUGH]!r} ({world})")
