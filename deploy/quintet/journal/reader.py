"""Queries over a journal, for reports, `show` and resumed episodes."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeVar

import msgspec

from quintet.errors import JournalDamaged, JournalFault, UsageError, one_line
from quintet.events import CallMade, EpisodeEnded, Exchanged, Published, Record, Requeued, StepTaken
from quintet.journal.rows import (
    UNREADABLE,
    FingerprintRow,
    Row,
    StartRow,
    UseRow,
    charge_of,
    fingerprint_of,
    finish_of,
    node_of,
    number_of,
    record_of,
    start_of,
    use_of,
)
from quintet.journal.schema import check_journal, connect, is_damage
from quintet.messages.learning import Learned
from quintet.messages.paths import LEARNER, Path, attempt_of, order_of
from quintet.messages.prompts import ChatMessage, PromptAddress, PromptNode
from quintet.ports.model import Finish, Usage

_T = TypeVar("_T")

_JSON = "CASE WHEN json_valid(events.content) THEN events.content END"
"""NULL for broken JSON, on which SQLite's JSON functions would end the whole query."""

_EVENTS = f"""
SELECT events.path, events.kind, events.incarnation, events.host, events.at, events.seconds, events.content,
    prompts.address, prompts.parent, prompts.messages
FROM events LEFT JOIN prompts
ON events.kind = '{CallMade.kind}' AND prompts.address = json_extract({_JSON}, '$.prompt')
"""

_USED = f"""
SELECT episode, json_extract(content, '$.model'), count(*),
    sum(json_extract(content, '$.completion.usage.prompt_tokens')),
    sum(json_extract(content, '$.completion.usage.cached_tokens')),
    sum(json_extract(content, '$.completion.usage.completion_tokens'))
FROM (SELECT episode, kind, {_JSON} AS content FROM events) AS events
"""
_BY_MODEL = "GROUP BY 1, 2"

_FINISHES = f"""
SELECT episode, json_extract(content, '$.completion.finish'), count(*)
FROM (SELECT episode, kind, {_JSON} AS content FROM events) AS events
"""
_BY_FINISH = "GROUP BY 1, 2"

_BOUNDED = f"""
SELECT count(*) FROM (SELECT {_JSON} AS content FROM events WHERE kind = '{CallMade.kind}')
WHERE json_extract(content, '$.bounded')
"""

_FINGERPRINTS = f"""
SELECT DISTINCT json_extract(content, '$.model'), json_extract(content, '$.completion.fingerprint')
FROM (SELECT {_JSON} AS content FROM events WHERE kind = '{CallMade.kind}') ORDER BY 1, 2
"""

_CHARGED = "SELECT model, prompt_tokens, cached_tokens, completion_tokens FROM charges"


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


