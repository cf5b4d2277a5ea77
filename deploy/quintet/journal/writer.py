"""The journal's only writer. On the event loop, it commits all that arrived since its last commit."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from msgspec.structs import replace

from quintet.errors import JournalDamaged, JournalFault, PromptUnknown, StaleIncarnation, UsageError
from quintet.events import CallMade, EpisodeEnded, Record, Requeued
from quintet.journal.call_encoder import StoredOnce, below, encode_call, next_id, price_columns
from quintet.journal.cells import NewRows, Row, is_live
from quintet.journal.charges import JournalCharges
from quintet.journal.codes import ENDINGS, event_range, name_of
from quintet.journal.encoder import END, encode_event
from quintet.journal.open_episode import THE_END, OpenEpisode, load_episode
from quintet.journal.reader import JournalReader
from quintet.journal.schema import CREATE, check_journal, connect, is_damage
from quintet.messages.continuations import COPIED
from quintet.messages.paths import VISITS, Path, episode_of, is_within
from quintet.quota.prices import Price

_BEGIN_AGAIN = "UPDATE _episodes SET incarnation = ?, started = ? WHERE id = ?"
_ADD_USAGE = f"""
INSERT OR REPLACE INTO _usage
SELECT :episode, model, phase, sum(calls), sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), sum(bounded),
    nullif(json_group_object({name_of("finish", ENDINGS)}, calls) FILTER (WHERE finish > 0), '{{}}')
