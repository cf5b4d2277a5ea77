"""Finds the nearest of many vectors, exactly, with a coarse pass over all of them and a second over few."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quintet.models.embedding.vectors import Rows

_COLUMNS: Final = 64
"""Of the coarse table: 256 bytes a vector, whatever its dimensions."""
_SAMPLE = 16_384
"""Vectors from which the axes of the coarse table are chosen."""
_BLOCKS = 128
"""Parts of the coarse table whose best vectors give a first limit, at least."""
_SLACK = 1e-5
"""Added to bounds, for sums of 32-bit numbers."""

Fetch = Callable[[Sequence[int]], Rows]
"""The vectors of ids, in their order."""


class NearestIndex:
    """Vectors of length one by id, to be searched by cosine. Holds a coarse table; the vectors stay where they are.

    The axes of the coarse table are those along which a sample varies most (principal components, not centred). Its
    last column is the length of what a vector has beside these axes, so the product of two of its rows is an upper
    bound of the cosine (Cauchy and Schwarz). The vectors whose bound reaches the worst of the best found so far are
    fetched and compared in full: the result is exact, and only the time depends on the vectors.

    Args:
        fetch: reads vectors.
    """

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._ids = np.empty(0, np.int64)
        self._coarse: Rows = np.empty((0, _COLUMNS), np.float32)
        self._axes: Rows | None = None
        self._sampled = 0

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def last(self) -> int:
        """The highest id; -1 if there is none."""
        return int(self._ids[-1]) if len(self._ids) else -1

    @property
    def outgrown(self) -> bool:
        """Most vectors came after the axes were chosen: one built anew would be faster."""
        return len(self._ids) > 4 * max(self._sampled, _SAMPLE)

    def add(self, ids: Sequence[int], rows: Rows) -> None:
        """Add vectors.

        Args:
            ids: ascending, and higher than those before.
            rows: [ids, dimensions].
        """
        if not len(ids):
            return
        if self._axes is None:
            self._axes = _principal_axes(rows[:: max(1, len(rows) // _SAMPLE)])
            self._sampled = len(rows)
        self._ids = np.concatenate((self._ids, np.asarray(ids, np.int64)))
        added = _with_rest(rows @ self._axes)
        self._coarse = np.concatenate((self._coarse, added)) if len(self._coarse) else added

    def nearest(self, vector: NDArray[np.float32], count: int, *, before: int) -> list[int]:
        """The ids of the nearest vectors, nearest first; of equally near ones, to six decimals, the lower id first.

        Args:
            vector: to be near to, of length one.
            count: how many, at least 1; fewer if there are fewer.
            before: only ids below this one.
        """
        size = int(np.searchsorted(self._ids, before))
        if size == 0 or self._axes is None:
            return []
        if count >= size:
            return self._best(np.arange(size), vector, count)
        bounds = self._coarse[:size] @ _with_rest(vector[None, :] @ self._axes)[0] + np.float32(_SLACK)
        first = _block_maxima(bounds, max(_BLOCKS, 2 * count))
        found = np.sort(self._cosines(first, vector))
        limit = found[-count] if len(found) >= count else -1.0
        return self._best(np.flatnonzero(bounds >= limit), vector, count)

    def _best(self, places: NDArray[np.intp], vector: NDArray[np.float32], count: int) -> list[int]:
        cosines = self._cosines(places, vector)
        order = np.lexsort((places, -np.round(cosines, 6)))[:count]
        return [int(each) for each in self._ids[places[order]]]

    def _cosines(self, places: NDArray[np.intp], vector: NDArray[np.float32]) -> NDArray[np.float64]:
        rows = self._fetch([int(each) for each in self._ids[places]])
        # Added up row by row: the same vector has the same cosine, whichever others it is compared with.
        cosines: NDArray[np.float64] = np.sum(rows.astype(np.float64) * vector, axis=1)
        return cosines


def _principal_axes(rows: Rows) -> Rows:
    """[dimensions, columns - 1]: the axes along which rows are longest."""
    exact = rows.astype(np.float64)
    _, axes = np.linalg.eigh(exact.T @ exact)
    return np.ascontiguousarray(axes[:, ::-1][:, : _COLUMNS - 1], dtype=np.float32)


def _with_rest(projected: Rows) -> Rows:
    """Rows with the length of what they lack of length one as their last column."""
    squares = np.sum(projected.astype(np.float64) ** 2, axis=1)
    rest = np.sqrt(np.maximum(0.0, 1.0 - squares)).astype(np.float32)
    return np.column_stack((projected, rest))


def _block_maxima(bounds: NDArray[np.float32], blocks: int) -> NDArray[np.intp]:
    """The places of the greatest of each block; of what is left at the end, none."""
    size = len(bounds) // min(blocks, len(bounds))
    whole = bounds[: len(bounds) // size * size].reshape(-1, size)
    return whole.argmax(axis=1) + np.arange(len(whole)) * size
