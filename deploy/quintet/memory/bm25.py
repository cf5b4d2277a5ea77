"""BM25 within a group of documents, exact for a version, whatever was added since.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with k1 = 1.2 and
b = 0.75. Differs: the weight of a word is Lucene's log(1 + ...), which is above 0 also if most documents have it, since
groups may have few documents; where they are many, words that most have are passed over, as if their weight was 0.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quintet.memory.nearest import block_maxima
from quintet.memory.number_column import NumberColumn

K1: Final = 1.2
B: Final = 0.75

MANY: Final = 100
"""Documents of a group from which on words that more than half of them have are passed over."""

_FIRST = 64
"""Documents that are sorted at first: more than is recalled at a time. All are sorted only if more are asked for."""

_DOCUMENTS = "SELECT ids, lengths FROM documents WHERE type = ? AND segment >= ? ORDER BY segment"
_POSTINGS = "SELECT places, times FROM postings WHERE type = ? AND word = ? AND segment >= ? ORDER BY segment"


@dataclass
class _Postings:
    places: NumberColumn = field(default_factory=lambda: NumberColumn(np.uint32))
    times: NumberColumn = field(default_factory=lambda: NumberColumn(np.uint16))
    documents: int = 0
    """Of the group when it was read."""


class WordIndex:
    """A group of documents in memory, and of its words those that were asked for: at most what the file has.

    Args:
        select: reads rows of the memory.
        group: see `quintet.memory.words`.
        segment: documents of a segment.
    """

    def __init__(
        self, select: Callable[[str, Sequence[object]], Iterable[tuple[Any, ...]]], group: int, segment: int
    ) -> None:
        self.group = group
        self._select = select
        self._segment = segment
        self._ids, self._lengths = NumberColumn(np.int64), NumberColumn(np.uint16)
        self._before = 0
        self._norms: NDArray[np.float64] = np.empty(0)
        self._postings: dict[str, _Postings] = {}

    def scores(self, before: int, words: Iterable[str]) -> Iterator[tuple[float, int]]:
        """The documents whose ids are below `before`: score and id, the best first; of equals the newest is.

        Raises:
            TypeError, ValueError, IndexError: the index is damaged.
        """
        if self._before < before:
            self._before, first = before, len(self._ids) // self._segment
            self._read(_DOCUMENTS, (self.group,), (self._ids, self._lengths), first, first * self._segment)
        ids = self._ids.values
        count = int(np.searchsorted(ids, before))
        if len(self._norms) != count:
            lengths = self._lengths.values[:count]
            average = int(lengths.sum(dtype=np.int64)) / max(count, 1) or 1.0
            self._norms = K1 * (1 - B + B * lengths / average)
        scores = np.zeros(count)
        for word in sorted(words):
            places, times = self._of_word(word)
            found = int(np.searchsorted(places, np.uint32(count)))
            if found and (count < MANY or 2 * found <= count):
                weight = math.log(1 + (count - found + 0.5) / (found + 0.5)) * (K1 + 1)
                often, having = times[:found].astype(np.float64), places[:found].astype(np.intp)
                scores[having] += weight * often / (often + self._norms[having])
        return ((float(scores[place]), int(ids[place])) for place in best_first(scores))

    def _of_word(self, word: str) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        held = self._postings.get(word) or _Postings()
        if held.documents < len(self._ids):
            first = held.documents // self._segment
            kept = int(np.searchsorted(held.places.values, np.uint32(first * self._segment)))
            self._read(_POSTINGS, (self.group, word), (held.places, held.times), first, kept)
            held.documents = len(self._ids)
            if len(held.places):
                self._postings[word] = held
        return held.places.values, held.times.values

    def _read(
        self, query: str, values: Sequence[object], columns: tuple[NumberColumn, NumberColumn], first: int, kept: int
    ) -> None:
        """Have two columns of packed numbers as they are from a segment on, after those that are kept."""
        rows = list(self._select(query, (*values, first)))
        if not rows:
            return
        read = [
            np.frombuffer(b"".join(row[number] for row in rows), dtype=column.values.dtype.newbyteorder("<"))
            for number, column in enumerate(columns)
        ]
        if len(read[0]) != len(read[1]):
            raise ValueError(f"expected {len(read[0]):,} numbers, got {len(read[1]):,}")
        for column, numbers in zip(columns, read, strict=True):
            column.put(kept, numbers)


def best_first(scores: NDArray[np.float64]) -> Iterator[int]:
    """Places by score, the best first, and of equals the last first."""
    last = len(scores) - 1
    newest_first = scores[::-1]
    taken = 0
    if len(scores) > _FIRST:
        limit = np.sort(scores[block_maxima(scores, 2 * _FIRST)])[-_FIRST]
        above = np.flatnonzero(newest_first > limit)
        yield from (last - int(each) for each in above[np.argsort(-newest_first[above], kind="stable")])
        taken = len(above)
    yield from (last - int(each) for each in np.argsort(-newest_first, kind="stable")[taken:])
