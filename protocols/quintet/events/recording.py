"""The journal's records under a path, for a replay to look up."""

from collections.abc import Sequence

from quintet.errors import ReplayMismatch
from quintet.events import CallMade, Decided, EpisodeReported, Published, Record, SessionOpened, StepTaken
from quintet.messages.paths import Path, episode_of

_LEAVES = (CallMade.kind, StepTaken.kind, SessionOpened.kind, Decided.kind, EpisodeReported.kind, Published.kind)
"""Kinds of events that are alone at their path."""


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
            if self._below and kind in _LEAVES:
                raise ReplayMismatch(
                    f"{self.path}: expected a request with {len(self.records)} events below it, got {kind}"
                )
        return found

    def below(self, path: Path) -> "Recording":
        """The recording of a child of this path."""
        return Recording(path, self._below.get(path, ()))
