"""Queries over a journal, for reports, `show` and resumed episodes."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path as FilePath
from typing import NamedTuple, TypeVar

import msgspec

from quintet.errors import JournalDamaged, JournalFault, UsageError, one_line
from quintet.events import EpisodeEnded, Exchanged, Published, Record, Requeued
from quintet.journal.decoder import (
    EPISODES,
    EVENTS,
    MESSAGES,
    UNREADABLE,
    EpisodeRow,
    EventDecoder,
    FingerprintRow,
    MessageRow,
    Prompts,
    Row,
    UseRow,
    end_of,
    finishes_of,
    number_of,
)
from quintet.journal.numbers import EPISODE_BITS, KINDS, event_range
from quintet.journal.schema import check_journal, connect, is_damage
from quintet.journal.spending import SpentRow, spent_query
from quintet.messages.learning import Learned
from quintet.messages.paths import LEARNER, Path, attempt_of, episode_of, order_of
from quintet.messages.prompts import ChatMessage, PromptNode
from quintet.quota.prices import ChargeTotal, Price

_T = TypeVar("_T")

_BATCH = 1000
"""Rows that are converted together, which is three times as fast."""

_IN_ORDER = f"{EPISODES} ORDER BY episode.id"
_OF_ATTEMPT = f"{EPISODES} WHERE task.name = ? AND episode.epoch = ? AND episode.attempt = ?"
_NEWEST = f"{EPISODES} WHERE task.name = ? AND episode.epoch = ? ORDER BY episode.attempt DESC LIMIT 1"
_AT_TASK = """
SELECT task.name, epoch, attempt FROM _tasks AS task JOIN _episodes ON _episodes.task = task.id
WHERE task.name = ? ORDER BY epoch, attempt
"""
_REPEATED = """
SELECT task.name, epoch, max(attempt) FROM _episodes JOIN _tasks AS task ON task.id = _episodes.task
WHERE typeof(attempt) = 'integer' GROUP BY task, epoch HAVING max(attempt) > 0
"""
_REQUEUED = f"""
{EPISODES} WHERE episode.attempt > 0 AND EXISTS (
    SELECT 1 FROM _decisions WHERE kind = ? AND _decisions.id BETWEEN
    episode.id << {EPISODE_BITS} AND (episode.id << {EPISODE_BITS}) + {(1 << EPISODE_BITS) - 1})
"""

_USED = "calls, prompt_tokens, cached_tokens, completion_tokens, bounded, unanswered"
_USED_AT_ENDS = f"SELECT episode, name, {_USED} FROM _usage LEFT JOIN _models ON id = model ORDER BY episode, model"
_USED_SO_FAR = (
    f"SELECT episode, model, {_USED} FROM usage WHERE episode IN (SELECT id FROM _episodes WHERE ended IS NULL)"
)

_FINGERPRINTS = """
SELECT DISTINCT _models.name, _settings.fingerprint
FROM _settings JOIN _models ON _models.id = _settings.model ORDER BY 1, 2
"""


class AttemptStart(NamedTuple):
    """The newest start of an attempt."""

    incarnation: int
    at: float
    """Seconds since the Unix epoch."""


class AttemptNumber(NamedTuple):
    """An attempt."""

    task: str
    epoch: int
    attempt: int


class Spending(NamedTuple):
    """Totals of an episode's model calls."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


def raise_damage(damage: Sequence[str]) -> None:
    """Raise an error after a command has shown what it could read.

    Args:
        damage: sentences of the form expected, got, where.

    Raises:
        UsageError: there is any.
    """
    if damage:
        more = f", and {len(damage) - 1} more" if len(damage) > 1 else ""
        raise UsageError(f"{damage[0]}{more}; the output lacks what could not be read")