FROM (
    SELECT settings.model AS model, settings.phase AS phase, finish, count(*) AS calls,
        sum(prompt_tokens) AS prompt_tokens, sum(cached_tokens) AS cached_tokens,
        sum(completion_tokens) AS completion_tokens, sum(bounded) AS bounded
    FROM _calls JOIN _settings AS settings ON settings.id = _calls.settings
    WHERE _calls.id BETWEEN :first AND :last AND {is_live("_calls.start")}
    GROUP BY settings.model, settings.phase, finish
) GROUP BY model, phase
"""
_SET_PRICE = "UPDATE _models SET input = ?, cached_input = ?, output = ? WHERE name = ?"


class Watcher(Protocol):
    """Observes a journal, on the event loop."""

    def begun(self, episode: Path, incarnation: int) -> None:
        """An incarnation of an episode starts."""
        ...

    def committed(self, records: Sequence[Record]) -> None:
        """Records are in the journal."""
        ...


class _Group(NamedTuple):
    records: Sequence[Record]
    committed: "asyncio.Future[None]"


class SqliteJournal:
    """A run's journal, open for writing. Implements the journal port.

    A commit survives a kill of the process.

    Args:
        file: created if it does not exist; ":memory:" stores nothing.
        prices: by model, for the costs that the views show.
        keep_visits: whether what is asked from outside any episode is stored; else only the watcher has it.
        synchronous: SQLite's mode. `normal`: a loss of power may lose the last commits; `full`: it loses none.

    Raises:
        UsageError: the file is not a journal, or one of another version.
    """

    def __init__(
        self,
        file: FilePath | Literal[":memory:"],
        watcher: Watcher | None = None,
        prices: Mapping[str, Price] = MappingProxyType({}),
        *,
        keep_visits: bool = True,
        synchronous: Literal["normal", "full"] = "normal",
    ) -> None:
        self._watcher = watcher
        self._keep_visits = keep_visits
        self._prices = prices
        self._numbers: StoredOnce | None = None
        """What the journal has stored, by number; None until it is read."""
        self._file = None if isinstance(file, str) else file
        self._connection = check_journal(_open(file), file, to_write=True)
        self.reader = JournalReader(self._connection, file, of_writer=True)
        try:
            self._connection.execute(f"PRAGMA synchronous={synchronous}")
            self._connection.executemany(_SET_PRICE, [(*price_columns(prices[name]), name) for name in prices])
            self.charges = JournalCharges(self._connection, self._place_charge, self._write_numbered, prices)
        except (JournalFault, UsageError, sqlite3.Error) as error:
            self._connection.close()
            raise _as_usage_error(error, file) from error
        self._waiting: list[_Group] = []
        self._open: dict[Path, OpenEpisode] = {}
        """The episodes that were begun and have not ended, and others that were looked up."""
        self._begun: dict[Path, int] = {}
        """When episodes began of which a commit that failed would have stored that they did."""
        self._inode = 0 if self._file is None else self._file.stat().st_ino

    def begin(self, episode: Path) -> int:
        """Start an incarnation of an episode, from 1, and refuse rows of older ones; a `JournalFault` if that fails.

        The first one is stored with whatever is committed next, before any row of the episode.
        """
        if self._file is not None and not self._is_there(self._file):
            raise JournalFault(f"journal: expected the run's file, got none: its folder was removed ({self._file})")
        try:
            incarnation = self._begin(episode, round(time.time() * 1000)) if self._keeps(episode) else 1
        except sqlite3.Error as error:
            raise self._fault(error) from error
        if self._watcher is not None:
            self._watcher.begun(episode, incarnation)
        return incarnation

    def has_records(self, episode: Path) -> bool:
        """Whether anything is stored of an episode, but that it was requeued; a `JournalFault` if it cannot be read."""
        try:
            found = self._find(episode)
        except sqlite3.Error as error:
            raise self._fault(error) from error
        return found is not None and any(not each.startswith(f"{Requeued.kind} ") for each in found.written)

    def begin_from(self, episode: Path, records: Iterable[Record]) -> int:
        """Start an incarnation of an episode that goes on from a recorded one, and has no records yet.

        Args:
            records: of the recorded one, in the order of their commits, as records of this episode. They are stored
                all or none, with the episode's first start, as of incarnation 0.

        Raises:
            JournalFault: that fails.
        """
        incarnation = self.begin(episode)
        self._store(self._open[episode], (replace(record, incarnation=COPIED) for record in records))
        return incarnation

    def store(self, episode: Path, records: Sequence[Record], began: float) -> None:
        """Store an episode that was recorded elsewhere, and has not begun here, as it was.

        Args:
            records: all of its records, in the order of their commits. They are stored all or none.
            began: its first start, in seconds since the Unix epoch.

        Raises:
            JournalFault: that fails.
            ValueError, OverflowError: a value cannot be stored.
        """
        newest = max((record.incarnation for record in records), default=1)
        self._store(self._first(episode, round(began * 1000), max(newest, 1)), records)
        self._open.pop(episode, None)

    def _store(self, begun: OpenEpisode, records: Iterable[Record]) -> None:
        rows: NewRows = {}
        try:
            for record in records:
                begun.written.add(f"{record.event.kind} {below(record.event.path, begun.path)}")
                statement, row = self._row_of(record, begun)
                rows.setdefault(statement, []).append(row)
            self._write_numbered(rows)
        except sqlite3.Error as error:
            raise self._fault(error) from error
        except BaseException:
            self._forget()  # or the records would count as written
            raise

    def _begin(self, path: Path, now: int) -> int:
        episode = self._find(path)
        if episode is None:
            self._open[path] = self._first(path, now)
            return 1
        self._flush()  # what waits belongs to the incarnation before
        episode = self._find(path) or episode  # read again if that failed
        self._write_numbered({_BEGIN_AGAIN: [(episode.incarnation + 1, now - episode.began, episode.number)]})
        episode.incarnation += 1
        return episode.incarnation

    def _first(self, path: Path, began: int, incarnation: int = 1) -> OpenEpisode:
        episode = OpenEpisode(self._stored.next_episode(), path, incarnation, began)
        self._stored.begin(episode)
        return episode

    def _is_there(self, file: FilePath) -> bool:
        with suppress(OSError):
            return file.stat().st_ino == self._inode
        return False

    def _keeps(self, path: Path) -> bool:
        return self._keep_visits or not is_within(path, VISITS)

    def leave(self, visit: Path) -> None:
        """Forget how far a visit came. It has no end, and nothing follows."""
        self._open.pop(visit, None)

    def _find(self, path: Path) -> OpenEpisode | None:
        """An episode as far as it has come; None if it has not begun."""
        found = self._open.get(path)
        if found is None:
            found = load_episode(self._connection, path)
            if found is None and (began := self._begun.pop(path, None)) is not None:
                found = self._first(path, began)
            if found is not None:
                self._open[path] = found
        return found

    def _place_charge(self, path: Path, model: str) -> tuple[int, str, int] | None:
        if not self._keeps(path):
            return None
        episode = self._find(episode_of(path))
        if episode is None:
            raise JournalFault(f"{path}: expected a call of an episode that has begun, got one of none")
        return next_id(episode), below(path, episode.path), self._stored.model(model)

    def _write_numbered(self, rows: NewRows) -> None:
        self._write({**self._stored.take_rows(), **rows})

    def append(self, records: Iterable[Record]) -> Awaitable[None]:
        records, loop = tuple(records), asyncio.get_running_loop()
        group = _Group(records, loop.create_future())
        if records and not self._keeps(records[0].event.path):
            self._note_committed(records)
            _settle(group, None)
            return group.committed
        if not self._waiting:
            loop.call_soon(self._flush)
        self._waiting.append(group)
        return group.committed

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        accepted: list[tuple[_Group, Sequence[Record]]] = []
        rows: NewRows = {}
        try:
            for group in waiting:
                try:
                    stored, new = self._rows_of(group.records)
                except (StaleIncarnation, JournalFault, ValueError, TypeError, OverflowError) as error:
                    _settle(group, error)  # it alone
                    continue
                accepted.append((group, new))
                for statement, row in stored:
                    rows.setdefault(statement, []).append(row)
            if accepted:
                self._write_numbered(rows)
        except (sqlite3.Error, ValueError, OverflowError) as error:
            self._forget()
            for group in waiting:
                _settle(group, self._fault(error))
            return
        for group, unwatched in accepted:
            _settle(group, None)
            if unwatched:
                self._note_committed(unwatched)

    def _rows_of(self, records: Sequence[Record]) -> tuple[list[tuple[str, Row]], list[Record]]:
        """The rows of a group, and its records that are not stored yet.

        If one of its records is wrong, none of them counts as written.
        """
        rows: list[tuple[str, Row]] = []
        new: list[tuple[OpenEpisode, str]] = []
        fresh: list[Record] = []
        try:
            for record in records:
                episode = self._writable(record)
                key = f"{record.event.kind} {below(record.event.path, episode.path)}"
                if key not in episode.written:
                    episode.written.add(key)
                    new.append((episode, key))
                    fresh.append(record)
                    rows.append(self._row_of(record, episode))
        except BaseException:
            for episode, key in new:
                episode.written.discard(key)
            raise
        return rows, fresh

    def _writable(self, record: Record) -> OpenEpisode:
        """The episode of a record, if the record's incarnation is its newest and has not ended."""
        event = record.event
        episode = self._find(episode_of(event.path))
        newest = 0 if episode is None else episode.incarnation
        if episode is None or record.incarnation != newest:
            raise StaleIncarnation(f"{event.path}: expected incarnation {newest}, got {record.incarnation}")
        if THE_END in episode.written and not isinstance(event, EpisodeEnded):  # its totals are written
            raise StaleIncarnation(f"{event.path}: expected an episode that goes on, got one that has ended")
        return episode

    def _row_of(self, record: Record, episode: OpenEpisode) -> tuple[str, Row]:
        if not isinstance(record.event, CallMade):
            return encode_event(record, episode, self._stored)
        try:
            return encode_call(record.event, record, episode, self._stored)
        except PromptUnknown:
            if episode.relearned:  # and so much since that this was forgotten: to bring the prompt costs less
                raise
            self._relearn(episode)
            return encode_call(record.event, record, episode, self._stored)

    def _relearn(self, episode: OpenEpisode) -> None:
        """Number the prompts of an episode's earlier calls again, as after a resume."""
        episode.relearned = True
        for row, node in self.reader.messages(episode.number):
            self._stored.learn(node.address, row)

    def _note_committed(self, records: Sequence[Record]) -> None:
        for record in records:
            if isinstance(record.event, EpisodeEnded):
                self._open.pop(record.event.path, None)
        if self._watcher is not None:
            self._watcher.committed(records)

    def _fault(self, error: Exception) -> JournalFault:
        kind = JournalDamaged if is_damage(error) else JournalFault
        return kind(f"journal: expected one that can be written, got {error} ({self._file or ':memory:'})")

    def _write(self, rows: NewRows) -> None:
        connection = self._connection
        try:
            connection.execute("BEGIN")
            ends = rows.pop(END, [])
            for statement, each in rows.items():
                connection.executemany(statement, each)
            for end in ends:
                connection.execute(END, end)
                self._sum_up(end[-1])
            connection.execute("COMMIT")
        except BaseException:
            self._forget()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _forget(self) -> None:
        """Read again how far everything has come: what was numbered for a commit that failed is not stored."""
        self._begun.update((path, episode.began) for path, episode in self._open.items())
        self._open.clear()
        self._numbers = None

    @property
    def _stored(self) -> StoredOnce:
        if self._numbers is None:
            self._numbers = StoredOnce(self._connection, self._prices)
        return self._numbers

    def _sum_up(self, episode: int) -> None:
        first, last = event_range(episode)
        self._connection.execute(_ADD_USAGE, {"episode": episode, "first": first, "last": last})

    def close(self) -> None:
        """Commit what is waiting, and close the file."""
        self._flush()
        with suppress(sqlite3.Error):  # a start of which nothing else is known
            self._write_numbered({})
        self._connection.close()


