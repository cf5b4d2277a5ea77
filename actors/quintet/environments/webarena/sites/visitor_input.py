"""Reads what visitors type into addresses and forms: whole numbers, paths of a site, words to search for."""

from collections.abc import Sequence
from typing import Final

_DIGITS_AT_MOST: Final = 9
_WORDS_AT_MOST: Final = 12


def whole_number(text: str) -> int | None:
    """A whole number, >= 0, of a few digits; None if a text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS_AT_MOST else None


def is_own_path(text: str) -> bool:
    """Whether a text is a path of the site itself: after two slashes of any kind browsers read another site's name."""
    return text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()


def all_words(columns: Sequence[str], query: str) -> tuple[str, tuple[str, ...]]:
    """An SQL condition: each word of a query stands in one of the columns, in any case, as it is written.

    Returns:
        The condition and its values.
    """
    words = query.split()[:_WORDS_AT_MOST]
    condition = " AND ".join(f"({' OR '.join(map(column_has, columns))})" for _ in words) or "0"
    return condition, tuple(word for word in words for _ in columns)


def column_has(column: str) -> str:
    """An SQL condition: a text, which is its value, stands in a column, in any case."""
    return f"instr(lower({column}), lower(?)) > 0"
