"""The journal's tables, the rows of a record, and how the file is opened."""

import sqlite3
from functools import partial
from pathlib import Path as FilePath

import msgspec

from quintet.errors import UsageError
from quintet.events import Record
from quintet.messages.paths import episode_of
from quintet.messages.prompts import PromptNode

JOURNAL_VERSION = 3
"""Of the tables and events; a journal of another version is refused."""

CREATE = f"""
BEGIN;
CREATE TABLE episodes (
    path TEXT PRIMARY KEY,         -- task/epoch/attempt
    incarnation INTEGER NOT NULL,  -- the newest start
    started REAL NOT NULL          -- of the newest start, seconds since the Unix epoch
) WITHOUT ROWID;
CREATE TABLE events (
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    episode TEXT NOT NULL,
    incarnation INTEGER NOT NULL,
    host TEXT NOT NULL,
    at REAL NOT NULL,
    seconds REAL NOT NULL,
    content TEXT NOT NULL,         -- the event as JSON: what two runs are compared by
    PRIMARY KEY (path, kind)
);
CREATE INDEX events_by_episode ON events (episode);
CREATE TABLE prompts (
    address TEXT PRIMARY KEY,
    parent TEXT,                   -- the prompt this one extends
    messages TEXT NOT NULL         -- what it appends, as JSON
) WITHOUT ROWID;
CREATE TABLE charges (
    permit TEXT NOT NULL,          -- of an attempt at a model call, unique within its start of the run
    path TEXT NOT NULL,            -- of the call
    model TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,      -- while open, the most that the attempt can use
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    state TEXT NOT NULL            -- open: in progress or unknown; answered; lost: no answer
);
CREATE INDEX charges_by_path ON charges (path);
PRAGMA user_version={JOURNAL_VERSION};
COMMIT;
PRAGMA journal_mode=WAL;
"""
"""The write-ahead log comes last: with it, a full disk would not be reported when the file is closed."""

INSERT_EVENT = "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_PROMPT = "INSERT OR IGNORE INTO prompts VALUES (?, ?, ?)"

EventRow = tuple[str, str, str, int, str, float, float, str]
PromptRow = tuple[str, str | None, str]

_encode = msgspec.json.Encoder().encode


def row_of_record(record: Record) -> EventRow:
    """The row of a record in `events`."""
    event = record.event
    return (
        event.path,
        event.kind,
        episode_of(event.path),
        record.incarnation,
        record.host,
        record.at,
        record.seconds,
        _encode(event).decode(),
    )


def row_of_node(node: PromptNode) -> PromptRow:
    """The row of a prompt's node in `prompts`."""
    return node.address, node.parent, _encode(node.appended).decode()


def connect(file: str, *, uri: bool = False) -> sqlite3.Connection:
    """Connect, without automatic transactions.

    Raises:
        UsageError: the file cannot be opened.
    """
    try:
        connection = sqlite3.connect(file, isolation_level=None, uri=uri)
    except sqlite3.Error as error:
        raise UsageError(f"journal: expected a readable file, got {error} ({file})") from error
    # A damaged text must break no other row.
    connection.text_factory = partial(str, encoding="utf-8", errors="backslashreplace")
    return connection


_DAMAGE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""SQLITE_ERROR: a table, a column or a text is not as expected."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is damaged, as opposed to a problem of the disk or a lock."""
    code = getattr(error, "sqlite_errorcode", 0)  # errors raised by Python's module itself have no code
    return code & 0xFF in _DAMAGE


def check_journal(connection: sqlite3.Connection, file: FilePath | str) -> sqlite3.Connection:
    """Return the connection if it is to a journal of this version; otherwise close it.

    Raises:
        UsageError: the file is not a journal, or one of another version.
    """
    try:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        wrong = _wrong_version(found)
    except sqlite3.DatabaseError as error:
        wrong = f"expected an SQLite file, got something else: {error}"
    if wrong is None:
        return connection
    connection.close()
    raise UsageError(f"journal: {wrong} ({file})")


def _wrong_version(found: int) -> str | None:
    if found == JOURNAL_VERSION:
        return None
    if found < 1:
        return "expected a journal of quintet, got an SQLite file of something else"
    other = "older" if found < JOURNAL_VERSION else "newer"
    return f"expected version {JOURNAL_VERSION}, got {found}; use the {other} quintet that wrote it"
