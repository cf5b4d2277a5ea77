"""Reading a journal: what reports, `show` and a resumed episode take from it."""

import sqlite3
from pathlib import Path as FilePath
from typing import NamedTuple

from deploy.journal.schema import EventRow, check_version, node_of, record_of
from protocols.errors import UsageError
from protocols.events import EpisodeEnded, Record
from protocols.paths import Path, order_of
from protocols.prompts import ChatMessage, PromptAddress

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


class Spending(NamedTuple):
    """What an episode's model calls came to."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class JournalReader:
    """Queries over a journal's connection; never writes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, file: FilePath) -> "JournalReader":
        """A journal read in a process of its own, also while its run goes on.

        Raises:
            UsageError: there is no journal, it is something else, or of a newer version.
        """
        if not file.is_file():
            raise UsageError(f"journal: expected a file, found none ({file})")
        connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        check_version(connection, file)
        return cls(connection)

    def incarnations(self) -> dict[Path, int]:
        """Every episode that was started, with its newest incarnation."""
        return dict(self._connection.execute("SELECT path, incarnation FROM episodes"))

    def started(self, episode: Path) -> float | None:
        """When the newest incarnation began, in seconds since the Unix epoch; None: never."""
        row = self._connection.execute("SELECT started FROM episodes WHERE path = ?", (episode,)).fetchone()
        return None if row is None else row[0]

    def records(self, episode: Path | None = None) -> list[Record]:
        """An episode's records as the conversation went, or those of all episodes."""
        if episode is None:
            rows = self._connection.execute(_EVENTS)
        else:
            rows = self._connection.execute(f"{_EVENTS} WHERE events.episode = ?", (episode,))
        return sorted(map(_record, rows), key=lambda record: order_of(record.event.path))

    def ended(self) -> list[Record]:
        """The record of every ended episode."""
        rows = self._connection.execute(f"{_EVENTS} WHERE events.kind = ?", (EpisodeEnded.kind,))
        return sorted(map(_record, rows), key=lambda record: order_of(record.event.path))

    def spending(self) -> dict[Path, Spending]:
        """What every episode that called a model spent."""
        return {path: Spending(*sums) for path, *sums in self._connection.execute(_SPENDING)}

    def prompt(self, address: PromptAddress) -> tuple[ChatMessage, ...]:
        """A prompt in full.

        Raises:
            KeyError: the journal has no such prompt.
        """
        messages: list[ChatMessage] = []
        wanted: str | None = address
        while wanted is not None:
            row = self._connection.execute("SELECT * FROM prompts WHERE address = ?", (wanted,)).fetchone()
            if row is None:
                raise KeyError(wanted)
            node = node_of(*row)
            messages[:0] = node.appended
            wanted = node.parent
        return tuple(messages)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _record(row: tuple[object, ...]) -> Record:
    *event, address, parent, messages = row
    node = None if address is None else node_of(str(address), _text(parent), str(messages))
    return record_of(_event_row(event), node)


def _event_row(row: list[object]) -> EventRow:
    return tuple(row)  # type: ignore[return-value]


def _text(value: object) -> str | None:
    return None if value is None else str(value)
