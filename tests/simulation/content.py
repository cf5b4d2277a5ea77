"""The content of a journal."""

from quintet.journal.writer import SqliteJournal
from quintet.testing.content import Content, content_of


def content(journal: SqliteJournal) -> Content:
    """What two runs are compared by."""
    return content_of(journal.reader.records())
