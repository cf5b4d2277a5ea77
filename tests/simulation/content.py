"""The content of a journal, and of one that was killed and resumed."""

from quintet.events import BranchStopped
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import is_within
from quintet.testing.content import Content, before, content_of, first_difference_in_decisions


def content(journal: SqliteJournal) -> Content:
    """What two runs are compared by."""
    return content_of(journal.reader.records())


def expect_agreement(whole: Content, left: Content, resumed: Content) -> bool:
    """Check an episode that was killed and resumed: it has what was left, and is as the whole one as far as both agree.

    Args:
        whole: of the uninterrupted run.
        left: of what the kill left.
        resumed: of the run after that.

    Returns:
        Whether the resumed run decided differently.
    """
    stopped = [event.path for event in resumed.values() if isinstance(event, BranchStopped)]
    gone = [path for (path, kind), event in left.items() if resumed.get((path, kind)) != event]
    assert all(any(is_within(path, branch) for branch in stopped) for path in gone), gone
    path = first_difference_in_decisions(whole, resumed)
    assert resumed == whole if path is None else before(resumed, path) == before(whole, path)
    return path is not None
