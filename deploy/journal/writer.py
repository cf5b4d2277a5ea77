"""The one writer: commits whatever has arrived since its last commit, inline on the event loop."""

import asyncio
import sqlite3
import time
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath
from typing import Protocol

from deploy.journal.reader import JournalReader
from deploy.journal.schema import INSERT_EVENT, INSERT_PROMPT, TABLES, VERSION, check_version, event_row, prompt_row
from protocols.errors import JournalFault, Superseded
from protocols.events import Record
from protocols.paths import Path, episode_of


class Watcher(Protocol):
    """Told of what happens in a journal, on the event loop, as it happens."""

    def begun(self, episode: Path) -> None:
        """An incarnation of an episode begins."""
        ...

    def committed(self, records: Sequence[Record]) -> None:
        """Records are in the journal."""
        ...


Group = tuple[tuple[Record, ...], "asyncio.Future[None]"]


class SqliteJournal:
    """A run's journal, open for writing. Implements the journal port.

    A commit survives a kill of the process; the last ones before a machine's death may be lost (WAL with
    synchronous=NORMAL).

    Args:
        file: the journal's file, made if it is not there; ":memory:" keeps nothing.
        watcher: told of every start and every commit.

    Raises:
        UsageError: the file is no journal, or a newer one.
    """

    def __init__(self, file: FilePath | str, watcher: Watcher | None = None) -> None:
        self._watcher = watcher
        self._connection = sqlite3.connect(file, isolation_level=None)
        empty = not self._connection.execute("SELECT 1 FROM sqlite_master").fetchall()
        if empty:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.executescript(f"BEGIN; {TABLES} PRAGMA user_version={VERSION}; COMMIT;")
        check_version(self._connection, file)
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self.reader = JournalReader(self._connection)
        self._incarnations = self.reader.incarnations()
        self._waiting: list[Group] = []

    def begin(self, episode: Path) -> int:
        """Start an episode anew: a new incarnation, from 1. From now on rows of older ones are refused."""
        self._flush()
        incarnation = self._incarnations.get(episode, 0) + 1
        self._connection.execute(
            "INSERT INTO episodes VALUES (?1, ?2, ?3) ON CONFLICT (path) DO UPDATE SET incarnation=?2, started=?3",
            (episode, incarnation, time.time()),
        )
        self._incarnations[episode] = incarnation
        if self._watcher is not None:
            self._watcher.begun(episode)
        return incarnation

    async def append(self, records: Iterable[Record]) -> None:
        loop = asyncio.get_running_loop()
        committed: asyncio.Future[None] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._flush)
        self._waiting.append((tuple(records), committed))
        await committed

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        accepted = [group for group in waiting if not self._refuse(*group)]
        records = [record for group, _ in accepted for record in group]
        if not records:
            return
        try:
            self._write(records)
        except sqlite3.Error as error:
            fault = JournalFault(f"journal: {error}")
            for _, committed in accepted:
                if not committed.done():
                    committed.set_exception(fault)
        else:
            if self._watcher is not None:
                self._watcher.committed(records)
            for _, committed in accepted:
                if not committed.done():
                    committed.set_result(None)

    def _refuse(self, records: tuple[Record, ...], committed: "asyncio.Future[None]") -> bool:
        for record in records:
            path = record.event.path
            newest = self._incarnations.get(episode_of(path), 0)
            if record.incarnation != newest:
                fault = Superseded(f"{path}: expected incarnation {newest}, got {record.incarnation}")
                if not committed.done():
                    committed.set_exception(fault)
                return True
        return False

    def _write(self, records: list[Record]) -> None:
        connection = self._connection
        connection.execute("BEGIN")
        try:
            connection.executemany(INSERT_PROMPT, [prompt_row(node) for record in records for node in record.prompts])
            connection.executemany(INSERT_EVENT, [event_row(record) for record in records])
            connection.execute("COMMIT")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Commit what waits and close the file."""
        self._flush()
        self._connection.close()
