"""A listing cut into pages."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Paging(NamedTuple):
    """One page of a listing. The macro `paging` of `paging.html` writes its links."""

    items: Sequence[Any]
    number: int
    """From 1."""
    last: int
    """The last page's number, >= 1."""
    total: int
    """How many things all pages have."""
    first: int
    """The place of the page's first thing, from 1; 0 if there is none."""


def paged(rows: Sequence[Any], number: int, size: int) -> Paging:
    """The page of a number; the last one if there are fewer, the first one for 0."""
    last = max(1, -(-len(rows) // size))
    number = min(max(1, number), last)
    start = (number - 1) * size
    items = rows[start : start + size]
    return Paging(items, number, last, len(rows), start + 1 if items else 0)
