"""A search for words in columns of a table."""

from typing import Final

_WORDS_AT_MOST: Final = 8


def all_words(columns: tuple[str, ...], query: str) -> tuple[str, tuple[str, ...]]:
    """An SQL condition: each word of a query stands in one of the columns, in any case, as it is written.

    Returns:
        The condition and its values.
    """
    words = query.split()[:_WORDS_AT_MOST]
    one = "(" + " OR ".join(f"instr(lower({column}), lower(?)) > 0" for column in columns) + ")"
    condition = " AND ".join(one for _ in words) or "0"
    return condition, tuple(word for word in words for _ in columns)
