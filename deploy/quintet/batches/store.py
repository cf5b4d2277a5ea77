"""The file of a run's batches: which calls are in them, and what was answered. Its only writer."""

import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, NamedTuple
from uuid import uuid4

import msgspec

from quintet.errors import JournalFault, UsageError
from quintet.journal.schema import connect, is_being_written

BATCHES_FILE: Final = "batches.sqlite"
"""In a run folder, beside the journal."""

_TABLES: Final = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS batches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- of no other batch of the run, also once it ended
    model TEXT NOT NULL,
    name TEXT NOT NULL,             -- ours, drawn before it is submitted
    created REAL NOT NULL,          -- seconds since the Unix epoch
    remote TEXT                     -- the provider's name for it; NULL: not known to be submitted
);
CREATE TABLE IF NOT EXISTS calls (
    call TEXT PRIMARY KEY,
    body BLOB NOT NULL,
    batch INTEGER,                  -- the one that it is in; NULL: it is answered, or was lost
    answer BLOB                     -- NULL: none
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_of_batch ON calls (batch) WHERE batch IS NOT NULL;
CREATE TABLE IF NOT EXISTS lost (   -- batches to which the provider had no answers any more
    calls INTEGER NOT NULL,         -- how many were in it
    reason TEXT NOT NULL
);
"""


class StoredBatch(NamedTuple):
    """A batch, which may have been submitted."""

    number: int
    model: str
    name: str
    created: float
    remote: str | None
    bodies: Mapping[str, bytes]
    """By call."""


class StoredCall(NamedTuple):
    """A call that was in a batch. Neither: its batch was lost, and nobody has paid for the call."""

    batch: int | None
    """The one that it is in."""
    answer: bytes | None


class BatchStore:
    """Every change outlasts a power cut when a method returns.

    Raises:
        JournalFault: a change cannot be written.
    """

    def __init__(self, file: Path | Literal[":memory:"]) -> None:
        self._file = file
        self._connection = connect(file)
        self._connection.executescript(_TABLES)
        self._connection.execute("PRAGMA synchronous = FULL")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def call(self, call: str) -> StoredCall | None:
        """What is known of a call; None: it is in no batch, and was not answered."""
        found = self._connection.execute("SELECT batch, answer FROM calls WHERE call = ?", (call,)).fetchone()
        return None if found is None else StoredCall(*found)

    def forget(self, call: str) -> None:
        """Forget a call, which may then be in another batch."""
        with self._changing():
            self._connection.execute("DELETE FROM calls WHERE call = ?", (call,))

    def batch(self, number: int) -> StoredBatch:
        """A batch that has not ended."""
        return next(self._batches("number = ?", number))

    def is_open(self, batch: StoredBatch) -> bool:
        """Whether it has not ended."""
        found = self._connection.execute("SELECT 1 FROM batches WHERE number = ?", (batch.number,))
        return found.fetchone() is not None

    def begin_batch(self, model: str, bodies: Mapping[str, bytes]) -> StoredBatch:
        """Begin a batch of calls, by name."""
        with self._changing():
            row = model, uuid4().hex, time.time()
            insert = "INSERT INTO batches VALUES (NULL, ?, ?, ?, NULL) RETURNING number"
            ((number,),) = self._connection.execute(insert, row).fetchall()
            calls = ((call, body, number) for call, body in bodies.items())
            self._connection.executemany("INSERT INTO calls VALUES (?, ?, ?, NULL)", calls)
        return StoredBatch(number, *row, None, bodies)

    def submitted(self, batch: StoredBatch, remote: str) -> None:
        """Keep what the provider calls a batch."""
        with self._changing():
            self._connection.execute("UPDATE batches SET remote = ? WHERE number = ?", (remote, batch.number))

    def end(self, batch: StoredBatch, answers: Mapping[str, bytes]) -> None:
        """Keep the answers of a batch, and forget it with its other calls."""
        with self._changing():
            rows = [(answers[call], call) for call in batch.bodies if call in answers]
            self._connection.executemany("UPDATE calls SET batch = NULL, body = '', answer = ? WHERE call = ?", rows)
            self._forget(batch)

    def lose(self, batch: StoredBatch, unpaid: Iterable[str], reason: str) -> None:
        """Forget a batch with its calls, but for the unpaid ones; keep why it was lost, for the notes of reports."""
        with self._changing():
            rows = [(call,) for call in unpaid]
            self._connection.executemany("UPDATE calls SET batch = NULL, body = '' WHERE call = ?", rows)
            self._connection.execute("INSERT INTO lost VALUES (?, ?)", (len(batch.bodies), reason))
            self._forget(batch)

    def _forget(self, batch: StoredBatch) -> None:
        self._connection.execute("DELETE FROM calls WHERE batch = ?", (batch.number,))
        self._connection.execute("DELETE FROM batches WHERE number = ?", (batch.number,))

    def open_batches(self) -> list[StoredBatch]:
        """Those that have not ended, as far as is known."""
        return list(self._batches("1"))

    def _batches(self, condition: str, *values: object) -> Iterator[StoredBatch]:
        query = f"SELECT number, model, name, created, remote FROM batches WHERE {condition} ORDER BY number"
        for number, model, name, created, remote in self._connection.execute(query, values).fetchall():
            bodies = self._connection.execute("SELECT call, body FROM calls WHERE batch = ?", (number,))
            yield StoredBatch(number, model, name, created, remote, dict(bodies.fetchall()))

    @contextmanager
    def _changing(self) -> Generator[None, None, None]:
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
        except sqlite3.Error as error:
            raise JournalFault(f"batches: expected a file that can be written, got {error} ({self._file})") from error


class LostBatch(NamedTuple):
    """A batch to which the provider had no answers any more."""

    calls: int
    reason: str


def lost_batches(run: Path) -> list[LostBatch]:
    """Those of a run folder, the first hundred; none where they cannot be read, since the run itself needs none."""
    file = run / BATCHES_FILE
    if not file.is_file():
        return []
    with (
        suppress(sqlite3.Error, UsageError, msgspec.ValidationError),
        closing(connect(file, "mode=ro" if is_being_written(file) else "immutable=1")) as connection,
    ):
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'lost' AND type = 'table'").fetchone():
            rows = connection.execute("SELECT calls, reason FROM lost LIMIT 100").fetchall()
            return msgspec.convert(rows, list[LostBatch])
    return []
