"""The journal's tables, and how a record becomes rows and back."""

import sqlite3
from pathlib import Path as FilePath
from typing import Any

import msgspec

from protocols.errors import UsageError
from protocols.events import AnyEvent, Record
from protocols.paths import episode_of
from protocols.prompts import ChatMessage, PromptAddress, PromptNode

VERSION = 2
"""Of the tables; a journal of a newer version is refused."""

_CHARGES = """
CREATE TABLE IF NOT EXISTS charges (
    permit TEXT NOT NULL,          -- of an attempt at a model call, unique within its start of the run
    path TEXT NOT NULL,            -- of the call
    model TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,      -- while open, the most that the attempt can use
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    state TEXT NOT NULL            -- open: nobody knows yet what it came to; answered; lost: it brought no answer
);
CREATE INDEX IF NOT EXISTS charges_by_path ON charges (path);
"""

CREATE = f"""
PRAGMA journal_mode=WAL;
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
{_CHARGES}
PRAGMA user_version={VERSION};
COMMIT;
"""

UPGRADE = f"""
BEGIN;
{_CHARGES}
PRAGMA user_version={VERSION};
COMMIT;
"""
"""What an older journal lacks. It is made before the first write."""

INSERT_EVENT = "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_PROMPT = "INSERT OR IGNORE INTO prompts VALUES (?, ?, ?)"

EventRow = tuple[str, str, str, int, str, float, float, str]
PromptRow = tuple[str, str | None, str]

_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_messages = msgspec.json.Decoder(tuple[ChatMessage, ...])
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


def record_of(row: tuple[Any, ...], node: PromptNode | None) -> Record:
    """A row of `events` as a record, with the prompt's own node if it is a call.

    Raises:
        UsageError: an event that this version does not know.
    """
    path, kind, _episode, incarnation, host, at, seconds, content = row
    try:
        event = _events.decode(content)
    except msgspec.DecodeError as error:
        raise UsageError(f"journal: expected an event of this version, got {kind!r} under {path}: {error}") from error
    return Record(
        event=event,
        incarnation=incarnation,
        host=host,
        at=at,
        seconds=seconds,
        prompts=() if node is None else (node,),
    )


def node_of(address: str, parent: str | None, messages: str) -> PromptNode:
    """A row of `prompts` as a node."""
    return PromptNode(
        address=PromptAddress(address),
        parent=None if parent is None else PromptAddress(parent),
        appended=_messages.decode(messages),
    )


def connect(file: str, *, uri: bool = False) -> sqlite3.Connection:
    """A connection in which transactions are begun by hand.

    Raises:
        UsageError: the file cannot be opened.
    """
    try:
        return sqlite3.connect(file, isolation_level=None, uri=uri)
    except sqlite3.Error as error:
        raise UsageError(f"journal: expected a readable file, got {error} ({file})") from error


def checked(connection: sqlite3.Connection, file: FilePath | str) -> sqlite3.Connection:
    """The connection, to a journal that this version reads; closes one to anything else.

    Raises:
        UsageError: the file is no journal, or a newer one.
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
    if found > VERSION:
        return f"expected version {VERSION} or older, got {found}; use a newer quintet"
    return "expected a journal of quintet, got an SQLite file of something else" if found < 1 else None
