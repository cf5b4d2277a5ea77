"""The vectors of a memory's tuples: written with the tuples or made later, and searched by nearness."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quintet.errors import UsageError

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
_SOME = "SELECT vector FROM vectors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_MISSING = """
SELECT tuples.id, goals.text, observations.text FROM tuples LEFT JOIN vectors ON vectors.id = tuples.id
JOIN texts AS goals ON goals.id = goal JOIN texts AS observations ON observations.id = observation
WHERE vectors.id IS NULL ORDER BY tuples.id
"""
_NUMBER = 4
"""Bytes of a number."""
_SAMPLE = 16_384
"""Vectors from which the axes of an index are chosen."""
_OUTGROWN = 4
"""An index with so many times the vectors that it was built for is built anew."""
_AT_ONCE = 16_384
"""Vectors that are read at a time."""

Select = Callable[[str, Sequence[Any]], Iterator[tuple[Any, ...]]]
"""Reads rows of the memory."""


@dataclass
class _BatchIndex:
    index: "NearestIndex"
    built_for: int
    """Vectors that the batch memory had then."""
    before: int = 0
    """All vectors below this id are in it."""


class MemoryVectors:
    """The vectors of a memory. All are of one embedder, whose name the memory has.

    A search reads the vectors of a batch memory once, and from then on those of new versions.
    """

    def __init__(self, connection: sqlite3.Connection, select: Select, file: Path | str) -> None:
        self._connection = connection
        self._select = select
        self._file = file
        self._indexes: dict[int, _BatchIndex] = {}

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
        """Vectors by the id of their tuple; only of those that have one."""
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

    def missing(self) -> Iterator[tuple[int, str, str]]:
        """Tuples without a vector: id, goal and observation."""
        yield from self._select(_MISSING, ())

    def nearest(
        self, batch: int, version: int, before: int, vector: bytes, embedder: str
    ) -> Callable[[int], list[int]]:
        """Search a batch memory as it was in a sealed version, whose ids are below `before`.

        Returns:
            A function of a count, which returns the ids of so many tuples, nearest first, or of all that there are.

        Raises:
            UsageError: the memory has no vectors of this embedder, or not of all its tuples.
        """
        ((tuples,),) = self._select(_TUPLES, (batch, version))
        if not tuples:
            return lambda _: []
        if (self.embedder, self.size) != (embedder, len(vector)):
            raise UsageError(
                f"retrieval embedding: expected {self._described()}, got {_described(embedder, vector)} ({self._file})"
            )
        index = self._index(batch, before)
        if (there := index.count(before)) < tuples:
            raise UsageError(
                f"retrieval embedding: expected a memory with vectors of all tuples, got {there:,} of {tuples:,} in "
                f"batch {batch} ({self._file})"
            )
        from quintet.memory.nearest import vector_rows

        [wanted] = vector_rows([vector])
        return lambda count: index.nearest(wanted, count, before=before)

    def _described(self) -> str:
        if not self.size:
            return "a memory with vectors"
        return f"a vector of {self.embedder} ({self.size // _NUMBER:,} numbers)"

    def _index(self, batch: int, before: int) -> "NearestIndex":
        """The index of a batch memory, with all vectors below an id, and perhaps more."""
        from quintet.memory.nearest import NearestIndex

        batch_index = self._indexes.get(batch)
        if batch_index is None or len(batch_index.index) > _OUTGROWN * batch_index.built_for:
            ids = self._of_batch(batch, 0, before)
            index = NearestIndex(self._some(ids[:: len(ids) // _SAMPLE + 1]), self._some)
            batch_index = self._indexes[batch] = _BatchIndex(index, len(ids))
        if batch_index.before < before:
            new = self._of_batch(batch, batch_index.before, before)
            parts = (new[start : start + _AT_ONCE] for start in range(0, len(new), _AT_ONCE))
            batch_index.index.extend((part, self._some(part)) for part in parts)
            batch_index.before = before
        return batch_index.index

    def _of_batch(self, batch: int, first: int, before: int) -> list[int]:
        return [identifier for (identifier,) in self._select(_OF_BATCH, (batch, first, before))]

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
