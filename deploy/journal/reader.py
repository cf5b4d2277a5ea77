"""Reading a journal: what reports, `show` and a resumed episode take from it."""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import msgspec

from deploy.journal.schema import checked, connect, node_of, record_of
from protocols.errors import JournalFault, UsageError
from protocols.events import Decided, EpisodeEnded, Exchanged, Published, Record, StepTaken
from protocols.learning import Learned
from protocols.models import Finish, Usage
from protocols.paths import LEARNER, Path, attempt_of, order_of
from protocols.prompts import ChatMessage, PromptAddress, PromptNode

_EVENTS = """
SELECT events.*, prompts.address, prompts.parent, prompts.messages
FROM events LEFT JOIN prompts
ON events.kind = 'call_made' AND prompts.address = json_extract(events.content, '$.prompt')
"""

_SPENDING = """
SELECT episode, count(*),
    sum(json_extract(content, '$.completion.usage.prompt_tokens')),
    sum(json_extract(content, '$.completion.usage.completion_tokens'))
FROM events WHERE kind = 'call_made' GROUP BY episode
"""


class Start(NamedTuple):
    """The newest start of an attempt."""

    incarnation: int
    at: float
    """Seconds since the Unix epoch."""


_USED = """
SELECT episode, json_extract(content, '$.model'),
    sum(json_extract(content, '$.completion.usage.prompt_tokens')),
    sum(json_extract(content, '$.completion.usage.cached_tokens')),
    sum(json_extract(content, '$.completion.usage.completion_tokens'))
FROM events WHERE kind = 'call_made' GROUP BY 1, 2
"""

_UNANSWERED = """
SELECT episode, json_extract(content, '$.completion.finish') AS finish, count(*)
FROM events WHERE kind = 'call_made' AND finish <> 'stop' GROUP BY 1, 2
"""

_FINGERPRINTS = """
SELECT DISTINCT json_extract(content, '$.model'), json_extract(content, '$.completion.fingerprint')
FROM events WHERE kind = 'call_made' ORDER BY 1, 2
"""


