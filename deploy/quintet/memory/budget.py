"""What a budget of bytes has room for."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def within(budget: int, items: Iterable[_T], *, size: Callable[[_T], int]) -> Iterator[_T]:
    """Items one after the other, until one does not fit any more; one that is larger than all of it is passed over."""
    left = budget
    for each in items:
        needed = size(each)
        if left < needed <= budget:
            return
        if needed <= budget:
            left -= needed
            yield each
