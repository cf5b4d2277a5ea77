"""Reads a memory file: versions, and a memory's types, tuples and trajectories. A sealed version never changes."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, get_args

import msgspec

from quintet.errors import ReplayMismatch, StoreFault, UsageError
from quintet.memory.ids import ids_of_version, place_of
from quintet.memory.schema import connect_to_read
from quintet.memory.vectors import MemoryVectors
from quintet.memory.words import MemoryWords
from quintet.messages.learning import MemoryKind
from quintet.messages.memory import MemoryTuple, StoredTuple, Trajectory
from quintet.messages.store import ListedType, ListTypes, NamedType, Sealed

if TYPE_CHECKING:  # numpy costs a tenth of a second, and most runs have no notebook
    from quintet.memory.note_table import NoteTable

_Cells: TypeAlias = tuple[Any, ...]

_TUPLES = """
SELECT tuples.id, types.batch, goals.text, evaluation, summary, observations.text, action, reward, sources.text,
    types.goal_type, types.number
FROM tuples JOIN types ON types.id = tuples.type JOIN texts AS goals ON goals.id = goal
JOIN texts AS observations ON observations.id = observation JOIN texts AS sources ON sources.id = source
"""
_LISTED = """
SELECT number, name, sum(tuples) FROM types JOIN counts ON counts.type = types.id
WHERE batch = :batch AND goal_type = :goal_type AND counts.version <= :version GROUP BY types.id ORDER BY number
"""
_LISTED_GOALS = """
SELECT goals.number, goals.name, sum(tuples)
FROM types AS goals JOIN types AS inner ON inner.batch = goals.batch AND inner.goal_type = goals.number
JOIN counts ON counts.type = inner.id
WHERE goals.batch = :batch AND goals.goal_type = 0 AND counts.version <= :version
GROUP BY goals.id ORDER BY goals.number
"""
_EXAMPLES = """
SELECT text FROM (
    SELECT text AS found, first FROM examples WHERE type = (
        SELECT id FROM types WHERE batch = :batch AND goal_type = :goal_type AND number = :number
    ) AND first < :limit ORDER BY first LIMIT :examples
) JOIN texts ON texts.id = found ORDER BY first
"""
_KNOWN = """
SELECT number FROM texts CROSS JOIN examples ON examples.text = texts.id CROSS JOIN types ON types.id = examples.type
WHERE hash = :hash AND texts.text = :text AND batch = :batch AND goal_type = :goal_type AND first < :limit
ORDER BY first LIMIT 1
"""
"""CROSS: SQLite has to begin with the one text, not with all texts of the goal type."""

_SOURCES = """
SELECT sources.text, goals.text, reward, types.batch, min(tuples.id), count(*) FROM tuples
JOIN types ON types.id = tuples.type JOIN texts AS goals ON goals.id = goal JOIN texts AS sources ON sources.id = source
WHERE tuples.id BETWEEN ? AND ? GROUP BY tuples.id >> 16 ORDER BY tuples.id
"""


class TupleRow(NamedTuple):
    """A tuple with its batch memory."""

    batch: int
    stored: StoredTuple


class TypeRow(NamedTuple):
    """A type with its batch memory, and the version that it came in with."""

    batch: int
    type: NamedType
    version: int


class SourceRow(NamedTuple):
    """A process of which tuples were stored."""

    source: str
    """See `Trajectory.source`."""
    goal: str
    reward: float
    batch: int
    first: int
    """The id of its first tuple."""
    tuples: int


class MemoryReader:
    """Queries over a memory. If its reader belongs to the run that is writing, an unreadable file suspends the run."""

    def __init__(self, connection: sqlite3.Connection, file: Path | str, *, of_writer: bool = False) -> None:
        self.connection = connection
        self.file = file
        self._of_writer = of_writer
        self.vectors = MemoryVectors(connection, self.rows, file)
        self.words = MemoryWords(connection, self.rows, self.fault)

    @classmethod
    def open(cls, file: Path) -> "MemoryReader":
        """Open a memory in any process, even while its run is writing; see `connect_to_read`."""
        return cls(connect_to_read(file), file)

    def rows(self, query: str, values: Mapping[str, object] | Sequence[object] = ()) -> Iterator[_Cells]:
        """The rows of a query; a `UsageError`, or in the writer's reader a `StoreFault`, if that cannot be read."""
        try:
            # Not `yield from`: at its own end that closes the cursor, which fails once the connection is closed.
            for cells in self.connection.execute(query, values):  # noqa: UP028
                yield cells
        except sqlite3.Error as error:
            raise self.fault(error) from error

    def fault(self, error: Exception) -> StoreFault | UsageError:
        """The error to raise where the file cannot be read or written."""
        kind = StoreFault if self._of_writer else UsageError
        return kind(
            f"memory: expected a file that can be {'used' if self._of_writer else 'read'}, got {error} ({self.file})"
        )

    @cached_property
    def notes(self) -> "NoteTable":
        """How the notes of a notebook stand."""
        from quintet.memory.note_table import NoteTable

        return NoteTable(self.rows)

    @property
    def kind(self) -> MemoryKind:
        """Whether it has tuples or notes."""
        return self._about[0]

    @property
    def world(self) -> str:
        """Whose goals and actions it is about."""
        return self._about[1]

    @cached_property
    def _about(self) -> tuple[MemoryKind, str]:
        for kind, world in self.rows("SELECT kind, world FROM about"):
            if kind in get_args(MemoryKind):
                return kind, str(world)
        raise UsageError(f"memory: expected the name of its kind and of its world, got none ({self.file})")

    def expect(self, kind: MemoryKind) -> None:
        """Raise a `UsageError` if it is of another kind."""
        if self.kind != kind:
            raise UsageError(f"memory: expected a {kind}, got a {self.kind} ({self.file})")

    # Versions

    def versions(self) -> dict[int, Sealed]:
        """Those that are sealed, by number."""
        rows = self.rows("SELECT version, content FROM versions ORDER BY version")
        return {version: self._decode(content, Sealed) for version, content in rows}

    def version(self, number: int) -> Sealed | None:
        """A sealed version; None: it is none."""
        rows = self.rows("SELECT content FROM versions WHERE version = ?", (number,))
        return next((self._decode(content, Sealed) for (content,) in rows), None)

    def newest(self) -> int | None:
        """The newest sealed version; None if there is none."""
        for (version,) in self.rows("SELECT max(version) FROM versions"):
            return None if version is None else int(version)
        return None

    def limit(self, version: int) -> int:
        """The first id that a version lacks; a `UsageError`, or in the writer's a `ValueError`, if it is not sealed."""
        newest = self.newest()
        if newest is None or not 0 <= version <= newest:
            sealed = "none" if newest is None else f"0 to {newest}"
            kind = ValueError if self._of_writer else UsageError
            raise kind(f"memory: expected a sealed version ({sealed}), got {version} ({self.file})")
        return ids_of_version(version).stop

    # Types

    def list_types(self, request: ListTypes) -> tuple[ListedType, ...]:
        """Goal types, or the observation types of a goal type, that have tuples."""
        where = self._where(request)
        query = _LISTED_GOALS if request.goal_type is None else _LISTED
        return tuple(
            ListedType(
                number=number,
                name=name,
                tuples=tuples,
                examples=tuple(text for (text,) in self.rows(_EXAMPLES, {**where, "number": number})),
            )
            for number, name, tuples in list(self.rows(query, where))
        )

    def known_type(self, request: ListTypes) -> int | None:
        """The type of the request's very text: the one in which it came first."""
        if not request.text:
            return None
        where = {**self._where(request), "hash": stored_hash(request.text)}
        return next((int(number) for (number,) in self.rows(_KNOWN, where)), None)

    def _where(self, request: ListTypes) -> dict[str, object]:
        goal_type, limit = request.goal_type or 0, self.limit(request.version)
        return {**msgspec.structs.asdict(request), "goal_type": goal_type, "limit": limit}

    def types(self, versions: range) -> Iterator[TypeRow]:
        """Those that came in with these versions, by batch, goal type (0 for goal types themselves) and number."""
        rows = self.rows(
            "SELECT batch, goal_type, number, name, version FROM types WHERE version BETWEEN ? AND ? "
            "ORDER BY batch, goal_type, number",
            (versions.start, versions.stop - 1),
        )
        for batch, goal_type, number, name, version in rows:
            yield TypeRow(batch, NamedType(number=number, name=name, goal_type=goal_type or None), version)

    # Tuples

    def tuples(self, ids: range) -> Iterator[TupleRow]:
        """Those whose ids lie in a range, in their order."""
        yield from map(_tuple_row, self.tuple_cells(ids))

    def tuple_cells(self, ids: range) -> Iterator[_Cells]:
        """The same as cells: the id, the batch memory, and the fields of a `MemoryTuple`."""
        return self.rows(f"{_TUPLES} WHERE tuples.id BETWEEN ? AND ? ORDER BY tuples.id", (ids.start, ids.stop - 1))

    def newest_of(self, type_id: int, version: int) -> Iterator[StoredTuple]:
        """The tuples of an observation type up to a version, the newest first."""
        return self._of_type(type_id, version, "tuples.id DESC")

    def best_of(self, type_id: int, version: int) -> Iterator[StoredTuple]:
        """The same, those with the greatest reward first, and of equals the newest."""
        return self._of_type(type_id, version, "reward DESC, tuples.id DESC")

    def _of_type(self, type_id: int, version: int, order: str) -> Iterator[StoredTuple]:
        query = f"{_TUPLES} WHERE tuples.type = ? AND tuples.id < ? ORDER BY {order}"
        yield from (_tuple_row(cells).stored for cells in self.rows(query, (type_id, self.limit(version))))

    def fetch(self, ids: Iterable[int]) -> tuple[StoredTuple, ...]:
        """Tuples by id, in the order of the ids; see `fetch_one`."""
        return tuple(map(self.fetch_one, ids))

    def fetch_one(self, identifier: int) -> StoredTuple:
        """The tuple of an id; a `ReplayMismatch` if there is none."""
        for cells in self.rows(f"{_TUPLES} WHERE tuples.id = ?", (identifier,)):
            return _tuple_row(cells).stored
        version, place, number = place_of(identifier)
        raise ReplayMismatch(
            f"memory: expected tuple {number} of place {place} in version {version}, found none ({self.file})"
        )

    def type_id(self, batch: int, goal_type: int, observation_type: int) -> int | None:
        """The row of an observation type; None if there is none."""
        query = "SELECT id FROM types WHERE batch = ? AND goal_type = ? AND number = ?"
        return next((int(row) for (row,) in self.rows(query, (batch, goal_type, observation_type))), None)

    def sources(self, ids: range) -> Iterator[SourceRow]:
        """The processes of tuples, in the order of their entry."""
        yield from map(SourceRow._make, self.rows(_SOURCES, (ids.start, ids.stop - 1)))

    # Trajectories

    def trajectories(self, first: int, count: int) -> tuple[Trajectory, ...]:
        """Those that the run was given, from a number on; fewer at the end."""
        query = "SELECT content FROM trajectories WHERE number >= ? ORDER BY number LIMIT ?"
        return tuple(self._decode(content, Trajectory) for (content,) in self.rows(query, (first, count)))

    def _decode(self, content: str, kind: type[Any]) -> Any:
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.DecodeError, TypeError) as error:  # the second where a cell is no text
            raise self.fault(error) from error

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def stored_hash(text: str) -> int:
    """The hash by which a text is found, as SQLite's signed number."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


def _tuple_row(cells: _Cells) -> TupleRow:
    identifier, batch, *content = cells
    made = MemoryTuple(**dict(zip(MemoryTuple.__struct_fields__, content, strict=True)))
    return TupleRow(batch, StoredTuple(id=identifier, tuple=made))
