"""BM25 within a type, over packed postings: exact for a version, whatever was added since.

For each type there are the ids and lengths of its documents, and for each word of them the documents that have it. All
are in the order of ids, and so the documents of a version come before those of the next. A look-up reads only the words
of its query.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with k1 = 1.2 and
b = 0.75. Differs: the weight of a word is Lucene's log(1 + ...), which is above 0 also if most documents have it, since
types may have few tuples; where they are many, words that most have are passed over, as if their weight was 0.
"""

import math
import re
import sys
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, TypeAlias

from quintet.memory.ids import ids_of_version
from quintet.memory.reader import MemoryReader

K1: Final = 1.2
B: Final = 0.75

MANY: Final = 100
"""Documents of a type from which on words that more than half of them have are passed over."""

_TO_INDEX = """
SELECT type, tuples.id, goals.text, observations.text FROM tuples
JOIN texts AS goals ON goals.id = goal JOIN texts AS observations ON observations.id = observation
WHERE tuples.id BETWEEN ? AND ? ORDER BY type, tuples.id
"""
_ADD_DOCUMENTS = """
INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT DO UPDATE
SET ids = CAST(ids || excluded.ids AS BLOB), lengths = CAST(lengths || excluded.lengths AS BLOB)
"""
_ADD_POSTINGS = """
INSERT INTO postings VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
SET places = CAST(places || excluded.places AS BLOB), times = CAST(times || excluded.times AS BLOB)
"""
_COUNT = "SELECT coalesce(length(ids), 0) / 8 FROM documents WHERE type = ?"
_DOCUMENTS = "SELECT ids, lengths FROM documents WHERE type = ?"
_POSTINGS = "SELECT places, times FROM postings WHERE type = ? AND word = ?"

_WORD = re.compile(r"\w+")
_MOST = 2**16 - 1
"""A document's words, and a word's times, are counted up to this."""

_Numbers: TypeAlias = "array[int]"


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.lower())


def index_words(reader: MemoryReader, ids: range) -> None:
    """Index the goals and observations of tuples; those of a version together, after those of the version before."""
    rows = reader.rows(_TO_INDEX, (ids.start, ids.stop - 1))
    for type_id, each in groupby(rows, key=lambda row: int(row[0])):
        place = next((int(count) for (count,) in reader.rows(_COUNT, (type_id,))), 0)
        _index_type(reader, type_id, place, ((identifier, f"{goal} {seen}") for _, identifier, goal, seen in each))


def _index_type(reader: MemoryReader, type_id: int, place: int, documents: Iterable[tuple[int, str]]) -> None:
    ids, lengths = array("q"), array("H")
    places: defaultdict[str, _Numbers] = defaultdict(lambda: array("I"))
    times: defaultdict[str, _Numbers] = defaultdict(lambda: array("H"))
    for at, (identifier, text) in enumerate(documents, place):
        words = words_of(text)
        for word, often in Counter(words).items():
            places[word].append(at)
            times[word].append(min(often, _MOST))
        ids.append(identifier)
        lengths.append(min(len(words), _MOST))
    write = reader.connection
    write.execute(_ADD_DOCUMENTS, (type_id, _packed(ids), _packed(lengths)))
    write.executemany(
        _ADD_POSTINGS, ((type_id, word, _packed(places[word]), _packed(times[word])) for word in sorted(places))
    )


def ranked(reader: MemoryReader, type_id: int, version: int, query: str) -> list[tuple[float, int]]:
    """All tuples of a type up to a version, each as its score, at least 0, and its id.

    The best for a query is the first; of equals the newest is.

    Raises:
        UsageError: the index is damaged; in the writer's reader a `StoreFault`.
    """
    try:
        return _ranked(reader, type_id, version, query)
    except (TypeError, ValueError, IndexError) as error:
        raise reader.fault(ValueError(f"a damaged index of words: {error}")) from error


def _ranked(reader: MemoryReader, type_id: int, version: int, query: str) -> list[tuple[float, int]]:
    for packed_ids, packed_lengths in reader.rows(_DOCUMENTS, (type_id,)):
        ids = _unpacked("q", packed_ids)
        count = bisect_left(ids, ids_of_version(version).stop)
        lengths = _unpacked("H", packed_lengths)[:count]
        scores = [0.0] * count
        average = sum(lengths) / max(count, 1) or 1.0
        norms = [K1 * (1 - B + B * length / average) for length in range(max(lengths, default=0) + 1)]
        for word in sorted(set(words_of(query))):
            for places, times in _postings(reader, type_id, word, count):
                weight = math.log(1 + (count - len(places) + 0.5) / (len(places) + 0.5)) * (K1 + 1)
                for place, often in zip(places, times, strict=True):
                    scores[place] += weight * often / (often + norms[lengths[place]])
        return [(scores[place], ids[place]) for place in sorted(range(count), key=scores.__getitem__)[::-1]]
    return []


def _postings(reader: MemoryReader, type_id: int, word: str, count: int) -> Iterator[tuple[_Numbers, _Numbers]]:
    """Of a word, the places among so many documents of the type, and how often each has it."""
    for packed_places, packed_times in reader.rows(_POSTINGS, (type_id, word)):
        places = _unpacked("I", packed_places)
        found = bisect_left(places, count)
        if count < MANY or 2 * found <= count:
            yield places[:found], _unpacked("H", packed_times)[:found]


def _packed(numbers: _Numbers) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def _unpacked(kind: str, packed: bytes) -> _Numbers:
    numbers: _Numbers = array(kind, packed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
