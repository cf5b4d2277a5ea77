"""The writer of a memory file: adds tuples and types or changes notes, and seals versions.

Every call is one transaction.
"""

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from quintet.errors import ReplayMismatch, StoreFault, UsageError
from quintet.memory.digest import check_digests
from quintet.memory.ids import ids_of_process, ids_of_version, place_of, tuple_id
from quintet.memory.note_writer import NoteWriter, index_notes
from quintet.memory.reader import MemoryReader, stored_hash
from quintet.memory.schema import (
    MEMORY_FILE,
    check_memory,
    connect_memory,
    create_memory,
    writing_alone,
)
from quintet.memory.trajectories import GivenTrajectories
from quintet.memory.tuple_search import index_tuples
from quintet.messages.learning import MemoryKind
from quintet.messages.memory import MemoryTuple, Trajectory
from quintet.messages.store import ChangeNotes, NamedType, Sealed, StoreTuples

_INSERT_TUPLE = "INSERT INTO tuples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_TEXT = "INSERT INTO texts (hash, text) VALUES (?, ?)"
_INSERT_TYPE = "INSERT INTO types (batch, goal_type, number, name, version) VALUES (?, ?, ?, ?, ?)"
_INSERT_VERSION = "INSERT INTO versions VALUES (?, ?)"
_INSERT_TRAJECTORY = "INSERT INTO trajectories VALUES (?, ?)"
_COUNT = """
INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET tuples = tuples + excluded.tuples
"""
_EXAMPLE = """
INSERT INTO examples VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET first = min(first, excluded.first)
"""
_MOST_TEXTS = 50_000
"""Numbers of texts that are remembered at a time."""


