"""Damage: what of a folder could not be read. What is sound is shown, and then the command ends with exit code 2."""

from collections.abc import Sequence

from quintet.errors import UsageError


def raise_damage(damage: Sequence[str]) -> None:
    """End a command that has shown what is sound.

    Args:
        damage: expected, got, where; each a sentence of its own.

    Raises:
        UsageError: there is any.
    """
    if damage:
        more = f", and {len(damage) - 1} more" if len(damage) > 1 else ""
        raise UsageError(f"{damage[0]}{more}; what is shown is without what cannot be read")
