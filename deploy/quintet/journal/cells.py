"""Cells of a journal's tables: any may hold anything, and what a damaged one raises."""

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
