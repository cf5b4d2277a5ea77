"""What two runs are compared by."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from quintet.events import AnyEvent, BranchEnded, BranchStopped, Decided, EpisodeReported, Record
from quintet.messages.paths import Path, parent

Content: TypeAlias = Mapping[tuple[Path, str], AnyEvent]
"""Events by path and kind."""


def content(events: Iterable[AnyEvent]) -> Content:
    """All events, except those below a stopped branch: how far it came depends on time."""
    events = list(events)
    stopped = {event.path for event in events if isinstance(event, BranchStopped)}
    return {(event.path, event.kind): event for event in events if not _lies_below(event.path, stopped)}


def content_of(records: Iterable[Record]) -> Content:
    """The content of what was journaled."""
    return content(record.event for record in records)


def _lies_below(path: Path, any_of: set[Path]) -> bool:
    while any_of and (path := parent(path)):
        if path in any_of:
            return True
    return False


def difference_in_decisions(one: Content, other: Content) -> str | None:
    """Where two runs decided differently; None if nowhere.

    Decisions about time or arrival may differ, and so may everything that follows.
    """
    for place, event in one.items():
        if isinstance(event, Decided | BranchEnded | EpisodeReported) and other.get(place, event) != event:
            return f"two runs decided differently at {event.path}: {event.kind}, as they may"
    return None
