"""What to say of a task that is not there."""

from collections.abc import Sequence
from difflib import get_close_matches

from quintet.errors import UsageError

_ENOUGH = 200
"""Characters of a name that are looked at; no task's name is nearly so long."""


def unknown(name: str, known: Sequence[str]) -> UsageError:
    """An error that names the tasks that are spelled most like it.

    Args:
        name: what was asked for.
        known: the tasks there are, at least one.
    """
    near = get_close_matches(name[:_ENOUGH], known, n=3, cutoff=0.5)
    return UsageError(f"task: expected one such as {' or '.join(near or known[:1])}, got {name[:_ENOUGH]!r} (alfworld)")
