"""What two runs are compared by."""

from typing import TypeAlias

from quintet.events import AnyEvent, BranchEnded
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, is_within

Content: TypeAlias = dict[tuple[str, str], AnyEvent]


def content(journal: SqliteJournal) -> Content:
    """All that two runs are compared by, without the losers of races, since how far they came depends on time."""
    events = [record.event for record in journal.reader.records()]
    races = [event for event in events if isinstance(event, BranchEnded)]
    lost = [child(race.path, runner) for race in races for runner in (1, 2, 3) if runner != race.branch]
    return {
        (event.path, event.kind): event for event in events if not any(is_within(event.path, path) for path in lost)
    }
