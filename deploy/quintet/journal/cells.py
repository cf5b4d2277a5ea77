"""Cells of a journal's tables: what may be written, and what reading a damaged one raises."""

from math import isnan
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

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


def text_cell(text: str) -> str:
    """The text.

    Raises:
        UnicodeEncodeError: it has a lone surrogate, which SQLite cannot store.
    """
    text.encode()
    return text


def real_cell(number: float) -> float:
    """The number.

    Raises:
        ValueError: it is not a number, for which SQLite would store NULL.
    """
    if isnan(number):
        raise ValueError(f"expected a number, got {number}")
    return float(number)


def integer_cell(number: int) -> int:
    """The number.

    Raises:
        OverflowError: it does not fit into the 64 bits of a column.
    """
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"expected a number of 64 bits, got {number}")
    return number
