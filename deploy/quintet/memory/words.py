"""The index of words: for each group of documents the ids and lengths of them, and for each word those that have it.

A group is an observation type of a memory, or a whole notebook. All lists are in the order of ids, and so the documents
of a version come before those of the next. They are kept in segments of so many documents: what a version adds is
written to the last one, and costs the same however many there are.
"""

import re
import sqlite3
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

from quintet.memory.vectors import Select

if TYPE_CHECKING:  # numpy costs a tenth of a second, and most runs search no words
    from quintet.memory.bm25 import WordIndex

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


class MemoryWords:
    """The words of a memory or a notebook. Holds the index of the group that was searched last."""

    def __init__(self, connection: sqlite3.Connection, select: Select, fault: Callable[[Exception], Exception]) -> None:
        self._connection = connection
        self._select = select
        self._fault = fault
        self._held: WordIndex | None = None

    def add(self, group: int, documents: Iterable[tuple[int, str]]) -> None:
        """Add documents, by id and text, to a group: those of a version together, after those of the version before."""
        last = next(self._select(_LAST, (group,)), (0, 0))
        numbered = enumerate(documents, int(last[0]) * SEGMENT + int(last[1]))
        for segment, some in groupby(numbered, key=lambda each: each[0] // SEGMENT):
            self._add_segment(group, segment, [(place, *document) for place, document in some])

    def _add_segment(self, group: int, segment: int, documents: Sequence[tuple[int, int, str]]) -> None:
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
        self._connection.execute(_ADD_DOCUMENTS, (group, segment, _packed(ids), _packed(lengths)))
        self._connection.executemany(
            _ADD_POSTINGS,
            ((group, word, segment, _packed(places[word]), _packed(times[word])) for word in sorted(places)),
        )

    def ranked(self, group: int, before: int, query: str) -> Iterator[tuple[float, int]]:
        """The documents of a group whose ids are below `before`, each as its score, at least 0, and its id.

        The best for a query is the first; of equals the newest is.

        Raises:
            UsageError: the index is damaged; in the writer's reader a `StoreFault`.
        """
        from quintet.memory.bm25 import WordIndex

        held, self._held = self._held, None
        if held is None or held.group != group:
            held = WordIndex(self._select, group, SEGMENT)
        try:
            found = held.scores(before, set(words_of(query)))
        except (TypeError, ValueError, IndexError) as error:
            raise self._fault(ValueError(f"a damaged index of words: {error}")) from error
        self._held = held
        return found


def _packed(numbers: _Numbers) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
