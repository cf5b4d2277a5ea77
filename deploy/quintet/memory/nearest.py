"""Finds the nearest of many vectors, exactly, with a coarse pass over all of them and a second over few."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quintet.memory.number_column import NumberColumn

VectorRows: TypeAlias = NDArray[np.float32]
"""[vectors, dimensions]"""

_BLOCKS = 128
"""Parts of the coarse table whose best vectors give a first limit, at least."""
_SLACK = 1e-5
"""Added to bounds, for sums of 32-bit numbers."""

FetchVectors = Callable[[Sequence[int]], VectorRows]
"""The vectors of ids, which are ascending."""


def vector_rows(vectors: Sequence[bytes]) -> VectorRows:
    """Vectors of equally many numbers, as a table."""
    numbers = np.frombuffer(b"".join(vectors), dtype="<f4").astype(np.float32, copy=False)
    return numbers.reshape(len(vectors), -1) if vectors else numbers.reshape(0, 0)


class NearestIndex:
    """Vectors of length one by id, to be searched by cosine. Holds a coarse table; the vectors stay where they are.

    The axes of the coarse table are those along which a sample varies most (principal components, not centred). Its
    last column is the length of what a vector has beside these axes, so the product of two of its rows is an upper
    bound of the cosine (Cauchy and Schwarz). The vectors whose bound reaches the worst of the best found so far are
    fetched and compared in full: the result is exact, and only the time depends on the vectors.

    Args:
        sample: [vectors, dimensions], of those to come.
        fetch: reads vectors.
        columns: of the coarse table, at least 1: 4 bytes each of a vector. More than there are dimensions are not used.
    """

    def __init__(self, sample: VectorRows, fetch: FetchVectors, *, columns: int) -> None:
        self._fetch = fetch
        self._axes = _principal_axes(sample, columns - 1)
        self._ids = NumberColumn(np.int64)
        self._coarse = NumberColumn(np.float32, self._axes.shape[1] + 1)

    def __len__(self) -> int:
        return len(self._ids)

    def count(self, before: int) -> int:
        """How many ids are below this one."""
        return int(np.searchsorted(self._ids.values, before))

    def extend(self, parts: Iterable[tuple[Sequence[int], VectorRows]]) -> None:
        """Add vectors, part by part: ids, ascending and higher than those before, and rows: [ids, dimensions]."""
        for some, rows in parts:
            self._coarse.put(len(self), _with_rest(rows @ self._axes).T)
            self._ids.put(len(self), np.asarray(some, np.int64))

    def nearest(self, vector: NDArray[np.float32], count: int, *, before: int) -> list[tuple[float, int]]:
        """The nearest vectors as cosines, to six decimals, and ids; of equally near ones the lower id first.

        Args:
            vector: to be near to, of length one.
            count: how many, at least 1; fewer if there are fewer.
            before: only ids below this one.
        """
        size = self.count(before)
        if count >= size:
            return self._best(np.arange(size), vector, count)
        bounds = _with_rest(vector[None, :] @ self._axes)[0] @ self._coarse.values[:, :size] + np.float32(_SLACK)
        first = block_maxima(bounds, max(_BLOCKS, 2 * count))
        found = np.sort(self._cosines(first, vector))
        limit = found[-count] if len(found) >= count else -1.0
        return self._best(np.flatnonzero(bounds >= limit), vector, count)

    def _best(self, places: NDArray[np.intp], vector: NDArray[np.float32], count: int) -> list[tuple[float, int]]:
        cosines = np.round(self._cosines(places, vector), 6)
        order = np.lexsort((places, -cosines))[:count]
        return [(float(cosines[each]), int(self._ids.values[places[each]])) for each in order]

    def _cosines(self, places: NDArray[np.intp], vector: NDArray[np.float32]) -> NDArray[np.float64]:
        rows = self._fetch([int(each) for each in self._ids.values[places]])
        # Added up row by row: the same vector has the same cosine, whichever others it is compared with.
        cosines: NDArray[np.float64] = np.sum(rows.astype(np.float64) * vector, axis=1)
        return cosines


def _principal_axes(rows: VectorRows, most: int) -> VectorRows:
    """[dimensions, at most so many]: the axes along which rows are longest; if all are taken, the numbers' own."""
    if most >= rows.shape[1]:
        return np.eye(rows.shape[1], dtype=np.float32)
    exact = rows.astype(np.float64)
    _, axes = np.linalg.eigh(exact.T @ exact)
    return np.ascontiguousarray(axes[:, ::-1][:, :most], dtype=np.float32)


def _with_rest(projected: VectorRows) -> VectorRows:
    """VectorRows with the length of what they lack of length one as their last column."""
    squares = np.sum(projected.astype(np.float64) ** 2, axis=1)
    rest = np.sqrt(np.maximum(0.0, 1.0 - squares)).astype(np.float32)
    return np.column_stack((projected, rest))


def block_maxima(bounds: NDArray[np.floating[Any]], blocks: int) -> NDArray[np.intp]:
    """The places of the greatest of each block; of what is left at the end, none."""
    size = len(bounds) // min(blocks, len(bounds))
    whole = bounds[: len(bounds) // size * size].reshape(-1, size)
    places: NDArray[np.intp] = whole.argmax(axis=1) + np.arange(len(whole)) * size
    return places
