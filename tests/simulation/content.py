"""What two runs are compared by."""

from typing import TypeAlias

from quintet.events import AnyEvent, Decided
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, is_within

Content: TypeAlias = dict[tuple[str, str], AnyEvent]


def content(journal: SqliteJournal) -> Content:
    """All that two runs are compared by, without the races' losers: how far they came is nobody's result."""
    events = [record.event for record in journal.reader.records()]
    races = {event.path: event.answer for event in events if isinstance(event, Decided) and event.question == "first"}
    lost = [child(path, runner) for path, winner in races.items() for runner in (1, 2, 3) if str(runner) != winner]
    return {
        (event.path, event.kind): event for event in events if not any(is_within(event.path, path) for path in lost)
    }
