"""A connection to a journal, which reads past what is damaged."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path as FilePath
from typing import Self, TypeAlias, TypeVar

import msgspec

from quintet.errors import JournalDamaged, JournalFault, UsageError, one_line
from quintet.journal.cells import UNREADABLE, Row
from quintet.journal.schema import check_journal, connect, is_being_written, is_cut_off, is_damage

_T = TypeVar("_T")

_Values: TypeAlias = Sequence[str | int] | Mapping[str, int]
"""In place of the marks of a query, by order or by name."""
_BATCH = 1000
"""Rows that are converted together, which is three times as fast."""


def raise_damage(damage: Sequence[str]) -> None:
    """Raise a `UsageError` if there is any damage, after a command has shown what it could read."""
    if damage:
        more = f", and {len(damage) - 1} more" if len(damage) > 1 else ""
        raise UsageError(f"{damage[0]}{more}; the output lacks what could not be read")


class JournalConnection:
    """Runs queries over a journal.

    Damaged rows are skipped and listed in `damage`, so that a person sees the rest. The writer's own reader raises
    `JournalDamaged` instead: a run that continued without its records would pay for them again.

    Args:
        of_writer: whether it belongs to the run that is writing.
    """

    def __init__(
        self, connection: sqlite3.Connection, file: FilePath | str = ":memory:", *, of_writer: bool = False
    ) -> None:
        self._connection = connection
        self._of_writer = of_writer
        self.file = file
        self.damage: list[str] = []
        """What could not be read so far, as sentences of the form expected, got, where."""

    @classmethod
    def open(cls, file: FilePath) -> Self:
        """Open a journal in any process, even while it is written; a `UsageError` if it is none of this version."""
        if not file.is_file():
            found = "something else" if file.exists() else "none"
            raise UsageError(f"journal: expected a file, found {found} ({file})")
        being_written = is_being_written(file)
        connection = connect(file, "mode=ro" if being_written else "immutable=1")
        cut_off = not being_written and is_cut_off(file)
        if cut_off:
            connection.execute("PRAGMA writable_schema=ON")  # else SQLite reads nothing of the file
        journal = cls(check_journal(connection, file), file)
        if cut_off:
            journal.damage.append(f"journal: expected a whole file, got one that is cut off ({file})")
        return journal

    @contextmanager
    def snapshot(self) -> Generator[None, None, None]:
        """Let all queries inside read the same state, even while the run is writing."""
        if self._connection.in_transaction:  # of a snapshot around this one
            yield
            return
        list(self._rows("BEGIN"))
        try:
            yield
        finally:
            self._connection.rollback()

    def _rows(self, query: str, values: _Values = ()) -> Iterator[Row]:
        for batch in self._batches(query, values):
            yield from batch

    def _batches(self, query: str, values: _Values) -> Iterator[list[Row]]:
        try:
            yield from self._execute(query, values)
        except UnicodeEncodeError:
            return  # no row has a text that has no UTF-8 form
        except sqlite3.Error as error:
            self._handle(error)

    def _execute(self, query: str, values: _Values) -> Iterator[list[Row]]:
        """The rows of a query, in batches; those before an error come before it is raised."""
        rows = self._connection.execute(query, values)
        failed: sqlite3.Error | None = None
        while failed is None:
            batch: list[Row] = []
            try:
                self._fetch(rows, batch)
            except sqlite3.Error as error:
                failed = error
            if batch:
                yield batch
            elif failed is None:
                return
        raise failed

    def _fetch(self, rows: sqlite3.Cursor, batch: list[Row]) -> None:
        """Add the next rows to a batch. Texts are decoded by SQLite's own factory until one is damaged."""
        tolerant = self._connection.text_factory
        self._connection.text_factory = str
        try:
            batch.extend(islice(rows, _BATCH))
        except sqlite3.OperationalError as error:
            if hasattr(error, "sqlite_errorcode"):  # of SQLite, so not of a text
                raise
            self._connection.text_factory = tolerant
            batch.extend(islice(rows, _BATCH - len(batch)))  # from the row of the damaged text
        finally:
            self._connection.text_factory = tolerant

    def _read(self, make: Callable[[Row], _T], rows: Iterable[Row]) -> Iterator[_T]:
        for row in rows:
            try:
                yield make(row)
            except UNREADABLE as error:
                shown = ", ".join(f"{cell!r:.60}" for cell in row[:3])
                self._record_damage(f"expected a row of this version, got {shown}: {one_line(error)}")

    def scan(self, query: str, check: Callable[[Sequence[Row]], Sequence[_T]], *, unit: int) -> Iterator[Sequence[_T]]:
        """The rows of a query, in batches. Damaged rows are skipped; so is what lies around a damaged page.

        Args:
            query: its rows from a number on, ordered by that number, which is their first column.
            check: raises an error of `UNREADABLE` if a row is damaged.
            unit: how far behind the last sound row to go on after damage, at first; twice as far each time that fails.
        """
        first, skip = 0, 1
        while first < 1 << 63:
            code = 0
            try:
                for batch in self._execute(query, (first,)):
                    first, skip = batch[-1][0] + 1, 1
                    yield from self._sound(check, batch)
            except sqlite3.Error as error:
                self._handle(error)
                code = getattr(error, "sqlite_errorcode", 0)
            if code & 0xFF != sqlite3.SQLITE_CORRUPT:
                return
            first, skip = ((first - 1) // unit + skip) * unit, skip * 2

    def _sound(self, check: Callable[[Sequence[Row]], Sequence[_T]], rows: Sequence[Row]) -> Iterator[Sequence[_T]]:
        try:
            sound = check(rows)
        except UNREADABLE:
            sound = list(self._read(lambda row: check([row])[0], rows))
        if sound:
            yield sound

    def _handle(self, error: sqlite3.Error) -> None:
        if isinstance(error, sqlite3.ProgrammingError):
            raise UsageError(f"journal: expected a run that is open, got {error} ({self.file})") from error
        text = f"expected a journal that can be read, got {one_line(error)}"
        if self._of_writer and not is_damage(error):
            raise JournalFault(f"journal: {text} ({self.file})") from error
        self._record_damage(text)

    def _record_damage(self, text: str) -> None:
        message = f"journal: {text} ({self.file})"
        if self._of_writer:
            raise JournalDamaged(message)
        if message not in self.damage:
            self.damage.append(message)

    def _convert(self, kind: type[_T], query: str, values: _Values = ()) -> Iterator[_T]:
        for batch in self._batches(query, values):
            try:
                found: Iterable[_T] = msgspec.convert(batch, list[kind])  # type: ignore[valid-type]
            except UNREADABLE:
                found = self._read(partial(msgspec.convert, type=kind), batch)
            yield from found

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
