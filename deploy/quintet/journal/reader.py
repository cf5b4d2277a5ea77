"""Queries over a journal, for reports, `show` and resumed episodes."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
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
    charge_of,
    end_of,
    episode_of_row,
    fingerprint_of,
    number_of,
    use_of,
)
from quintet.journal.numbers import EPISODE_BITS, KINDS, event_range
from quintet.journal.schema import check_journal, connect, is_damage
from quintet.messages.learning import Learned
from quintet.messages.paths import LEARNER, Path, attempt_of, episode_of, order_of
from quintet.messages.prompts import ChatMessage, PromptNode
from quintet.ports.model import Usage

_T = TypeVar("_T")

_BATCH = 1000

_OF_ATTEMPT = f"{EPISODES} WHERE task.name = ? AND episode.epoch = ? AND episode.attempt = ?"

_USED = """
SELECT episode, model, calls, prompt_tokens, cached_tokens, completion_tokens, bounded,
    CASE WHEN json_valid(unanswered) THEN unanswered END FROM usage
"""

_CHARGED = """
SELECT _models.name, prompt_tokens, cached_tokens, completion_tokens
FROM _charges JOIN _models ON _models.id = _charges.model
"""

_FINGERPRINTS = """
SELECT DISTINCT _models.name, _settings.fingerprint
FROM _settings JOIN _models ON _models.id = _settings.model ORDER BY 1, 2
"""


class AttemptStart(NamedTuple):
    """The newest start of an attempt."""

    incarnation: int
    at: float
    """Seconds since the Unix epoch."""


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
        list(self._rows("BEGIN"))
        try:
            yield
        finally:
            self._connection.rollback()

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> Iterator[Row]:
        try:
            # Not `yield from`: if a query is left early it would close the cursor, perhaps after the journal.
            for row in self._connection.execute(query, values):  # noqa: UP028
                yield row
        except sqlite3.ProgrammingError as error:
            raise UsageError(f"journal: expected a run that is open, got {error} ({self.file})") from error
        except sqlite3.Error as error:
            self._handle(error)

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

    def episodes(self) -> list[EpisodeRow]:
        """Every attempt that started, in the order of their starts, with their ends."""
        return list(self._read(episode_of_row, self._rows(f"{EPISODES} ORDER BY episode.id")))

    def _episode(self, path: Path) -> EpisodeRow | None:
        found = self._read(episode_of_row, self._rows(_OF_ATTEMPT, attempt_of(path)))
        return next(found, None)

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
        for _ in self._messages(episode.number, prompts):
            pass
        decoder = EventDecoder(episode.path, episode.began, prompts)
        found: list[Record] = []
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
        query = f"{EPISODES} WHERE task.name = ? AND episode.epoch = ?"
        begun = self._read(episode_of_row, self._rows(query, (task, epoch)))
        return max((row.attempt for row in begun), default=None)

    def _learner(self) -> list[Record]:
        return self.records(LEARNER)

    def published(self) -> dict[int, str]:
        """What a learner published, by version."""
        events = [record.event for record in self._learner()]
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
        query = f"{EPISODES} WHERE episode.id IN (SELECT id >> {EPISODE_BITS} FROM _decisions WHERE kind = ?)"
        rows = self._rows(query, (KINDS.index(Requeued.kind),))
        return frozenset(row.path for row in self._read(episode_of_row, rows))

    def used(self) -> list[UseRow]:
        """Usage of answered calls, by episode and model."""
        return list(self._read(use_of, self._rows(_USED)))

    def charged(self) -> list[tuple[str, Usage]]:
        """Model and charged usage of every attempt; empty for a run without charges."""
        return list(self._read(charge_of, self._rows(_CHARGED)))

    def fingerprints(self) -> list[FingerprintRow]:
        """The models that answered, with the fingerprints of their endpoints."""
        return list(self._read(fingerprint_of, self._rows(_FINGERPRINTS)))

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