class Spending(NamedTuple):
    """What an episode's model calls came to."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class JournalReader:
    """Queries over a journal's connection; never writes."""

    def __init__(self, connection: sqlite3.Connection, *, of_writer: bool = False) -> None:
        self._connection = connection
        # What a person at the keyboard can mend is, in the middle of a run, a failure of its storage.
        self._error = JournalFault if of_writer else UsageError

    @classmethod
    def open(cls, file: FilePath) -> "JournalReader":
        """A journal read in a process of its own, also while its run goes on.

        Raises:
            UsageError: there is no journal, it is something else, or of a newer version.
        """
        if not file.is_file():
            raise UsageError(f"journal: expected a file, found none ({file})")
        # Without a write-ahead log nobody writes, and the file may lie on read-only media.
        being_written = file.with_name(f"{file.name}-wal").exists()
        mode = "mode=ro" if being_written else "immutable=1"
        return cls(checked(connect(f"{file.resolve().as_uri()}?{mode}", uri=True), file))

    @contextmanager
    def snapshot(self) -> Generator[None, None, None]:
        """Let every query inside read the journal as the first one finds it, whoever writes meanwhile."""
        self._rows("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> list[Any]:
        return list(self._stream(query, values))

    def _stream(
        self, query: str, values: Sequence[str | int] = ()
    ) -> Iterator[Any]:  # rows are as wide as the query says
        try:
            yield from self._connection.execute(query, values)
        except sqlite3.ProgrammingError as error:
            raise UsageError(f"journal: expected a run that is open, got {error}") from error
        except sqlite3.Error as error:
            raise self._error(f"journal: expected a journal that can be read, got {error}") from error

    def incarnations(self) -> dict[Path, int]:
        """Every episode that was started, with its newest incarnation."""
        return {Path(path): incarnation for path, incarnation in self._rows("SELECT path, incarnation FROM episodes")}

    def starts(self) -> dict[Path, Start]:
        """Every attempt that was started, with its newest start."""
        return {
            Path(path): Start(*start) for path, *start in self._rows("SELECT path, incarnation, started FROM episodes")
        }

    def records(self, episode: Path | None = None) -> list[Record]:
        """An episode's records as the conversation went, or those of all episodes."""
        if episode is None:
            rows = self._rows(_EVENTS)
        else:
            rows = self._rows(f"{_EVENTS} WHERE events.episode = ?", (episode,))
        return sorted(map(_record, rows), key=lambda record: order_of(record.event.path))

    def ended(self) -> list[Record]:
        """The record of every ended episode."""
        rows = self._rows(f"{_EVENTS} WHERE events.kind = ?", (EpisodeEnded.kind,))
        return sorted(map(_record, rows), key=lambda record: order_of(record.event.path))

    def ends(self) -> dict[Path, EpisodeEnded]:
        """How every ended episode ended, in the order of `ended`."""
        events = (record.event for record in self.ended())
        return {event.path: event for event in events if isinstance(event, EpisodeEnded)}

    def end(self, attempt: Path) -> EpisodeEnded | None:
        """How an attempt ended; None where it did not."""
        rows = self._rows(f"{_EVENTS} WHERE events.path = ? AND events.kind = ?", (attempt, EpisodeEnded.kind))
        event = _record(rows[0]).event if rows else None
        return event if isinstance(event, EpisodeEnded) else None

    def attempt(self, task: str, epoch: int) -> int | None:
        """The newest attempt at a task in an epoch; None where none was begun."""
        # "0" is what follows "/" among characters.
        first, after = f"{task}/{epoch}/", f"{task}/{epoch}0"
        begun = self._rows("SELECT path FROM episodes WHERE path >= ? AND path < ?", (first, after))
        return max((attempt_of(Path(path)).number for (path,) in begun), default=None)

    def published(self) -> dict[int, str]:
        """By version, what a learner published."""
        rows = self._rows(f"{_EVENTS} WHERE events.episode = ? AND events.kind = ?", (LEARNER, Published.kind))
        events = sorted((_record(row).event for row in rows), key=lambda event: order_of(event.path))
        return {event.version: event.content for event in events if isinstance(event, Published)}

    def version(self, number: int) -> str | None:
        """A version that a learner published; None where it has not."""
        found = "events.episode = ? AND events.kind = ? AND json_extract(events.content, '$.version') = ?"
        rows = self._rows(f"{_EVENTS} WHERE {found}", (LEARNER, Published.kind, number))
        event = _record(rows[0]).event if rows else None
        return event.content if isinstance(event, Published) else None

    def learned(self) -> int | None:
        """The version that the learner stands by; None where it has not ended."""
        rows = self._rows(f"{_EVENTS} WHERE events.path = ? AND events.kind = ?", (LEARNER, Exchanged.kind))
        event = _record(rows[0]).event if rows else None
        return msgspec.json.decode(event.reply, type=Learned).version if isinstance(event, Exchanged) else None

    def decided(self, question: str) -> list[Path]:
        """The paths at which something was decided."""
        rows = self._rows(f"{_EVENTS} WHERE events.kind = ?", (Decided.kind,))
        events = (_record(row).event for row in rows)
        return [event.path for event in events if isinstance(event, Decided) and event.question == question]

    def spending(self) -> dict[Path, Spending]:
        """What every episode that called a model spent."""
        return {path: Spending(*sums) for path, *sums in self._rows(_SPENDING)}

    def used(self) -> list[tuple[Path, str, Usage]]:
        """By episode and model, the sum of what answered calls used."""
        return [
            (Path(episode), model, Usage(prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion))
            for episode, model, prompt, cached, completion in self._rows(_USED)
        ]

    def unanswered(self) -> dict[Path, dict[Finish, int]]:
        """By episode, how many completions did not end by themselves, by how they ended."""
        found: dict[Path, dict[Finish, int]] = {}
        for episode, finish, number in self._rows(_UNANSWERED):
            found.setdefault(Path(episode), {})[finish] = number
        return found

    def charged(self) -> list[tuple[str, Usage]]:
        """Of every attempt in the books its model and what it is charged for; none where no books were kept."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'charges'"):
            return []  # a journal of version 1
        rows = self._rows("SELECT model, prompt_tokens, cached_tokens, completion_tokens FROM charges")
        return [
            (model, Usage(prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion))
            for model, prompt, cached, completion in rows
        ]

    def fingerprints(self) -> list[tuple[str, str]]:
        """Which models answered, and the fingerprints that their endpoints gave of themselves; "" for none."""
        return [(model, fingerprint or "") for model, fingerprint in self._rows(_FINGERPRINTS)]

    def best_reward(self, episode: Path) -> float:
        """The greatest reward that a step of the episode earned, in [0, 1]."""
        query = "SELECT max(json_extract(content, '$.reward')) FROM events WHERE episode = ? AND kind = ?"
        ((best,),) = self._rows(query, (episode, StepTaken.kind))
        return best or 0.0

    def prompt(self, address: PromptAddress) -> tuple[ChatMessage, ...]:
        """A prompt in full.

        Raises:
            KeyError: the journal has no such prompt.
        """
        messages: list[ChatMessage] = []
        wanted: str | None = address
        while wanted is not None:
            rows = self._rows("SELECT * FROM prompts WHERE address = ?", (wanted,))
            if not rows:
                raise KeyError(wanted)
            node = node_of(*rows[0])
            messages[:0] = node.appended
            wanted = node.parent
        return tuple(messages)

    def prompts(self) -> Iterator[PromptNode]:
        """Every prompt's node, by address; one at a time, since together they are most of a journal."""
        return (node_of(*row) for row in self._stream("SELECT address, parent, messages FROM prompts"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _record(row: tuple[Any, ...]) -> Record:
    event, (address, parent, messages) = row[:-3], row[-3:]
    return record_of(event, None if address is None else node_of(address, parent, messages))