class Store:
    """A memory or a notebook, open for writing.

    A commit survives a kill of the process; a sealed version survives a crash of the machine.

    Args:
        file: created if it does not exist; ":memory:" stores nothing.
        kind: whether it has tuples or notes.
        anew: discard what the file has.

    Raises:
        UsageError: the file is not of this format, kind and world, is cut off, another process writes it, or a sealed
            version is not what it was.
    """

    def __init__(
        self, file: Path | Literal[":memory:"], *, world: str, kind: MemoryKind = "memory", anew: bool = False
    ) -> None:
        with ExitStack() as opened:
            if not isinstance(file, str):
                opened.enter_context(writing_alone(file, anew=anew))
            connection = connect_memory(str(file), file)
            opened.callback(connection.close)
            self.reader = MemoryReader(connection, file, of_writer=True)
            self._connection = connection
            try:
                if connection.execute("PRAGMA page_count").fetchone() == (0,):
                    create_memory(connection, kind, world)
                check_memory(connection, file)
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
            except sqlite3.Error as error:
                raise UsageError(f"memory: expected a file that can be written, got {error} ({file})") from error
            there = MemoryReader(connection, file)  # nothing runs yet that an unreadable file could suspend
            there.expect(kind)
            if (found := there.world) != world:
                raise UsageError(f"memory: expected one of {world}, got one of {found} ({file})")
            self._chain = check_digests(there, there.newest())
            self._opened = opened.pop_all()
        self._texts: dict[str, int] = {}
        self._types: dict[tuple[int, int, int], int] = {}
        self._notes = NoteWriter(self.reader)

    def add(self, request: StoreTuples) -> int:
        """Add tuples and types, unless they are there.

        Returns:
            The number of tuples in the request.

        Raises:
            ReplayMismatch: other tuples are there, or the version takes none.
            StoreFault: the file cannot be written.
            ValueError: a tuple's type has no name, there are not as many vectors as tuples, or they are of another
                embedder than those that are there.
        """
        self._expect_kind("memory", "tuples")
        with self._transaction():
            for each in request.types:
                self._add_type(request, each)
            for number, process in enumerate(request.processes):
                vectors = request.vectors[number] if request.vectors else ()
                self._add_process(request, request.place + number, process, vectors)
        return sum(map(len, request.processes))

    def change(self, request: ChangeNotes) -> tuple[int, ...]:
        """Change notes, unless that was done.

        Returns:
            The id of the note that each change is about.

        Raises:
            ReplayMismatch: other changes are there, or the version takes none.
            StoreFault: the file cannot be written.
            ValueError: there is no such note, or the vectors are not those of the changes; see `add`.
        """
        self._expect_kind("notebook", "changes of notes")
        with self._transaction():
            return self._notes.change(request, self._following)

    def _expect_kind(self, kind: MemoryKind, got: str) -> None:
        if self.reader.kind != kind:
            raise ValueError(f"memory: expected a {kind} to take {got}, got a {self.reader.kind} ({self.reader.file})")

    def _add_type(self, request: StoreTuples, new: NamedType) -> None:
        goal_type = new.goal_type or 0
        query = "SELECT name FROM types WHERE batch = ? AND goal_type = ? AND number = ?"
        for (name,) in self.reader.rows(query, (request.batch, goal_type, new.number)):
            if name != new.name:
                raise _mismatch(request, request.place, f"type {new.number} called {name!r}, got {new.name!r}")
            return
        self._refuse_sealed(request, request.place)
        self._connection.execute(_INSERT_TYPE, (request.batch, goal_type, new.number, new.name, request.version))

    def _add_process(
        self, request: StoreTuples, place: int, process: Sequence[MemoryTuple], vectors: Sequence[bytes]
    ) -> None:
        if vectors and len(vectors) != len(process):
            raise ValueError(f"place {place}: expected {len(process)} vectors, got {len(vectors)}")
        there = list(self.reader.tuples(ids_of_process(request.version, place)))
        if there:
            if [(request.batch, each) for each in process] != [(row.batch, row.stored.tuple) for row in there]:
                raise _mismatch(request, place, f"the {len(there)} tuples that are there, got others")
            return
        if process:
            self._refuse_sealed(request, place)
        for number, each in enumerate(process):
            identifier = tuple_id(request.version, place, number)
            self._insert(identifier, request.batch, each)
            if vectors:
                self.reader.vectors.insert(identifier, vectors[number], request.embedder)

    def add_vectors(self, vectors: Iterable[tuple[int, bytes]], embedder: str) -> None:
        """Add vectors of tuples without any, by id; a `ValueError` if there are those of another embedder."""
        with self._transaction():
            for identifier, vector in vectors:
                self.reader.vectors.insert(identifier, vector, embedder)

    def drop_vectors(self) -> None:
        """Delete all vectors; see `add_vectors`."""
        with self._transaction():
            self.reader.vectors.drop()

    def _insert(self, identifier: int, batch: int, new: MemoryTuple) -> None:
        goal_type = self._type(batch, 0, new.goal_type)
        type_id = self._type(batch, new.goal_type, new.observation_type)
        goal, observation, source = map(self._text, (new.goal, new.observation, new.source))
        cells = (type_id, goal, observation, source, new.evaluation, new.summary, new.action, new.reward)
        execute = self._connection.execute
        execute(_INSERT_TUPLE, (identifier, *cells))
        execute(_COUNT, (type_id, place_of(identifier).version, 1))
        execute(_EXAMPLE, (goal_type, goal, identifier))
        execute(_EXAMPLE, (type_id, observation, identifier))

    def _type(self, batch: int, goal_type: int, number: int) -> int:
        key = batch, goal_type, number
        if key not in self._types:
            found = self.reader.type_id(*key)
            if found is None:
                of = f"observation type of goal type {goal_type}" if goal_type else "goal type"
                raise ValueError(f"batch {batch}: expected a named {of}, got {number}")
            self._types[key] = found
        return self._types[key]

    def _text(self, text: str) -> int:
        """The number of a text, which is stored once."""
        if text not in self._texts:
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.clear()
            self._texts[text] = self._stored_text(text)
        return self._texts[text]

    def _stored_text(self, text: str) -> int:
        value = stored_hash(text)
        for number, found in self.reader.rows("SELECT id, text FROM texts WHERE hash = ?", (value,)):
            if found == text:
                return int(number)
        return self._connection.execute(_INSERT_TEXT, (value, text)).lastrowid or 0

    @property
    def _following(self) -> int:
        """The version that is not sealed."""
        newest = self.reader.newest()
        return 0 if newest is None else newest + 1

    def _refuse_sealed(self, request: StoreTuples, place: int) -> None:
        if request.version != (following := self._following):
            raise _mismatch(request, place, f"tuples of version {following}, which is not sealed, got new ones")

    def seal(self, version: int) -> Sealed:
        """Complete a version, the one after the newest sealed, unless it is.

        Raises:
            ReplayMismatch: it does not follow the newest sealed version.
            StoreFault: the file cannot be written.
        """
        if sealed := self.reader.version(version):
            return sealed
        if version != (following := self._following):
            raise ReplayMismatch(f"memory: expected version {following} to be sealed, got {version}")
        with self._transaction():
            index = index_tuples if self.reader.kind == "memory" else index_notes
            index(self.reader, ids_of_version(version))
            content = self._chain.following(self.reader, version)
            self._connection.execute(_INSERT_VERSION, (version, msgspec.json.encode(content.sealed).decode()))
        self._chain.append(content)
        list(self.reader.rows("PRAGMA wal_checkpoint(PASSIVE)"))
        return content.sealed

    def give_trajectories(self, trajectories: Iterable[Trajectory]) -> GivenTrajectories:
        """Keep the trajectories that the run is given to learn from, in place of any that are there."""
        with self._transaction():
            self._connection.execute("DELETE FROM trajectories")
            for number, each in enumerate(trajectories):
                self._connection.execute(_INSERT_TRAJECTORY, (number, msgspec.json.encode(each).decode()))
        return self.given_trajectories()

    def given_trajectories(self) -> GivenTrajectories:
        """What the file has of them."""
        digest, number = sha256(), 0
        for (content,) in self.reader.rows("SELECT content FROM trajectories ORDER BY number"):
            digest.update(str(content).encode() + b"\n")
            number += 1
        return GivenTrajectories(number, digest.hexdigest())

    @contextmanager
    def _transaction(self) -> Generator[None, None, None]:
        """All or nothing; a StoreFault if the file cannot be written."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._texts.clear()
            self._types.clear()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise StoreFault(
                    f"memory: expected a file that can be written, got {error} ({self.reader.file})"
                ) from error
            raise

    def close(self) -> None:
        """Close the file, and let others write it."""
        self._opened.close()


def _mismatch(request: StoreTuples, place: int, text: str) -> ReplayMismatch:
    where = f"version {request.version}, batch {request.batch}, place {place}"
    remedy = f"If the machine crashed, its journal may lack calls: remove {MEMORY_FILE}, and the run builds it again"
    return ReplayMismatch(f"memory: {where}: expected {text}. {remedy}")