def spending(used: Iterable[UseRow]) -> dict[Path, Spending]:
    """Totals of every episode that called a model, over all models."""
    found: dict[Path, Spending] = {}
    for use in used:
        before = found.get(use.episode, Spending())
        found[use.episode] = Spending(
            before.calls + use.calls,
            before.prompt_tokens + use.prompt_tokens,
            before.completion_tokens + use.completion_tokens,
        )
    return found


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

    def _of_all(self, query: str, kind: str, after: str = "") -> list[Row]:
        """Query the events of a kind. If pages are damaged, query one episode after the other."""
        try:
            return self._connection.execute(f"{query} WHERE events.kind = ? {after}", (kind,)).fetchall()
        except sqlite3.ProgrammingError as error:
            raise UsageError(f"journal: expected a run that is open, got {error} ({self.file})") from error
        except sqlite3.Error as error:
            self._handle(error)
        each = f"{query} WHERE events.kind = ? AND events.episode = ? {after}"
        return [row for episode in self.incarnations() for row in self._rows(each, (kind, episode))]

    def incarnations(self) -> dict[Path, int]:
        """The newest incarnation of every episode that started."""
        return {start.path: start.incarnation for start in self._starts()}

    def starts(self) -> dict[Path, AttemptStart]:
        """The newest start of every attempt that started."""
        return {start.path: AttemptStart(start.incarnation, start.started) for start in self._starts()}

    def _starts(self) -> Iterator[StartRow]:
        return self._read(start_of, self._rows("SELECT path, incarnation, started FROM episodes"))

    def records(self, episode: Path | None = None) -> list[Record]:
        """The records of an episode, or of all episodes, in order."""
        if episode is None:
            rows = self._rows(_EVENTS)
        else:
            rows = self._rows(f"{_EVENTS} WHERE events.episode = ?", (episode,))
        return self._in_order(rows)

    def _in_order(self, rows: Iterable[Row]) -> list[Record]:
        return sorted(self._read(record_of, rows), key=lambda record: order_of(record.event.path))

    def ended(self) -> list[Record]:
        """The record of every ended episode."""
        return self._in_order(self._of_all(_EVENTS, EpisodeEnded.kind))

    def ends(self) -> dict[Path, EpisodeEnded]:
        """The end of every ended episode, in the order of `ended`."""
        events = (record.event for record in self.ended())
        return {event.path: event for event in events if isinstance(event, EpisodeEnded)}

    def end(self, attempt: Path) -> EpisodeEnded | None:
        """The end of an attempt; None if it has not ended."""
        event = self._at(attempt, EpisodeEnded.kind)
        return event if isinstance(event, EpisodeEnded) else None

    def _at(self, path: Path, kind: str) -> Any:
        rows = self._rows(f"{_EVENTS} WHERE events.path = ? AND events.kind = ?", (path, kind))
        return next((record.event for record in self._read(record_of, rows)), None)

    def attempt(self, task: str, epoch: int) -> int | None:
        """The newest attempt at a task in an epoch; None if none has started."""
        # "0" is the character after "/".
        first, after = f"{task}/{epoch}/", f"{task}/{epoch}0"
        query = "SELECT path, incarnation, started FROM episodes WHERE path >= ? AND path < ?"
        begun = self._read(start_of, self._rows(query, (first, after)))
        return max((attempt_of(start.path).number for start in begun), default=None)

    def published(self) -> dict[int, str]:
        """What a learner published, by version."""
        rows = self._rows(f"{_EVENTS} WHERE events.episode = ? AND events.kind = ?", (LEARNER, Published.kind))
        events = (record.event for record in self._in_order(rows))
        return {event.version: event.content for event in events if isinstance(event, Published)}

    def version(self, number: int) -> str | None:
        """The content of a published version; None if it is not published."""
        found = f"events.episode = ? AND events.kind = ? AND json_extract({_JSON}, '$.version') = ?"
        rows = self._rows(f"{_EVENTS} WHERE {found}", (LEARNER, Published.kind, number))
        events = (record.event for record in self._read(record_of, rows))
        return next((event.content for event in events if isinstance(event, Published)), None)

    def chosen_version(self) -> int | None:
        """The version that the learner chose; None if it has not ended."""
        event = self._at(LEARNER, Exchanged.kind)
        if not isinstance(event, Exchanged):
            return None
        try:
            return msgspec.json.decode(event.reply, type=Learned).version
        except UNREADABLE as error:
            self._record_damage(f"expected the chosen version, got {event.reply[:60]!r}: {one_line(error)}")
            return None

    def requeued(self) -> frozenset[Path]:
        """The attempts that an operator asked for."""
        rows = self._of_all(_EVENTS, Requeued.kind)
        return frozenset(record.event.path for record in self._read(record_of, rows))

    def used(self) -> list[UseRow]:
        """Usage of answered calls, by episode and model."""
        return list(self._read(use_of, self._of_all(_USED, CallMade.kind, _BY_MODEL)))

    def unanswered(self) -> dict[Path, dict[Finish, int]]:
        """By episode, the number of completions that did not stop by themselves, by finish reason."""
        found: dict[Path, dict[Finish, int]] = {}
        for row in self._read(finish_of, self._of_all(_FINISHES, CallMade.kind, _BY_FINISH)):
            if row.finish != "stop":
                found.setdefault(row.episode, {})[row.finish] = row.calls
        return found

    def bounded(self) -> int:
        """Number of completions that were out of bounds: an impossible usage, or too long."""
        return int(next(self._read(number_of, self._rows(_BOUNDED)), None) or 0)

    def charged(self) -> list[tuple[str, Usage]]:
        """Model and charged usage of every attempt; empty for a run without charges."""
        return list(self._read(charge_of, self._rows(_CHARGED)))

    def fingerprints(self) -> list[FingerprintRow]:
        """The models that answered, with the fingerprints of their endpoints."""
        return list(self._read(fingerprint_of, self._rows(_FINGERPRINTS)))

    def best_reward(self, episode: Path) -> float:
        """The greatest reward of a step of the episode, in [0, 1]."""
        query = f"SELECT max(json_extract({_JSON}, '$.reward')) FROM events WHERE episode = ? AND kind = ?"
        return next(self._read(number_of, self._rows(query, (episode, StepTaken.kind))), None) or 0.0

    def prompt(self, address: PromptAddress) -> tuple[ChatMessage, ...]:
        """A prompt in full.

        Raises:
            UsageError: a part of it is missing.
        """
        messages: list[ChatMessage] = []
        wanted: PromptAddress | None = address
        seen: set[str] = set()
        while wanted is not None:
            rows = self._rows("SELECT address, parent, messages FROM prompts WHERE address = ?", (wanted,))
            node = next(self._read(node_of, rows), None)
            if node is None or wanted in seen:
                raise UsageError(f"journal: expected the whole prompt {address}, got a part of it ({self.file})")
            seen.add(wanted)
            messages[:0] = node.appended
            wanted = node.parent
        return tuple(messages)

    def prompts(self) -> Iterator[PromptNode]:
        """Every prompt's node, one at a time: together they are most of a journal."""
        return self._read(node_of, self._rows("SELECT address, parent, messages FROM prompts"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
