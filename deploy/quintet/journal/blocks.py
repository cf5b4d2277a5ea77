"""The blocks of an episode: what happened, between which times, inside what. Every output formats these.

A block's parent is the block at the path above its own, so whether a run is followed live or read back makes no
difference. A path at which nothing is journaled, such as that of a branch, gets a block that covers what is below it.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from quintet.events import CallMade, EpisodeEnded, Exchanged, Record, StepTaken
from quintet.messages.paths import Path, episode_of, is_within, order_of, parent

BlockKind: TypeAlias = Literal["episode", "request", "branch", "call", "step", "note"]
"""What it is. A note takes no time; its event says what it is."""


class Block(NamedTuple):
    """A part of an episode."""

    path: Path
    kind: BlockKind
    start: float
    """Seconds since the Unix epoch, as `end`."""
    end: float
    record: Record | None
    """What the journal has of it; of an episode its end. None for a branch, and for an episode that has not ended."""


class EpisodeBlocks:
    """Turns the records of one episode into blocks as they come."""

    def __init__(self, episode: Path) -> None:
        self._episode = episode
        self._extents: dict[Path, tuple[float, float]] = {episode: (float("inf"), 0.0)}
        """Of the paths that have no block yet: when the first thing below began, and the last ended."""
        self._done: set[Path] = set()

    def add(self, record: Record) -> Iterator[Block]:
        """The blocks that a record completes: its own, and at the episode's end those without a record."""
        event, start = record.event, record.at - record.seconds
        match event:
            case EpisodeEnded():
                yield from self.rest(record)
            case CallMade():
                self._extend(event.path, start, record.at)
                yield Block(event.path, "call", start, record.at, record)
            case StepTaken():
                self._extend(event.path, start, record.at)
                yield Block(event.path, "step", start, record.at, record)
            case Exchanged() if event.path != self._episode:
                self._extend(event.path, start, record.at)
                self._done.add(event.path)
                self._extents.pop(event.path, None)
                yield Block(event.path, "request", start, record.at, record)
            case _:
                self._extend(event.path, record.at, record.at)
                yield Block(event.path, "note", record.at, record.at, record)

    def rest(self, end: Record | None = None) -> Iterator[Block]:
        """The blocks that no record completed, innermost first, and last the episode's own."""
        (first, last), open_paths = self._extents.pop(self._episode), self._extents
        for path in sorted(open_paths, key=lambda path: -path.count("/")):
            yield Block(path, "branch", *open_paths[path], None)
        if end is not None:
            first, last = min(first, end.at - end.seconds), max(last, end.at)
        if first <= last:
            yield Block(self._episode, "episode", first, last, end)

    def _extend(self, path: Path, start: float, end: float) -> None:
        """Something at this path took so long, and so did, at least, everything that it is inside."""
        while (path := parent(path)) and is_within(path, self._episode):
            if path not in self._done:
                first, last = self._extents.get(path, (start, end))
                self._extents[path] = min(first, start), max(last, end)


def read_blocks(records: Sequence[Record]) -> list[Block]:
    """The blocks of all records of an episode, in the order of the conversation, the episode's own last."""
    if not records:
        return []
    blocks, end = EpisodeBlocks(episode_of(records[0].event.path)), None
    found: list[Block] = []
    for record in records:
        if isinstance(record.event, EpisodeEnded):
            end = record
        else:
            found += blocks.add(record)
    found += blocks.rest(end)
    return sorted(found, key=lambda block: (block.kind == "episode", order_of(block.path), block.kind == "note"))