def prepare_journal(file: FilePath) -> None:
    """Create an empty journal beside `file`, for `put_in_place` to rename; a `UsageError` if it cannot be created."""
    part = _part(file)
    try:
        part.unlink(missing_ok=True)
        with closing(connect(part)) as making:
            making.executescript(CREATE)
    except (OSError, sqlite3.Error) as error:
        raise UsageError(f"journal: expected to create one, got {error} ({part})") from error


def is_prepared(file: FilePath) -> bool:
    """Whether an empty journal still has to be put in place."""
    return _part(file).is_file()


def put_in_place(file: FilePath) -> None:
    """Rename the prepared journal."""
    _part(file).replace(file)


def _part(file: FilePath) -> FilePath:
    return file.with_name(f"{file.name}.part")


@cache
def _empty() -> bytes:
    """An empty journal, which is copied in a fraction of the time that its statements take."""
    with closing(connect(":memory:")) as making:
        making.executescript(CREATE)
        return making.serialize()


def _open(file: FilePath | Literal[":memory:"]) -> sqlite3.Connection:
    if isinstance(file, str):
        connection = connect(file)
        with closing(connect(file)) as empty:
            empty.deserialize(_empty())
            empty.backup(connection)
        return connection
    if not file.exists():
        # By way of a rename, so that a kill meanwhile leaves no incomplete journal.
        prepare_journal(file)
        put_in_place(file)
    if not file.is_file():
        raise UsageError(f"journal: expected a file, found something else ({file})")
    return connect(file)


def _as_usage_error(error: Exception, file: FilePath | str) -> UsageError:
    # When a run starts, the user can mend it; later it is a failure of storage.
    text = f"journal: expected one that can be read, got {error}" if isinstance(error, sqlite3.Error) else str(error)
    return UsageError(text if str(file) in text else f"{text} ({file})")


def _settle(group: _Group, fault: Exception | None) -> None:
    if group.committed.done():
        pass
    elif fault is None:
        group.committed.set_result(None)
    else:
        group.committed.set_exception(fault)
