"""The file of a run's batches: which calls wait, which were submitted, and what was answered. Its only writer."""

import sqlite3
import time
from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple
from uuid import uuid4

from quintet.errors import JournalFault
from quintet.journal.schema import connect
from quintet.messages.batches import AnswerInBatch

BATCHES_FILE: Final = "batches.sqlite"
"""In a run folder, beside the journal."""

_TABLES: Final = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS batches (
    number INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    name TEXT NOT NULL,             -- ours, drawn before it is submitted
    created REAL NOT NULL,          -- seconds since the Unix epoch
    remote TEXT                     -- the provider's name for it; NULL: not known to be submitted
);
CREATE TABLE IF NOT EXISTS calls (
    call TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    body BLOB NOT NULL,
    batch INTEGER,                  -- the one that it is in; NULL: it waits for one, or is answered
    missed INTEGER NOT NULL,        -- how many batches ended without an answer to it
    answer BLOB                     -- NULL: none yet
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_of_batch ON calls (batch) WHERE batch IS NOT NULL;
CREATE INDEX IF NOT EXISTS waiting_calls ON calls (model) WHERE batch IS NULL AND answer IS NULL;
"""


class StoredBatch(NamedTuple):
    """A batch, which may have been submitted."""

    number: int
    model: str
    name: str
    created: float
    remote: str | None
    bodies: Mapping[str, bytes]
    """By call, those that are not answered."""


class BatchStore:
    """Every change outlasts a kill when a method returns, and those of batches a power cut, too.

    Raises:
        JournalFault: a change cannot be written.
    """

    def __init__(self, file: Path | Literal[":memory:"]) -> None:
        self._file = file
        self._connection = connect(file)
        self._connection.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def answer(self, call: str) -> bytes | None:
        """What was answered to a call; None: nothing yet, or it is not known."""
        found = self._connection.execute("SELECT answer FROM calls WHERE call = ?", (call,)).fetchone()
        return None if found is None else found[0]

    def batch_of(self, call: str) -> StoredBatch | None:
        """The batch that a call is in; None: none."""
        found = self._connection.execute("SELECT batch FROM calls WHERE call = ?", (call,)).fetchone()
        return None if found is None or found[0] is None else next(self._batches("number = ?", found[0]))

    def add(self, asked: AnswerInBatch) -> None:
        """Keep a call that waits for a batch; one that is known stays as it is."""
        with self._changing("NORMAL"):
            row = asked.call, asked.model, asked.body
            self._connection.execute("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, NULL, 0, NULL)", row)

    def waiting(self, model: str) -> int:
        """How many calls to a model wait for a batch."""
        query = "SELECT count(*) FROM calls WHERE model = ? AND batch IS NULL AND answer IS NULL"
        return int(self._connection.execute(query, (model,)).fetchone()[0])

    def begin_batch(self, model: str, most: int) -> StoredBatch | None:
        """Put calls to a model that wait, at most so many, into a new batch; None: none waits."""
        query = "SELECT call FROM calls WHERE model = ? AND batch IS NULL AND answer IS NULL LIMIT ?"
        calls = self._connection.execute(query, (model, most)).fetchall()
        if not calls:
            return None
        with self._changing():
            row = model, uuid4().hex, time.time()
            number = self._connection.execute("INSERT INTO batches VALUES (NULL, ?, ?, ?, NULL)", row).lastrowid
            self._connection.executemany(f"UPDATE calls SET batch = {number} WHERE call = ?", calls)
        return next(self._batches("number = ?", number))

    def submitted(self, batch: StoredBatch, remote: str) -> None:
        """Keep what the provider calls a batch."""
        with self._changing():
            self._connection.execute("UPDATE batches SET remote = ? WHERE number = ?", (remote, batch.number))

    def forget(self, batch: StoredBatch) -> None:
        """Forget a batch that the provider did not take, and its calls."""
        with self._changing():
            self._connection.execute("DELETE FROM calls WHERE batch = ?", (batch.number,))
            self._connection.execute("DELETE FROM batches WHERE number = ?", (batch.number,))

    def collected(self, batch: StoredBatch, answers: Mapping[str, bytes], most_missed: int) -> Collection[str]:
        """Keep the answers of a batch that ended; its other calls wait for the next one.

        Returns:
            The calls that `most_missed` batches in a row did not answer; they are forgotten.
        """
        with self._changing():
            rows = [(answers[call], call) for call in batch.bodies if call in answers]
            self._connection.executemany("UPDATE calls SET batch = NULL, body = '', answer = ? WHERE call = ?", rows)
            missed = "UPDATE calls SET batch = NULL, missed = missed + 1 WHERE batch = ?"
            self._connection.execute(missed, (batch.number,))
            gone = "DELETE FROM calls WHERE answer IS NULL AND missed >= ? RETURNING call"
            given_up = [call for (call,) in self._connection.execute(gone, (most_missed,)).fetchall()]
            self._connection.execute("DELETE FROM batches WHERE number = ?", (batch.number,))
        return given_up

    def open_batches(self) -> list[StoredBatch]:
        """Those that have not ended, as far as is known."""
        return list(self._batches("1"))

    def models_waiting(self) -> list[str]:
        """The models with calls that wait for a batch."""
        query = "SELECT DISTINCT model FROM calls WHERE batch IS NULL AND answer IS NULL"
        return [model for (model,) in self._connection.execute(query)]

    def _batches(self, condition: str, *values: object) -> Iterator[StoredBatch]:
        query = f"SELECT number, model, name, created, remote FROM batches WHERE {condition} ORDER BY number"
        for number, model, name, created, remote in self._connection.execute(query, values).fetchall():
            bodies = self._connection.execute("SELECT call, body FROM calls WHERE batch = ?", (number,))
            yield StoredBatch(number, model, name, created, remote, dict(bodies.fetchall()))

    @contextmanager
    def _changing(self, synchronous: Literal["NORMAL", "FULL"] = "FULL") -> Generator[None, None, None]:
        try:
            self._connection.execute(f"PRAGMA synchronous = {synchronous}")
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
        except sqlite3.Error as error:
            raise JournalFault(f"batches: expected a file that can be written, got {error} ({self._file})") from error
