"""The journal's records under a path, for a replay to look up and to compare with."""

from collections.abc import Sequence

import msgspec

from quintet.errors import ReplayMismatch
from quintet.events import (
    CallMade,
    Decided,
    EpisodeReported,
    Event,
    Exchanged,
    NodeGrown,
    Published,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
    TrialEnded,
)
from quintet.messages.for_worlds import FOR_WORLDS_PHASES
from quintet.messages.paths import Path, episode_of

_LEAVES = tuple(
    event.kind
    for event in (
        CallMade,
        SessionOpened,
        SessionForked,
        NodeGrown,
        TrialEnded,
        Decided,
        EpisodeReported,
        Published,
    )
)
"""Kinds of events that have nothing below their path."""


class Recording:
    """The records at one path, and those below it by the child they belong to. Empty on a first run."""

    __slots__ = ("_below", "_here", "path", "records")

    def __init__(self, path: Path, records: Sequence[Record] = ()) -> None:
        self.path = path
        self.records = records
        self._here: dict[str, Record] = {}
        self._below: dict[Path, list[Record]] = {}
        if not records:
            return
        depth = path.count("/") + 2
        for record in records:
            event = record.event
            if event.path == path:
                self._here[event.kind] = record
            else:
                below = Path("/".join(event.path.split("/", depth)[:depth]))
                self._below.setdefault(below, []).append(record)

    def here(self, kind: str | None) -> Record | None:
        """The record at this path itself, looked up when an event of this kind happens now.

        Args:
            kind: of the event to be journaled here; None if there is none.

        Raises:
            ReplayMismatch: something else happened here when it was recorded. An episode's own path may hold several.
        """
        found = self._here.get(kind) if kind is not None else None
        if found is None and self.records and self.path != episode_of(self.path):
            if self._here:
                raise ReplayMismatch(
                    f"{self.path}: expected {next(iter(self._here))}, got {kind or 'nothing journaled'}"
                )
            if self._below and (kind in _LEAVES or (kind == StepTaken.kind and not self._is_for_world)):
                raise ReplayMismatch(
                    f"{self.path}: expected a request with {len(self.records)} events below it, got {kind}"
                )
        return found

    @property
    def _is_for_world(self) -> bool:
        """Whether everything below this path belongs to a judge or a user, whom a step asked."""
        events = [record.event for record in self.records]
        calls = all(event.phase in FOR_WORLDS_PHASES for event in events if isinstance(event, CallMade))
        requests = all(event.request in FOR_WORLDS_PHASES for event in events if isinstance(event, Exchanged))
        return calls and requests and all(isinstance(event, CallMade | Exchanged) for event in events)

    def has(self, event: Event) -> bool:
        """Whether an event that happens now at this path is recorded.

        Raises:
            ReplayMismatch: something else is; of the same kind of event, it names the first field and line that differ.
        """
        recorded = self.here(event.kind)
        if recorded is not None and recorded.event != event:
            raise ReplayMismatch(f"{self.path}: {event.kind}: {_difference(recorded.event, event)}")
        return recorded is not None

    def below(self, path: Path) -> "Recording":
        """The recording of a child of this path."""
        return Recording(path, self._below.get(path, ()))


def _difference(recorded: Event, now: Event) -> str:
    before, after = msgspec.to_builtins(recorded), msgspec.to_builtins(now)
    name = next(name for name, value in before.items() if after.get(name) != value)
    return f"{name}: {first_difference(str(before[name]), str(after.get(name)))}"


def first_difference(expected: str, got: str) -> str:
    """The first line in which two texts differ, as `line 3: expected ..., got ...`."""
    before, now = expected.splitlines(), got.splitlines()
    for number in range(max(len(before), len(now))):
        old = before[number] if number < len(before) else None
        new = now[number] if number < len(now) else None
        if old != new:
            return f"line {number + 1}: expected {_quote(old)}, got {_quote(new)}"
    return "line ends differ"


def _quote(line: str | None) -> str:
    return "nothing" if line is None else repr(line)
