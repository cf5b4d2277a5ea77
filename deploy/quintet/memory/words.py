"""BM25 within a type, over packed postings: exact for a version, whatever was added since.

Every sealed version has, for each type, the ids and lengths of its documents, and for each word of them the documents
that have it. So words are kept apart by type, and a look-up reads only the words of its query.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with k1 = 1.2 and
b = 0.75. Differs: the weight of a word is Lucene's log(1 + ...), which is above 0 also if most documents have it, since
types may have few tuples.
"""

import math
import re
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from quintet.memory.reader import MemoryReader

K1: Final = 1.2
B: Final = 0.75

_DOCUMENTS = "SELECT version, ids, lengths FROM documents WHERE type = ? AND version <= ? ORDER BY version"
_POSTINGS = """
SELECT version, places, times FROM postings WHERE type = ? AND word = ? AND version <= ? ORDER BY version
"""

_WORD = re.compile(r"\w+")
_MOST = 2**16 - 1
"""A document's words, and a word's times, are counted up to this."""

Row: TypeAlias = tuple[object, ...]


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.lower())


class TypeDocuments:
    """Collects what a version adds to an observation type.

    Args:
        type_id: its row.
        version: that is sealed.
    """

    def __init__(self, type_id: int, version: int) -> None:
        self._key = type_id, version
        self._ids = array("q")
        self._lengths = array("H")
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._times: defaultdict[str, array[int]] = defaultdict(lambda: array("H"))

    def add(self, identifier: int, text: str) -> None:
        """Add a document; those of a type in the order of their ids."""
        words = words_of(text)
        for word, times in Counter(words).items():
            self._places[word].append(len(self._ids))
            self._times[word].append(min(times, _MOST))
        self._ids.append(identifier)
        self._lengths.append(min(len(words), _MOST))

    def document_row(self) -> Row:
        """Its row of the table `documents`."""
        return (*self._key, _packed(self._ids), _packed(self._lengths))

    def posting_rows(self) -> Iterator[Row]:
        """Its rows of the table `postings`, ordered by word."""
        type_id, version = self._key
        for word in sorted(self._places):
            yield type_id, word, version, _packed(self._places[word]), _packed(self._times[word])


def ranked(reader: MemoryReader, type_id: int, version: int, query: str) -> list[tuple[float, int]]:
    """All tuples of a type up to a version, each as its score, at least 0, and its id.

    The best for a query is the first; of equals the newest is.
    """
    ids, lengths, starts = array("q"), array("H"), dict[int, int]()
    for number, own, long in reader.rows(_DOCUMENTS, (type_id, version)):
        starts[number] = len(ids)
        ids.frombytes(_native(own, 8))
        lengths.frombytes(_native(long, 2))
    scores = [0.0] * len(ids)
    if ids:
        average = sum(lengths) / len(lengths) or 1.0
        norms = [K1 * (1 - B + B * length / average) for length in lengths]
        for word in sorted(set(words_of(query))):
            _add_scores(scores, norms, list(_postings(reader, type_id, version, word, starts)))
    return sorted(zip(scores, ids, strict=True), reverse=True)


def _add_scores(scores: list[float], norms: list[float], postings: list[tuple["array[int]", "array[int]"]]) -> None:
    found = sum(len(places) for places, _ in postings)
    rarity = math.log(1 + (len(scores) - found + 0.5) / (found + 0.5))
    for places, times in postings:
        for place, often in zip(places, times, strict=True):
            scores[place] += rarity * often * (K1 + 1) / (often + norms[place])


def _postings(
    reader: MemoryReader, type_id: int, version: int, word: str, starts: dict[int, int]
) -> Iterable[tuple["array[int]", "array[int]"]]:
    """Of a word, by version: the places among all documents of the type, and how often each has it."""
    for number, own, often in reader.rows(_POSTINGS, (type_id, word, version)):
        places, times = array("I"), array("H")
        places.frombytes(_native(own, 4))
        times.frombytes(_native(often, 2))
        start = starts[number]
        yield (array("I", [start + place for place in places]) if start else places), times


def _packed(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def _native(packed: bytes, size: int) -> bytes:
    if sys.byteorder == "little":
        return packed
    return b"".join(packed[at : at + size][::-1] for at in range(0, len(packed), size))
