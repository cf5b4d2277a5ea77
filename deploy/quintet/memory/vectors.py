"""The vectors of tuples or of notes: written with them or made later, and searched by nearness."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintet.errors import UsageError
from quintet.messages.notes import Note
from quintet.ports.embedder import state_text

if TYPE_CHECKING:  # numpy costs a tenth of a second, and most runs have no vectors
    from quintet.memory.nearest import NearestIndex, VectorRows

_INSERT = "INSERT INTO vectors VALUES (?, ?)"
_OF_BATCH = """
SELECT tuples.id FROM types JOIN tuples ON tuples.type = types.id JOIN vectors ON vectors.id = tuples.id
WHERE batch = ? AND tuples.id >= ? AND tuples.id < ? ORDER BY tuples.id
"""
_TUPLES = """
SELECT coalesce(sum(tuples), 0) FROM counts JOIN types ON types.id = counts.type
WHERE batch = ? AND counts.version <= ?
"""
_OF_NOTEBOOK = "SELECT id FROM vectors WHERE id >= ? AND id < ? ORDER BY id"
_CONTENTS = "SELECT count(*) FROM changes WHERE text IS NOT NULL AND id >= ? AND id < ?"
_SOME = "SELECT vector FROM vectors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_MISSING = """
SELECT tuples.id, goals.text, observations.text FROM tuples LEFT JOIN vectors ON vectors.id = tuples.id
JOIN texts AS goals ON goals.id = goal JOIN texts AS observations ON observations.id = observation
WHERE vectors.id IS NULL ORDER BY tuples.id
"""
_MISSING_NOTES = """
SELECT changes.id, title, description, text, about FROM changes LEFT JOIN vectors ON vectors.id = changes.id
WHERE text IS NOT NULL AND vectors.id IS NULL ORDER BY changes.id
"""
_FIRST = 64
"""Vectors that are looked for at first: more than a budget of a few kilobytes takes."""
_NUMBER = 4
"""Bytes of a number."""
_COLUMNS = 64
"""Of the coarse table of a batch memory, which may have a million tuples: 256 bytes each, whatever their dimensions."""
_SAMPLE = 16_384
"""Vectors from which the axes of an index are chosen."""
_OUTGROWN = 4
"""An index with so many times the vectors that it was built for is built anew."""
_AT_ONCE = 16_384
"""Vectors that are read at a time."""

Select = Callable[[str, Sequence[Any]], Iterator[tuple[Any, ...]]]
"""Reads rows of the memory."""


@dataclass
class _GroupIndex:
    index: "NearestIndex"
    built_for: int
    """Vectors that the group had then."""
    before: int = 0
    """All vectors below this id are in it."""


class MemoryVectors:
    """The vectors of a memory or a notebook. All are of one embedder, whose name it has.

    A group is a batch memory, by number; 0 is the notebook. A search reads the vectors of its group once, and from then
    on those of new versions.
    """

    def __init__(self, connection: sqlite3.Connection, select: Select, file: Path | str) -> None:
        self._connection = connection
        self._select = select
        self._file = file
        self._indexes: dict[int, _GroupIndex] = {}
        self._expected: dict[tuple[int, int], int] = {}
        self._contents = 0, 0
        """Of notes: how many are below an id."""

    @property
    def embedder(self) -> str:
        """Whose they are; empty: there are none."""
        return next((str(name) for (name,) in self._select("SELECT embedder FROM about", ())), "")

    @property
    def size(self) -> int:
        """Bytes of a vector; 0: there is none."""
        return next(
            (int(size) for (size,) in self._select("SELECT coalesce(length(vector), 0) FROM vectors LIMIT 1", ())), 0
        )

    def of(self, ids: range) -> dict[int, bytes]:
        """Vectors by the id of their tuple or content; only of those that have one."""
        query = "SELECT id, vector FROM vectors WHERE id BETWEEN ? AND ? ORDER BY id"
        return dict(self._select(query, (ids.start, ids.stop - 1)))

    def insert(self, identifier: int, vector: bytes, embedder: str) -> None:
        """Add a vector, in the writer's transaction; a `ValueError` if the others are of another embedder or size."""
        if not embedder:
            raise ValueError(f"memory: expected the name of the vectors' embedder, got none ({self._file})")
        if not self.size:
            self._connection.execute("UPDATE about SET embedder = ?", (embedder,))
        elif (self.embedder, self.size) != (embedder, len(vector)):
            raise ValueError(f"memory: expected {self._described()}, got {_described(embedder, vector)} ({self._file})")
        self._connection.execute(_INSERT, (identifier, vector))

    def drop(self) -> None:
        """Delete all, in the writer's transaction, so that those of another embedder can be added."""
        self._connection.execute("DELETE FROM vectors")
        self._connection.execute("UPDATE about SET embedder = ''")
        self._indexes.clear()

    def missing(self) -> Iterator[tuple[int, str]]:
        """Tuples and contents of notes without a vector: the id, and the text to embed."""
        for identifier, goal, observation in self._select(_MISSING, ()):
            yield identifier, state_text(goal, observation)
        for identifier, title, description, text, about in self._select(_MISSING_NOTES, ()):
            yield identifier, Note(title=title, description=description, text=text, about=about).found_by

    def in_order(
        self, group: int, version: int, before: int, vector: bytes, embedder: str
    ) -> Iterator[tuple[float, int]]:
        """A group as it was in a sealed version, whose ids are below `before`: cosines and ids, nearest first.

        Raises:
            UsageError: there are no vectors of this embedder, or not of everything.
        """
        nearest, count, taken = self._nearest(group, version, before, vector, embedder), _FIRST, 0
        while True:
            found = nearest(count)
            yield from found[taken:]
            if len(found) < count:
                return
            count, taken = 4 * count, count

    def _nearest(
        self, group: int, version: int, before: int, vector: bytes, embedder: str
    ) -> Callable[[int], list[tuple[float, int]]]:
        """A function of a count, which returns so many, nearest first, or all that there are."""
        expected = self._count(group, version, before)
        if not expected:
            return lambda _: []
        if (self.embedder, self.size) != (embedder, len(vector)):
            raise UsageError(
                f"retrieval embedding: expected {self._described()}, got {_described(embedder, vector)} ({self._file})"
            )
        index = self._index(group, before)
        if (there := index.count(before)) < expected:
            where = f" in batch {group}" if group else ""
            raise UsageError(
                f"retrieval embedding: expected a memory with vectors of all {'tuples' if group else 'notes'}, got "
                f"{there:,} of {expected:,}{where} ({self._file})"
            )
        from quintet.memory.nearest import vector_rows

        [wanted] = vector_rows([vector])
        return lambda count: index.nearest(wanted, count, before=before)

    def _count(self, group: int, version: int, before: int) -> int:
        """How many vectors a group needs in a sealed version."""
        if (group, version) not in self._expected:
            if group:
                ((self._expected[group, version],),) = self._select(_TUPLES, (group, version))
            else:
                self._expected[group, version] = self._count_contents(before)
        return self._expected[group, version]

    def _count_contents(self, before: int) -> int:
        """How many there are below an id: those that a version added are counted, not all of them again."""
        first, known = self._contents if self._contents[0] <= before else (0, 0)
        ((added,),) = self._select(_CONTENTS, (first, before))
        self._contents = before, known + int(added)
        return self._contents[1]

    def _described(self) -> str:
        if not self.size:
            return "a memory with vectors"
        return f"a vector of {self.embedder} ({self.size // _NUMBER:,} numbers)"

    def _index(self, group: int, before: int) -> "NearestIndex":
        """The index of a group, with all vectors below an id, and perhaps more."""
        from quintet.memory.nearest import NearestIndex

        held = self._indexes.get(group)
        if held is None or not held.built_for or len(held.index) > _OUTGROWN * held.built_for:
            ids = self._of_group(group, 0, before)
            # A notebook's is not coarse: notes are few beside tuples, and too different for bounds to exclude many.
            columns = _COLUMNS if group else self.size // _NUMBER + 1
            index = NearestIndex(self._some(ids[:: len(ids) // _SAMPLE + 1]), self._some, columns=columns)
            held = self._indexes[group] = _GroupIndex(index, len(ids))
        if held.before < before:
            new = self._of_group(group, held.before, before)
            parts = (new[start : start + _AT_ONCE] for start in range(0, len(new), _AT_ONCE))
            held.index.extend((part, self._some(part)) for part in parts)
            held.before = before
        return held.index

    def _of_group(self, group: int, first: int, before: int) -> list[int]:
        query, values = (_OF_BATCH, (group, first, before)) if group else (_OF_NOTEBOOK, (first, before))
        return [identifier for (identifier,) in self._select(query, values)]

    def _some(self, ids: Sequence[int]) -> "VectorRows":
        from quintet.memory.nearest import vector_rows

        vectors = [vector for (vector,) in self._select(_SOME, (json.dumps(ids),))]
        try:
            return vector_rows(vectors)
        except (TypeError, ValueError) as error:
            expected = f"expected vectors of {self.size // _NUMBER:,} numbers"
            raise UsageError(f"retrieval embedding: {expected}, got damaged ones: {error} ({self._file})") from error


def _described(embedder: str, vector: bytes) -> str:
    return f"one of {embedder or 'no embedder'} ({len(vector) // _NUMBER:,} numbers)"
