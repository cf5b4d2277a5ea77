"""BM25 within a group of documents, exact for a version, whatever was added since. Reads only the words of its query.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with k1 = 1.2 and
b = 0.75. Differs: the weight of a word is Lucene's log(1 + ...), which is above 0 also if most documents have it, since
groups may have few documents; where they are many, words that most have are passed over, as if their weight was 0.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quintet.memory.reader import MemoryReader

K1: Final = 1.2
B: Final = 0.75

MANY: Final = 100
"""Documents of a group from which on words that more than half of them have are passed over."""

_FIRST = 64
"""Documents that are sorted at first: more than is recalled at a time. All are sorted only if more are asked for."""

_DOCUMENTS = "SELECT ids, lengths FROM documents WHERE type = ? ORDER BY segment"
_POSTINGS = "SELECT places, times FROM postings WHERE type = ? AND word = ? ORDER BY segment"


def bm25_scores(reader: MemoryReader, group: int, before: int, words: Iterable[str]) -> Iterator[tuple[float, int]]:
    """The documents whose ids are below `before`: score and id, the best first; of equals the newest is.

    Raises:
        TypeError, ValueError, IndexError: the index is damaged.
    """
    all_ids, all_lengths = _columns(reader, _DOCUMENTS, (group,), "<i8", "<u2")
    count = int(np.searchsorted(all_ids, before))
    ids, lengths = all_ids[:count], all_lengths[:count]
    scores = np.zeros(count)
    average = int(lengths.sum(dtype=np.int64)) / max(count, 1) or 1.0
    norms = K1 * (1 - B + B * lengths / average)
    for word in sorted(words):
        places, times = _columns(reader, _POSTINGS, (group, word), "<u4", "<u2")
        found = int(np.searchsorted(places, count))
        if found and (count < MANY or 2 * found <= count):
            weight = math.log(1 + (count - found + 0.5) / (found + 0.5)) * (K1 + 1)
            often = times[:found].astype(np.float64)
            scores[places[:found]] += weight * often / (often + norms[places[:found]])
    return ((float(scores[place]), int(ids[place])) for place in _best_first(scores))


def _columns(
    reader: MemoryReader, query: str, values: tuple[object, ...], *types: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two columns of packed numbers, whose rows are segments."""
    rows = list(reader.rows(query, values))
    first, second = (
        np.frombuffer(b"".join(row[number] for row in rows), dtype=kind) for number, kind in enumerate(types)
    )
    if len(first) != len(second):
        raise ValueError(f"expected {len(first):,} numbers, got {len(second):,}")
    return first, second


def _best_first(scores: NDArray[np.float64]) -> Iterator[int]:
    """Places by score, the best first, and of equals the last first."""
    last = len(scores) - 1
    newest_first = scores[::-1]
    taken = 0
    if len(scores) > _FIRST:
        limit = np.partition(newest_first, -_FIRST)[-_FIRST]
        above = np.flatnonzero(newest_first > limit)
        yield from (last - int(each) for each in above[np.argsort(-newest_first[above], kind="stable")])
        taken = len(above)
    yield from (last - int(each) for each in np.argsort(-newest_first, kind="stable")[taken:])
