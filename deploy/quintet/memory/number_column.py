"""Numbers in memory to which more are added at the end, without a copy of those that are there."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class NumberColumn:
    """Numbers, or rows of so many numbers, which lie number by number: a product with all rows reads them in order.

    Args:
        kind: of its numbers.
        width: numbers of a row; None: it has numbers.
    """

    def __init__(self, kind: DTypeLike, width: int | None = None) -> None:
        self._size = 0
        self._room: NDArray[Any] = np.empty((0,) if width is None else (width, 0), kind)

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Any]:
        """[values], or [width, values]: a view until more are added."""
        return self._room[..., : self._size]

    def put(self, start: int, values: NDArray[Any]) -> None:
        """Have these values from a place on, at most the end, in place of those that are there."""
        size = start + values.shape[-1]
        if size > self._room.shape[-1]:
            wider = np.empty((*self._room.shape[:-1], size + size // 2), self._room.dtype)
            wider[..., :start] = self._room[..., :start]
            self._room = wider
        self._room[..., start:size] = values
        self._size = size
