"""Iterations of a learner of memories: which processes came in with a version, read from the run's store."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from quintet.errors import UsageError
from quintet.events import Exchanged, Refused
from quintet.journal.cells import UNREADABLE
from quintet.learned.iterations import IterationEvents
from quintet.learned.kind import UpdateOutcome
from quintet.memory.ids import ids_of_version
from quintet.memory.reader import MemoryReader, SourceRow, TypeRow
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.memory import Form, Formed, Remember, Remembered
from quintet.messages.message import request_name
from quintet.messages.store import Sealed
from quintet.reports.text_tables import plural
from quintet.reports.transcript import TranscriptLine

_MOST_LINES = 40
"""Processes, and types, that are listed for a version."""


_REPLIES: msgspec.json.Decoder[Formed | Remembered] = msgspec.json.Decoder(Formed | Remembered)


class TypingCounts(NamedTuple):
    """How often the model's answers about types could not be used as they were; see `Formed` and `Remembered`."""

    asked_again: int = 0
    unassigned: int = 0
    invented: int = 0
    unreadable: int = 0


@dataclass(frozen=True)
class MemoryIteration:
    """What a learner received between two versions of a memory."""

    number: int
    """Of the version that it led to."""
    run: Path
    """The run's folder."""
    refused: tuple[str, ...] = ()
    """The endpoint's messages if a model permanently refused a request of the learner."""
    counts: TypingCounts = field(default_factory=TypingCounts)
    attempts: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    failed: str = ""
    """Always empty: whatever was refused, the rest came in."""

    def outcome(self, content: str, before: str) -> UpdateOutcome:
        """See `LearntIteration`."""
        return "changed" if msgspec.json.decode(content, type=Sealed).added else "unchanged"

    def changes(self, content: str, before: str) -> Iterator[TranscriptLine]:
        """The processes that came in, and the new types."""
        try:
            sources, types = self._added()
        except UsageError as error:
            yield TranscriptLine(1, "note", str(error))
            return
        yield from _some([_source_text(row) for row in sources], "process", "processes")
        yield from _some([_type_text(row) for row in types], "type", "types")

    def _added(self) -> tuple[list[SourceRow], list[TypeRow]]:
        """What came in with the version.

        Raises:
            UsageError: the store cannot be read.
        """
        with closing(MemoryReader.open(self.run / MEMORY_FILE)) as reader:
            return list(reader.sources(ids_of_version(self.number))), list(
                reader.types(range(self.number, self.number + 1))
            )

    def failures(self) -> Iterator[str]:
        """The requests that were refused, and the texts that the model gave no type."""
        for reason in self.refused:
            yield f"a request was refused: {reason}"
        if self.counts.unassigned:
            yield f"{plural(self.counts.unassigned, 'text')} that the model left out twice: put into the smallest type"
        if self.counts.unreadable:
            yield f"{plural(self.counts.unreadable, 'text')} without a readable type: put into the smallest type"

    def document(self, succeeded: Mapping[str, bool]) -> str:
        """Empty: the copy of a version says what came in with it."""
        return ""

    def fields(self) -> dict[str, Any]:
        """The processes that came in and the new types, for programs; empty if the store cannot be read."""
        try:
            sources, types = self._added()
        except UsageError:
            sources, types = [], []
        return {
            "processes": [
                {
                    "source": row.source,
                    "goal": row.goal,
                    "reward": row.reward,
                    "batch": row.batch,
                    "tuples": row.tuples,
                }
                for row in sources
            ],
            "new_types": len(types),
            "refused": list(self.refused),
            **self.counts._asdict(),
        }


def memory_iteration(number: int, part: IterationEvents, run: Path) -> MemoryIteration:
    """The iteration that leads to a version.

    Args:
        number: of the version.
        part: the learner's events.
        run: the run's folder.
    """
    refused = tuple(event.reason for event in part.events if isinstance(event, Refused))
    return MemoryIteration(number, run, refused, _counts(part), part.attempts)


def _counts(part: IterationEvents) -> TypingCounts:
    requests = (request_name(Form), request_name(Remember))
    answered = (event for event in part.events if isinstance(event, Exchanged) and event.request in requests)
    made = [_read(event.reply) for event in answered]
    formed = [reply for reply in made if isinstance(reply, Formed)]
    return TypingCounts(
        asked_again=sum(reply.asked_again for reply in formed),
        unassigned=sum(reply.unassigned for reply in formed),
        invented=sum(reply.invented for reply in formed),
        unreadable=sum(reply.unreadable for reply in made if isinstance(reply, Remembered)),
    )


def _read(reply: str) -> Formed | Remembered | None:
    """Decode a reply; None if it is in the format of another version."""
    try:
        return _REPLIES.decode(reply)
    except UNREADABLE:
        return None


def _source_text(row: SourceRow) -> str:
    return f"{plural(row.tuples, 'tuple')} of {row.source}, reward {row.reward:g}, batch memory {row.batch}: {row.goal}"


def _type_text(row: TypeRow) -> str:
    new = row.type
    if new.goal_type is None:
        return f"batch memory {row.batch}, goal type {new.number}: {new.name}"
    return f"batch memory {row.batch}, goal type {new.goal_type}, observation type {new.number}: {new.name}"


def _some(texts: list[str], one: str, many: str) -> Iterator[TranscriptLine]:
    for text in islice(texts, _MOST_LINES):
        yield TranscriptLine(1, "added", f"+ {text}")
    if len(texts) > _MOST_LINES:
        left = len(texts) - _MOST_LINES
        yield TranscriptLine(1, "note", f"and {left:,} more {one if left == 1 else many}")
