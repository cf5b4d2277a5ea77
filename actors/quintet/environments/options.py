"""Checks the options of a world; each check raises a UsageError that names option, value and world."""

from collections.abc import Collection

from quintet.errors import UsageError


def check_choice(option: str, given: object, known: Collection[object], world: str) -> None:
    """Check an option that has a value of a few."""
    if given not in known:
        raise UsageError(f"{option}: expected one of {', '.join(map(str, known))}, got {given!r} ({world})")


def check_positive(option: str, given: int | None, world: str) -> None:
    """Check an option that is a count, from 1 up; None: no limit."""
    if given is not None and given < 1:
        raise UsageError(f"{option}: expected >= 1, got {given} ({world})")
