"""Recordings: what the journal already holds under a path, as a replay consults it."""

from collections.abc import Sequence

from protocols.events import Record
from protocols.paths import Path


class Recording:
    """The records at one path, and those below it by the child they belong to. Empty on a first run."""

    __slots__ = ("_below", "_here", "path", "records")

    def __init__(self, path: Path, records: Sequence[Record] = ()) -> None:
        self.path = path
        self.records = records
        self._here: dict[str, Record] = {}
        self._below: dict[Path, list[Record]] = {}
        depth = path.count("/") + 2
        for record in records:
            event = record.event
            if event.path == path:
                self._here[event.kind] = record
            else:
                below = Path("/".join(event.path.split("/", depth)[:depth]))
                self._below.setdefault(below, []).append(record)

    def here(self, kind: str) -> Record | None:
        """The record of that kind at this very path."""
        return self._here.get(kind)

    def below(self, path: Path) -> "Recording":
        """The recording of a child of this path."""
        return Recording(path, self._below.get(path, ()))
