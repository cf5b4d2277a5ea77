"""The spans of an episode: what happened between which times, inside what.

Every path is a span, and its parent is the path above it. So what a span is called follows from its path alone, and
whether a run is followed live or read back makes no difference. A path at which nothing is journaled, such as that of
a branch, gets a span that covers what is below it.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from quintet.events import CallMade, EpisodeEnded, Exchanged, Record, StepTaken
from quintet.messages.paths import Path, is_within, parent

SpanKind: TypeAlias = Literal["episode", "request", "branch", "call", "step"]


class Span(NamedTuple):
    """Something that took time, in one episode."""

    path: Path
    kind: SpanKind
    start: float
    """Seconds since the Unix epoch, as `end`."""
    end: float
    record: Record | None
    """What the journal has of it: a call, a step, an exchange or an episode's end. None for a branch, and for what has
    not ended."""


class EpisodeSpans:
    """Turns the records of one episode into spans as they come.

    Args:
        episode: its path.
    """

    def __init__(self, episode: Path) -> None:
        self._episode = episode
        self._extents: dict[Path, tuple[float, float]] = {episode: (float("inf"), 0.0)}
        """Of the paths that have no span yet: when the first thing below began, and the last ended."""
        self._done: set[Path] = set()

    def add(self, record: Record) -> Iterator[Span]:
        """The spans that a record completes: its own, and at the episode's end those without a record."""
        event, start = record.event, record.at - record.seconds
        match event:
            case EpisodeEnded():
                yield from self.rest(record)
            case CallMade():
                self._extend(event.path, start, record.at)
                yield Span(event.path, "call", start, record.at, record)
            case StepTaken():
                self._extend(event.path, start, record.at)
                yield Span(event.path, "step", start, record.at, record)
            case Exchanged() if event.path != self._episode:
                self._extend(event.path, start, record.at)
                self._done.add(event.path)
                self._extents.pop(event.path, None)
                yield Span(event.path, "request", start, record.at, record)
            case _:
                self._extend(event.path, record.at, record.at)

    def rest(self, end: Record | None = None) -> Iterator[Span]:
        """The spans that no record completed, innermost first, and last the episode's own.

        Args:
            end: of the episode; None if it has not ended.
        """
        (first, last), open_paths = self._extents.pop(self._episode), self._extents
        for path in sorted(open_paths, key=lambda path: -path.count("/")):
            yield Span(path, "branch", *open_paths[path], None)
        if end is not None:
            first, last = min(first, end.at - end.seconds), max(last, end.at)
        if first <= last:
            yield Span(self._episode, "episode", first, last, end)

    def _extend(self, path: Path, start: float, end: float) -> None:
        """Something at this path took so long, and so did, at least, everything that it is inside."""
        while (path := parent(path)) and is_within(path, self._episode):
            if path not in self._done:
                first, last = self._extents.get(path, (start, end))
                self._extents[path] = min(first, start), max(last, end)


def spans_of(episode: Path, records: Iterable[Record]) -> Iterator[Span]:
    """The spans of an episode that was read back, in no particular order.

    Args:
        episode: its path.
        records: all of it, in any order.
    """
    spans, end = EpisodeSpans(episode), None
    for record in records:
        if isinstance(record.event, EpisodeEnded):
            end = record
        else:
            yield from spans.add(record)
    yield from spans.rest(end)
