"""The index of words: for each group of documents the ids and lengths of them, and for each word those that have it.

A group is an observation type of a memory, or a whole notebook. All lists are in the order of ids, and so the documents
of a version come before those of the next. They are kept in segments of so many documents: what a version adds is
written to the last one, and costs the same however many there are.
"""

import re
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from quintet.memory.reader import MemoryReader

SEGMENT: Final = 1_024
"""Documents of a segment."""

_ADD_DOCUMENTS = """
INSERT INTO documents VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
SET ids = CAST(ids || excluded.ids AS BLOB), lengths = CAST(lengths || excluded.lengths AS BLOB)
"""
_ADD_POSTINGS = """
INSERT INTO postings VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
SET places = CAST(places || excluded.places AS BLOB), times = CAST(times || excluded.times AS BLOB)
"""
_LAST = "SELECT segment, length(ids) / 8 FROM documents WHERE type = ? ORDER BY segment DESC LIMIT 1"

_WORD = re.compile(r"\w+")
_MOST = 2**16 - 1
"""A document's words, and a word's times, are counted up to this."""

_Numbers: TypeAlias = "array[int]"


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.lower())


def index_documents(reader: MemoryReader, group: int, documents: Iterable[tuple[int, str]]) -> None:
    """Add documents, by id and text, to a group: those of a version together, after those of the version before."""
    last = next(reader.rows(_LAST, (group,)), (0, 0))
    numbered = enumerate(documents, int(last[0]) * SEGMENT + int(last[1]))
    for segment, some in groupby(numbered, key=lambda each: each[0] // SEGMENT):
        _index_segment(reader, group, segment, [(place, *document) for place, document in some])


def _index_segment(reader: MemoryReader, group: int, segment: int, documents: Sequence[tuple[int, int, str]]) -> None:
    ids, lengths = array("q"), array("H")
    places: defaultdict[str, _Numbers] = defaultdict(lambda: array("I"))
    times: defaultdict[str, _Numbers] = defaultdict(lambda: array("H"))
    for place, identifier, text in documents:
        words = words_of(text)
        for word, often in Counter(words).items():
            places[word].append(place)
            times[word].append(min(often, _MOST))
        ids.append(identifier)
        lengths.append(min(len(words), _MOST))
    write = reader.connection
    write.execute(_ADD_DOCUMENTS, (group, segment, _packed(ids), _packed(lengths)))
    write.executemany(
        _ADD_POSTINGS,
        ((group, word, segment, _packed(places[word]), _packed(times[word])) for word in sorted(places)),
    )


def _packed(numbers: _Numbers) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def ranked(reader: MemoryReader, group: int, before: int, query: str) -> Iterator[tuple[float, int]]:
    """The documents of a group whose ids are below `before`, each as its score, at least 0, and its id.

    The best for a query is the first; of equals the newest is.

    Raises:
        UsageError: the index is damaged; in the writer's reader a `StoreFault`.
    """
    from quintet.memory.bm25 import bm25_scores  # numpy costs a tenth of a second, and most runs search no words

    try:
        return bm25_scores(reader, group, before, set(words_of(query)))
    except (TypeError, ValueError, IndexError) as error:
        raise reader.fault(ValueError(f"a damaged index of words: {error}")) from error
