"""How pages write moments and days."""

from datetime import datetime
from typing import Final

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def long_day(at: str) -> str:
    """A day: `Jun 5, 2023`."""
    when = datetime.fromisoformat(at)
    return f"{_MONTHS[when.month - 1]} {when.day}, {when.year}"


def long_moment(at: str) -> str:
    """A moment: `Jun 5, 2023, 14:05`."""
    return f"{long_day(at)}, {at[11:16]}"