class JournalReader:
    """Queries over a journal's connection. It never writes.

    Damaged rows are skipped and listed in `damage`, so that a person sees the rest. The writer's own reader raises
    `JournalDamaged` instead: a run that continued without its records would pay for them again.

    Args:
        connection: to the journal.
        file: for messages.
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
    def open(cls, file: FilePath) -> "JournalReader":
        """Open a journal in any process, even while its run is writing.

        Raises:
            UsageError: there is no journal, the file is something else, or it has another version.
        """
        if not file.is_file():
            found = "something else" if file.exists() else "none"
            raise UsageError(f"journal: expected a file, found {found} ({file})")
        # Without a write-ahead log there is no writer, and the file may be on read-only media.
        place = file.resolve()
        being_written = place.with_name(f"{place.name}-wal").exists()
        mode = "mode=ro" if being_written else "immutable=1"
        return cls(check_journal(connect(f"{place.as_uri()}?{mode}", uri=True), file), file)

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

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> Iterator[Row]:
        for batch in self._batches(query, values):
            yield from batch

    def _batches(self, query: str, values: Sequence[str | int]) -> Iterator[list[Row]]:
        batch: list[Row] = []
        try:
            rows = self._connection.execute(query, values)
            batch.extend(islice(rows, _BATCH))
            while batch:
                yield batch
                batch = []
                batch.extend(islice(rows, _BATCH))
        except sqlite3.ProgrammingError as error:
            raise UsageError(f"journal: expected a run that is open, got {error} ({self.file})") from error
        except sqlite3.Error as error:
            self._handle(error)
            yield batch  # the rows before the damage

    def _read(self, make: Callable[[Row], _T], rows: Iterable[Row]) -> Iterator[_T]:
        for row in rows:
            try:
                yield make(row)
            except UNREADABLE as error:
                shown = ", ".join(f"{cell!r:.60}" for cell in row[:3])
                self._record_damage(f"expected a row of this version, got {shown}: {one_line(error)}")

    def scan(
        self, query: str, check: Callable[[Sequence[Row]], Sequence[Row]], *, unit: int
    ) -> Iterator[Sequence[Row]]:
        """The rows of a query, in batches. Damaged rows are skipped; so is what lies around a damaged page.

        Args:
            query: its rows from a number on, ordered by that number, which is their first column.
            check: raises an error of `UNREADABLE` if a row is damaged.
            unit: how far behind the last sound row to go on after damage, at first; twice as far each time that fails.
        """
        first, skip = 0, 1
        while first < 1 << 63:
            batch: list[Row] = []
            failed: sqlite3.Error | None = None
            try:
                for row in self._connection.execute(query, (first,)):
                    batch.append(row)
                    first, skip = row[0] + 1, 1
                    if len(batch) == _BATCH:
                        yield from self._sound(check, batch)
                        batch = []
            except sqlite3.Error as error:
                self._handle(error)
                failed = error
            yield from self._sound(check, batch)
            if getattr(failed, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                return
            first, skip = ((first - 1) // unit + skip) * unit, skip * 2

    def _sound(self, check: Callable[[Sequence[Row]], Sequence[Row]], rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
        """The rows without the damaged ones, as one batch; none if no row is left."""
        try:
            sound = check(rows)
        except UNREADABLE:
            sound = list(self._read(lambda row: check([row])[0], rows))
        if sound:
            yield sound

    def _handle(self, error: sqlite3.Error) -> None:
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

    def _convert(self, kind: type[_T], query: str, values: Sequence[str | int] = ()) -> Iterator[_T]:
        """The rows of a query as named tuples."""
        for batch in self._batches(query, values):
            try:
                found: Iterable[_T] = msgspec.convert(batch, list[kind])  # type: ignore[valid-type]
            except UNREADABLE:
                found = self._read(partial(msgspec.convert, type=kind), batch)
            yield from found

    def episodes(self) -> Iterator[EpisodeRow]:
        """Every attempt that started, in the order of their starts, with its end."""
        return self._convert(EpisodeRow, _IN_ORDER)

    def attempts(self) -> Iterator[tuple[EpisodeRow, list[UseRow]]]:
        """Every attempt that started, in the order of their starts, with its end and what it used by model.

        An end that cannot be read counts as none.
        """
        so_far: dict[int, list[UseRow]] = {}
        for found in self._convert(UseRow, _USED_SO_FAR):
            so_far.setdefault(found.episode, []).append(found)
        at_ends = self._convert(UseRow, _USED_AT_ENDS)
        use = next(at_ends, None)
        for row in self.episodes():
            used = so_far.get(row.number, [])
            while use is not None and use.episode <= row.number:
                if use.episode == row.number:
                    used.append(use if use.unanswered is None else self._with_finishes(use))
                use = next(at_ends, None)
            if (row.fault is not None or not row.whole) and row.ended is not None and self._end_of(row) is None:
                row = row._replace(ended=None, state=None)
            yield row, used

    def _with_finishes(self, use: UseRow) -> UseRow:
        """The row; without its finish reasons if they cannot be read."""
        finishes = next(self._read(lambda _: finishes_of(use), [use]), None)
        return use if finishes is not None else use._replace(unanswered=None)

    def repeated(self) -> dict[tuple[str, int], int]:
        """By task and epoch, the number of the newest attempt, where there is more than one."""
        return {(task, epoch): attempt for task, epoch, attempt in self._convert(AttemptNumber, _REPEATED)}

    def attempts_at(self, task: str) -> dict[int, list[int]]:
        """By epoch, the numbers of the attempts at a task that started, the newest last."""
        found: dict[int, list[int]] = {}
        for _, epoch, attempt in self._convert(AttemptNumber, _AT_TASK, (task,)):
            found.setdefault(epoch, []).append(attempt)
        return found

    def _episode(self, path: Path) -> EpisodeRow | None:
        return next(self._convert(EpisodeRow, _OF_ATTEMPT, attempt_of(path)), None)

    def incarnations(self) -> dict[Path, int]:
        """The newest incarnation of every episode that started."""
        return {row.path: row.incarnation for row in self.episodes()}

    def starts(self) -> dict[Path, AttemptStart]:
        """The newest start of every attempt that started."""
        return {row.path: AttemptStart(row.incarnation, row.start) for row in self.episodes()}

    def records(self, episode: Path | None = None) -> list[Record]:
        """The records of an episode, or of all episodes, in order."""
        if episode is None:
            found = [record for row in self.episodes() for record in self.records_of(row)]
            return sorted(found, key=lambda record: order_of(record.event.path))
        row = self._episode(episode)
        return [] if row is None else self.records_of(row)

    def records_of(self, episode: EpisodeRow) -> list[Record]:
        """The records of an episode, in order."""
        prompts = Prompts()
        decoder = EventDecoder(episode.path, episode.began, prompts)
        found: list[Record] = []
        with self.snapshot():
            for _ in self._messages(episode.number, prompts):
                pass
            for table, query in EVENTS.items():
                rows = self._rows(query, event_range(episode.number))
                found += self._read(partial(decoder.record, table), rows)
        found += [end for end in [self._end_of(episode)] if end is not None]
        return sorted(found, key=lambda record: order_of(record.event.path))

    def messages(self, episode: int) -> Iterator[tuple[MessageRow, PromptNode]]:
        """The messages of the prompts of an episode's calls, each after the one that it follows.

        Args:
            episode: its number.
        """
        prompts = Prompts()
        for row in self._messages(episode, prompts):
            yield row, prompts.nodes[row.number]

    def _messages(self, episode: int, prompts: Prompts) -> Iterator[MessageRow]:
        return self._read(prompts.add, self._rows(MESSAGES, event_range(episode)))

    def ended(self) -> list[Record]:
        """The record of every ended episode."""
        ends = map(self._end_of, self.episodes())
        return sorted((end for end in ends if end is not None), key=lambda record: order_of(record.event.path))

    def ends(self) -> dict[Path, EpisodeEnded]:
        """The end of every ended episode, in the order of `ended`."""
        events = (record.event for record in self.ended())
        return {event.path: event for event in events if isinstance(event, EpisodeEnded)}

    def end(self, attempt: Path) -> EpisodeEnded | None:
        """The end of an attempt; None if it has not ended."""
        row = self._episode(attempt)
        end = None if row is None else self._end_of(row)
        return end.event if end is not None and isinstance(end.event, EpisodeEnded) else None

    def _end_of(self, episode: EpisodeRow) -> Record | None:
        return next(self._read(lambda _: end_of(episode), [episode]), None)

    def attempt(self, task: str, epoch: int) -> int | None:
        """The newest attempt at a task in an epoch; None if none has started."""
        found = next(self._convert(EpisodeRow, _NEWEST, (task, epoch)), None)
        return None if found is None else found.attempt

    def _learner(self) -> list[Record]:
        return self.records(LEARNER)

    def published(self) -> dict[int, str]:
        """What a learner published, by version."""
        row = self._episode(LEARNER)
        if row is None:
            return {}
        # Asked at the start of every episode of a run that learns: without the learner's calls.
        decoder = EventDecoder(row.path, row.began, Prompts())
        query = f"{EVENTS['_decisions']} AND event.kind = ?"
        rows = self._rows(query, (*event_range(row.number), KINDS.index(Published.kind)))
        events = (record.event for record in self._read(partial(decoder.record, "_decisions"), rows))
        return {event.version: event.content for event in events if isinstance(event, Published)}

    def version(self, number: int) -> str | None:
        """The content of a published version; None if it is not published."""
        return self.published().get(number)

    def chosen_version(self) -> int | None:
        """The version that the learner chose; None if it has not ended."""
        for record in self._learner():
            event = record.event
            if isinstance(event, Exchanged) and event.path == LEARNER:
                try:
                    return msgspec.json.decode(event.reply, type=Learned).version
                except UNREADABLE as error:
                    self._record_damage(f"expected the chosen version, got {event.reply[:60]!r}: {one_line(error)}")
        return None

    def requeued(self) -> frozenset[Path]:
        """The attempts that an operator asked for."""
        return frozenset(row.path for row in self._convert(EpisodeRow, _REQUEUED, (KINDS.index(Requeued.kind),)))

    def charged(self, prices: Mapping[str, Price]) -> ChargeTotal | None:
        """What all attempts at calls are charged; None for a run without charges.

        Args:
            prices: by model.
        """
        found = next(self._convert(SpentRow, *spent_query("0", "_charges", prices)), None)
        if found is None:
            return None
        if found.damaged:
            self._record_damage(f"expected the tokens of every charge, got {found.damaged} without")
        return ChargeTotal(found.tokens or 0, None if found.unpriced else found.nanodollars or 0)

    def fingerprints(self) -> list[FingerprintRow]:
        """The models that answered, with the fingerprints of their endpoints."""
        return list(self._convert(FingerprintRow, _FINGERPRINTS))

    def best_reward(self, episode: Path) -> float:
        """The greatest reward of a step of the episode, in [0, 1]."""
        row = self._episode(episode)
        if row is None:
            return 0.0
        query = "SELECT max(reward) FROM _steps WHERE id BETWEEN ? AND ?"
        return next(self._read(number_of, self._rows(query, event_range(row.number))), None) or 0.0

    def prompt(self, call: Path) -> tuple[ChatMessage, ...]:
        """The prompt of a call in full.

        Raises:
            UsageError: there is no such call, or a part of its prompt is missing.
        """
        row = self._episode(episode_of(call))
        below = call[len(episode_of(call)) + 1 :]
        prompts = Prompts()
        if row is not None:
            query = "SELECT prompt FROM _calls WHERE id BETWEEN ? AND ? AND path = ?"
            found = list(self._rows(query, (*event_range(row.number), below)))
            for _ in self._messages(row.number, prompts):
                pass
            if found and found[0][0] in prompts.nodes:
                return prompts.conversation(found[0][0])
        raise UsageError(f"journal: expected the whole prompt of {call}, got a part of it ({self.file})")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
