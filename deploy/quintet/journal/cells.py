"""Cells of a journal's tables: how they are stored, and what a damaged one raises; read back, any may hold anything."""

from math import isnan
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from quintet.messages.paths import Path

Row: TypeAlias = tuple[Any, ...]
"""As SQLite returns it: any column may hold any type."""

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)

Count = Annotated[int, Meta(ge=0, le=2**62)]
Number = Annotated[int, Meta(ge=1, le=2**62)]
Flag = Annotated[int, Meta(ge=0, le=1)]
Milliseconds = Annotated[int, Meta(ge=-(10**14), le=10**14)]
Microseconds = Annotated[int, Meta(ge=-(10**17), le=10**17)]
"""Negative if the clock was set back."""


def text_of(number: int | None, text: str | None) -> str:
    """A text of `_texts`; NULL is the empty text.

    Raises:
        msgspec.ValidationError: there is no text of that number.
    """
    if number is None:
        return ""
    if text is None:
        raise msgspec.ValidationError(f"expected text {number}, got none")
    return text


def below(path: str, episode: Path) -> str:
    """A path or a session without its episode's path; one of elsewhere in full, after a slash."""
    if path == episode:
        return ""
    own = path[len(episode) + 1 :]
    return own if path.startswith(f"{episode}/") and own[:1] not in ("", "/") else f"/{path}"


def text_cell(text: str) -> str:
    """A text to store.

    Raises:
        UnicodeEncodeError: it has no UTF-8 form.
    """
    text.encode()
    return text


def real_cell(number: float) -> float:
    """A real number to store.

    Raises:
        ValueError: it is no number.
    """
    if isnan(number):  # SQLite would store NULL
        raise ValueError(f"expected a number, got {number}")
    return float(number)


def whole_cell(number: int) -> int:
    """A whole number to store.

    Raises:
        OverflowError: it has more than 64 bits.
    """
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"expected a number of 64 bits, got {number}")
    return number
