"""Damage to a folder: a command shows what it could read, then ends with exit code 2."""

from collections.abc import Sequence

from quintet.errors import UsageError


def raise_damage(damage: Sequence[str]) -> None:
    """Raise an error after a command has shown what it could read.

    Args:
        damage: sentences of the form expected, got, where.

    Raises:
        UsageError: there is any.
    """
    if damage:
        more = f", and {len(damage) - 1} more" if len(damage) > 1 else ""
        raise UsageError(f"{damage[0]}{more}; the output lacks what could not be read")
