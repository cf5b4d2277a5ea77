"""What two runs are compared by."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from quintet.events import AnyEvent, BranchEnded, BranchStopped, Decided, EpisodeReported, Pictured, Record
from quintet.messages.paths import Path, is_within, order_of, parent

Content: TypeAlias = Mapping[tuple[Path, str], AnyEvent]
"""Events by path and kind."""


def content(events: Iterable[AnyEvent]) -> Content:
    """All events but pictures, except those below a stopped branch: how far it came depends on time."""
    events = [event for event in events if not isinstance(event, Pictured)]
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


def first_difference_in_decisions(one: Content, other: Content) -> Path | None:
    """The first path, in the order of the conversation, at which two runs decided differently; None if nowhere.

    Decisions about time or arrival may differ, and so may everything that follows. For a branch that ended in another
    place, or was stopped in one run alone, the path is its group's.
    """
    decided, otherwise = _decisions(one), _decisions(other)
    paths = [
        parent(event.path) if isinstance(event, BranchEnded | BranchStopped) else event.path
        for place, event in decided.items()
        if otherwise.get(place, event) != event
    ]
    return min(paths, key=order_of, default=None)


def before(events: Content, path: Path) -> Content:
    """What had happened before anything happened at or after a path, in the order of the conversation."""
    order = order_of(path)
    return {
        place: event
        for place, event in events.items()
        if order_of(event.path) < order and not is_within(path, event.path)  # what holds the path ends after it
    }


def _decisions(events: Content) -> dict[tuple[Path, str], AnyEvent]:
    """Decisions about time or arrival: of a branch one, whichever its kind; of everything else one of a kind."""
    decisions: dict[tuple[Path, str], AnyEvent] = {}
    for (path, kind), event in events.items():
        if isinstance(event, BranchEnded | BranchStopped):
            decisions[path, "branch"] = event
        elif isinstance(event, Decided | EpisodeReported):
            decisions[path, kind] = event
    return decisions
