"""The journal's tables, how a record becomes rows of them, and how its file is opened."""

import sqlite3
from functools import partial
from pathlib import Path as FilePath

import msgspec

from quintet.errors import UsageError
from quintet.events import Record
from quintet.messages.paths import episode_of
from quintet.messages.prompts import PromptNode

VERSION = 3
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
    state TEXT NOT NULL            -- open: nobody knows yet what it came to; answered; lost: it brought no answer
);
CREATE INDEX charges_by_path ON charges (path);
PRAGMA user_version={VERSION};
COMMIT;
PRAGMA journal_mode=WAL;
"""
"""A write-ahead log comes last: closing one that does not fit on the disk would be silent about the tables."""

INSERT_EVENT = "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_PROMPT = "INSERT OR IGNORE INTO prompts VALUES (?, ?, ?)"

EventRow = tuple[str, str, str, int, str, float, float, str]
PromptRow = tuple[str, str | None, str]

_encode = msgspec.json.Encoder().encode


def event_row(record: Record) -> EventRow:
    """A record as a row of `events`."""
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


def prompt_row(node: PromptNode) -> PromptRow:
    """A prompt's node as a row of `prompts`."""
    return node.address, node.parent, _encode(node.appended).decode()


def connect(file: str, *, uri: bool = False) -> sqlite3.Connection:
    """A connection in which transactions are begun by hand.

    Raises:
        UsageError: the file cannot be opened.
    """
    try:
        connection = sqlite3.connect(file, isolation_level=None, uri=uri)
    except sqlite3.Error as error:
        raise UsageError(f"journal: expected a readable file, got {error} ({file})") from error
    connection.text_factory = partial(str, encoding="utf-8", errors="backslashreplace")  # damage to one text is its own
    return connection


_DAMAGE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""The first is that of a table, a column or a text that is not what it should be."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether something is wrong with the file itself, and not with the disk or with a lock."""
    code = getattr(error, "sqlite_errorcode", 0)  # errors that Python's module finds itself have none
    return code & 0xFF in _DAMAGE


def checked(connection: sqlite3.Connection, file: FilePath | str) -> sqlite3.Connection:
    """The connection, to a journal of this version; closes one to anything else.

    Raises:
        UsageError: the file is no journal, or one of another version.
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
    if found == VERSION:
        return None
    if found < 1:
        return "expected a journal of quintet, got an SQLite file of something else"
    other = "older" if found < VERSION else "newer"
    return f"expected version {VERSION}, got {found}; use the {other} quintet that wrote it"
