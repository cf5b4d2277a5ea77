"""Reading a journal: what reports, `show` and a resumed episode take from it."""

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeVar

import msgspec

from quintet.errors import JournalDamaged, JournalFault, UsageError, one_line
from quintet.events import EpisodeEnded, Exchanged, Published, Record, Requeued, StepTaken
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
from quintet.journal.schema import checked, connect, is_damage
from quintet.messages.learning import Learned
from quintet.messages.paths import LEARNER, Path, attempt_of, order_of
from quintet.messages.prompts import ChatMessage, PromptAddress, PromptNode
from quintet.ports.model import Finish, Usage

T = TypeVar("T")

_JSON = "CASE WHEN json_valid(events.content) THEN events.content END"
"""Null where SQLite's own functions would end the whole query."""

_EVENTS = f"""
SELECT events.path, events.kind, events.incarnation, events.host, events.at, events.seconds, events.content,
    prompts.address, prompts.parent, prompts.messages
FROM events LEFT JOIN prompts
ON events.kind = 'call_made' AND prompts.address = json_extract({_JSON}, '$.prompt')
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
SELECT count(*) FROM (SELECT {_JSON} AS content FROM events WHERE kind = 'call_made')
WHERE json_extract(content, '$.bounded')
"""

_FINGERPRINTS = f"""
SELECT DISTINCT json_extract(content, '$.model'), json_extract(content, '$.completion.fingerprint')
FROM (SELECT {_JSON} AS content FROM events WHERE kind = 'call_made') ORDER BY 1, 2
"""

_CHARGED = "SELECT model, prompt_tokens, cached_tokens, completion_tokens FROM charges"


class Start(NamedTuple):
    """The newest start of an attempt."""

    incarnation: int
    at: float
    """Seconds since the Unix epoch."""


