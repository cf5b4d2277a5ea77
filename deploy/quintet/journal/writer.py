"""The journal's only writer. On the event loop, it commits all that arrived since its last commit."""

import asyncio
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path as FilePath
from typing import Literal, NamedTuple, Protocol

from quintet.errors import JournalDamaged, JournalFault, StaleIncarnation, UsageError
from quintet.events import Record
from quintet.journal.charges import JournalCharges
from quintet.journal.reader import JournalReader
from quintet.journal.schema import (
    CREATE,
    INSERT_EVENT,
    INSERT_PROMPT,
    EventRow,
    PromptRow,
    check_journal,
    connect,
    is_damage,
    row_of_node,
    row_of_record,
)
from quintet.messages.paths import Path, episode_of


class Watcher(Protocol):
    """Observes a journal, on the event loop."""

    def begun(self, episode: Path) -> None:
        """An incarnation of an episode starts."""
        ...

    def committed(self, records: Sequence[Record]) -> None:
        """Records are in the journal."""
        ...


class _Group(NamedTuple):
    """The records of one `append`, committed all or none."""

    records: tuple[Record, ...]
    events: list[EventRow]
    prompts: list[PromptRow]
    committed: "asyncio.Future[None]"


class SqliteJournal:
    """A run's journal, open for writing. Implements the journal port.

    A commit survives a kill of the process. A crash of the machine may lose the last commits (WAL with
    synchronous=NORMAL).

    Args:
        file: created if it does not exist; ":memory:" stores nothing.
        watcher: called at every start and every commit.

    Raises:
        UsageError: the file is not a journal, or one of another version.
    """

    def __init__(self, file: FilePath | Literal[":memory:"], watcher: Watcher | None = None) -> None:
        self._watcher = watcher
        self._connection = check_journal(_open(file), file)
        self.reader = JournalReader(self._connection, file, of_writer=True)
        try:
            self._incarnations = self.reader.incarnations()
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self.charges = JournalCharges(self._connection)
        except (JournalFault, UsageError, sqlite3.Error) as error:
            self._connection.close()
            raise _as_usage_error(error, file) from error
        self._waiting: list[_Group] = []
        self._file = None if isinstance(file, str) else file
        self._inode = 0 if self._file is None else self._file.stat().st_ino

    def begin(self, episode: Path) -> int:
        """Start a new incarnation of an episode, counted from 1. Rows of older ones are refused from now on.

        Raises:
            JournalFault: the storage failed.
        """
        self._flush()
        if self._file is not None and not _is_there(self._file, self._inode):
            raise JournalFault(f"journal: expected the run's file, got none: its folder was removed ({self._file})")
        incarnation = self._incarnations.get(episode, 0) + 1
        try:
            self._connection.execute(
                "INSERT INTO episodes VALUES (?, ?, ?) "
                "ON CONFLICT (path) DO UPDATE SET incarnation=excluded.incarnation, started=excluded.started",
                (episode, incarnation, time.time()),
            )
        except sqlite3.Error as error:
            raise self._fault(error) from error
        self._incarnations[episode] = incarnation
        if self._watcher is not None:
            self._watcher.begun(episode)
        return incarnation

    async def append(self, records: Iterable[Record]) -> None:
        records = tuple(records)
        loop = asyncio.get_running_loop()
        # Encoded here, so that a text that cannot be encoded fails its own append and no other.
        events = [row_of_record(record) for record in records]
        prompts = [row_of_node(node) for record in records for node in record.prompts]
        if not self._waiting:
            loop.call_soon(self._flush)
        group = _Group(records, events, prompts, loop.create_future())
        self._waiting.append(group)
        await group.committed

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        accepted = [group for group in waiting if not self._refuse(group)]
        if not accepted:
            return
        try:
            self._write(
                [row for group in accepted for row in group.events],
                [row for group in accepted for row in group.prompts],
            )
        except sqlite3.Error as error:
            for group in accepted:
                _settle(group, self._fault(error))
            return
        for group in accepted:
            _settle(group, None)
            if self._watcher is not None:
                self._watcher.committed(group.records)

    def _fault(self, error: sqlite3.Error) -> JournalFault:
        kind = JournalDamaged if is_damage(error) else JournalFault
        return kind(f"journal: expected one that can be written, got {error} ({self._file or ':memory:'})")

    def _refuse(self, group: _Group) -> bool:
        for record in group.records:
            path = record.event.path
            newest = self._incarnations.get(episode_of(path), 0)
            if record.incarnation != newest:
                _settle(group, StaleIncarnation(f"{path}: expected incarnation {newest}, got {record.incarnation}"))
                return True
        return False

    def _write(self, events: list[EventRow], prompts: list[PromptRow]) -> None:
        connection = self._connection
        connection.execute("BEGIN")
        try:
            connection.executemany(INSERT_PROMPT, prompts)
            connection.executemany(INSERT_EVENT, events)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Commit what is waiting, and close the file."""
        self._flush()
        self._connection.close()


def _is_there(file: FilePath, inode: int) -> bool:
    try:
        return file.stat().st_ino == inode
    except OSError:
        return False


def prepare_journal(file: FilePath) -> None:
    """Create an empty journal beside `file`; `put_in_place` then renames it to `file`.

    Raises:
        UsageError: it cannot be created, for example because the disk is full.
    """
    part = _part(file)
    try:
        part.unlink(missing_ok=True)
        with closing(connect(str(part))) as making:
            making.executescript(CREATE)
    except (OSError, sqlite3.Error) as error:
        raise UsageError(f"journal: expected to create one, got {error} ({part})") from error


def is_prepared(file: FilePath) -> bool:
    """Whether an empty journal still has to be put in place."""
    return _part(file).is_file()


def put_in_place(file: FilePath) -> None:
    """Rename the prepared journal.

    Raises:
        OSError: that failed.
    """
    _part(file).replace(file)


def _part(file: FilePath) -> FilePath:
    return file.with_name(f"{file.name}.part")


def _open(file: FilePath | Literal[":memory:"]) -> sqlite3.Connection:
    if isinstance(file, str):
        connection = connect(file)
        connection.executescript(CREATE)
        return connection
    if not file.exists():
        # By way of a rename, so that a kill meanwhile leaves no incomplete journal.
        prepare_journal(file)
        put_in_place(file)
    if not file.is_file():
        raise UsageError(f"journal: expected a file, found something else ({file})")
    return connect(str(file))


def _as_usage_error(error: Exception, file: FilePath | str) -> UsageError:
    # When a run starts, the user can mend it; later it is a failure of storage.
    text = f"journal: {error}" if isinstance(error, sqlite3.Error) else str(error)
    return UsageError(text if str(file) in text else f"{text} ({file})")


def _settle(group: _Group, fault: JournalFault | StaleIncarnation | None) -> None:
    if group.committed.done():
        return
    if fault is None:
        group.committed.set_result(None)
    else:
        group.committed.set_exception(fault)