class Spending(NamedTuple):
    """What an episode's model calls came to."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


def spending(used: Iterable[UseRow]) -> dict[Path, Spending]:
    """What every episode that called a model spent, whichever model it was."""
    found: dict[Path, Spending] = {}
    for use in used:
        before = found.get(use.episode, Spending())
        found[use.episode] = Spending(
            before.calls + use.calls,
            before.prompt_tokens + use.prompt_tokens,
            before.completion_tokens + use.completion_tokens,
        )
    return found


class JournalReader:
    """Queries over a journal's connection; never writes.

    What is damaged is passed over and noted in `damage`, so that a person sees the rest. The writer's own reader raises
    `JournalDamaged` instead: to go on without what was recorded would be to pay for it again.

    Args:
        connection: to the journal.
        file: for messages.
        of_writer: whether it reads for the run that is writing.
    """

    def __init__(
        self, connection: sqlite3.Connection, file: FilePath | str = ":memory:", *, of_writer: bool = False
    ) -> None:
        self._connection = connection
        self._of_writer = of_writer
        self.file = file
        self.damage: list[str] = []
        """What could not be read so far: expected, got, where."""

    @classmethod
    def open(cls, file: FilePath) -> "JournalReader":
        """A journal read in a process of its own, also while its run goes on.

        Raises:
            UsageError: there is no journal, it is something else, or of another version.
        """
        if not file.is_file():
            found = "something else" if file.exists() else "none"
            raise UsageError(f"journal: expected a file, found {found} ({file})")
        # Without a write-ahead log nobody writes, and the file may lie on read-only media.
        place = file.resolve()
        being_written = place.with_name(f"{place.name}-wal").exists()
        mode = "mode=ro" if being_written else "immutable=1"
        return cls(checked(connect(f"{place.as_uri()}?{mode}", uri=True), file), file)

    @contextmanager
    def snapshot(self) -> Generator[None, None, None]:
        """Let every query inside read the journal as the first one finds it, whoever writes meanwhile."""
        list(self._rows("BEGIN"))
        try:
            yield
        finally:
            self._connection.rollback()

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> Iterator[Row]:
        try:
            # Not `yield from`, which would close the cursor of a query that was left early, perhaps after the journal.
            for row in self._connection.execute(query, values):  # noqa: UP028
                yield row
        except sqlite3.ProgrammingError as error:
            raise UsageError(f"journal: expected a run that is open, got {error} ({self.file})") from error
        except sqlite3.Error as error:
            self._failed(error)

    def _read(self, make: Callable[[Row], T], rows: Iterable[Row]) -> Iterator[T]:
        for row in rows:
            try:
                yield make(row)
            except UNREADABLE as error:
                shown = ", ".join(f"{cell!r:.60}" for cell in row[:3])
                self._harmed(f"expected a row of this version, got {shown}: {one_line(error)}")

    def _failed(self, error: sqlite3.Error) -> None:
        text = f"expected a journal that can be read, got {one_line(error)}"
        if self._of_writer and not is_damage(error):
            raise JournalFault(f"journal: {text} ({self.file})") from error
        self._harmed(text)

    def _harmed(self, text: str) -> None:
        said = f"journal: {text} ({self.file})"
        if self._of_writer:
            raise JournalDamaged(said)
        if said not in self.damage:
            self.damage.append(said)

    def _of_all(self, query: str, kind: str, after: str = "") -> list[Row]:
        """A query over events of a kind. Where pages are damaged, one episode is asked for after the other."""
        try:
            return self._connection.execute(f"{query} WHERE events.kind = ? {after}", (kind,)).fetchall()
        except sqlite3.ProgrammingError as error:
            raise UsageError(f"journal: expected a run that is open, got {error} ({self.file})") from error
        except sqlite3.Error as error:
            self._failed(error)
        each = f"{query} WHERE events.kind = ? AND events.episode = ? {after}"
        return [row for episode in self.incarnations() for row in self._rows(each, (kind, episode))]

    def incarnations(self) -> dict[Path, int]:
        """Every episode that was started, with its newest incarnation."""
        return {start.path: start.incarnation for start in self._starts()}

    def starts(self) -> dict[Path, Start]:
        """Every attempt that was started, with its newest start."""
        return {start.path: Start(start.incarnation, start.started) for start in self._starts()}

    def _starts(self) -> Iterator[StartRow]:
        return self._read(start_of, self._rows("SELECT path, incarnation, started FROM episodes"))

    def records(self, episode: Path | None = None) -> list[Record]:
        """An episode's records as the conversation went, or those of all episodes."""
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
        """How every ended episode ended, in the order of `ended`."""
        events = (record.event for record in self.ended())
        return {event.path: event for event in events if isinstance(event, EpisodeEnded)}

    def end(self, attempt: Path) -> EpisodeEnded | None:
        """How an attempt ended; None where it did not."""
        event = self._at(attempt, EpisodeEnded.kind)
        return event if isinstance(event, EpisodeEnded) else None

    def _at(self, path: Path, kind: str) -> Any:
        rows = self._rows(f"{_EVENTS} WHERE events.path = ? AND events.kind = ?", (path, kind))
        return next((record.event for record in self._read(record_of, rows)), None)

    def attempt(self, task: str, epoch: int) -> int | None:
        """The newest attempt at a task in an epoch; None where none was begun."""
        # "0" is what follows "/" among characters.
        first, after = f"{task}/{epoch}/", f"{task}/{epoch}0"
        query = "SELECT path, incarnation, started FROM episodes WHERE path >= ? AND path < ?"
        begun = self._read(start_of, self._rows(query, (first, after)))
        return max((attempt_of(start.path).number for start in begun), default=None)

    def published(self) -> dict[int, str]:
        """By version, what a learner published."""
        rows = self._rows(f"{_EVENTS} WHERE events.episode = ? AND events.kind = ?", (LEARNER, Published.kind))
        events = (record.event for record in self._in_order(rows))
        return {event.version: event.content for event in events if isinstance(event, Published)}

    def version(self, number: int) -> str | None:
        """A version that a learner published; None where it has not."""
        found = f"events.episode = ? AND events.kind = ? AND json_extract({_JSON}, '$.version') = ?"
        rows = self._rows(f"{_EVENTS} WHERE {found}", (LEARNER, Published.kind, number))
        events = (record.event for record in self._read(record_of, rows))
        return next((event.content for event in events if isinstance(event, Published)), None)

    def learned(self) -> int | None:
        """The version that the learner stands by; None where it has not ended."""
        event = self._at(LEARNER, Exchanged.kind)
        if not isinstance(event, Exchanged):
            return None
        try:
            return msgspec.json.decode(event.reply, type=Learned).version
        except UNREADABLE as error:
            self._harmed(f"expected which version was learnt, got {event.reply[:60]!r}: {one_line(error)}")
            return None

    def requeued(self) -> frozenset[Path]:
        """The attempts that an operator asked for."""
        rows = self._of_all(_EVENTS, Requeued.kind)
        return frozenset(record.event.path for record in self._read(record_of, rows))

    def used(self) -> list[UseRow]:
        """By episode and model, what answered calls used."""
        return list(self._read(use_of, self._of_all(_USED, "call_made", _BY_MODEL)))

    def unanswered(self) -> dict[Path, dict[Finish, int]]:
        """By episode, how many completions did not end by themselves, by how they ended."""
        found: dict[Path, dict[Finish, int]] = {}
        for row in self._read(finish_of, self._of_all(_FINISHES, "call_made", _BY_FINISH)):
            if row.finish != "stop":
                found.setdefault(row.episode, {})[row.finish] = row.calls
        return found

    def bounded(self) -> int:
        """How many completions were out of bounds: more tokens than can have been used, or too long."""
        return int(next(self._read(number_of, self._rows(_BOUNDED)), None) or 0)

    def charged(self) -> list[tuple[str, Usage]]:
        """Of every attempt in the books its model and what it is charged for; none where no books were kept."""
        return list(self._read(charge_of, self._rows(_CHARGED)))

    def fingerprints(self) -> list[FingerprintRow]:
        """Which models answered, and the fingerprints that their endpoints gave of themselves."""
        return list(self._read(fingerprint_of, self._rows(_FINGERPRINTS)))

    def best_reward(self, episode: Path) -> float:
        """The greatest reward that a step of the episode earned, in [0, 1]."""
        query = f"SELECT max(json_extract({_JSON}, '$.reward')) FROM events WHERE episode = ? AND kind = ?"
        return next(self._read(number_of, self._rows(query, (episode, StepTaken.kind))), None) or 0.0

    def prompt(self, address: PromptAddress) -> tuple[ChatMessage, ...]:
        """A prompt in full.

        Raises:
            UsageError: the journal does not have all of it.
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
        """Every prompt's node, by address; one at a time, since together they are most of a journal."""
        return self._read(node_of, self._rows("SELECT address, parent, messages FROM prompts"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
