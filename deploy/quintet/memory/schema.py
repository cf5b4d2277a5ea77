"""The memory file, of tuples or of notes: its tables, and how it is created, opened and kept to one writer."""

import errno
import fcntl
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from quintet.errors import UsageError
from quintet.journal.schema import find_foreign, is_being_written, is_cut_off
from quintet.messages.learning import MemoryKind
from quintet.plugins.files import open_regular

MEMORY_FILE: Final = "memory.sqlite"
"""In a run folder, beside the journal."""

MEMORY_FORMAT: Final = 3
"""Of the tables and of the digests."""

_OLDER: Final = {
    2: """
CREATE TEMP VIEW about AS SELECT 'memory' AS kind, * FROM main.about;
CREATE TEMP VIEW documents AS SELECT 0 AS segment, * FROM main.documents;
CREATE TEMP VIEW postings AS SELECT 0 AS segment, * FROM main.postings;
"""
}
"""By older format that is still read: views, found before the tables of their names, that show them as today's."""

_APPLICATION = int.from_bytes(b"QMEM")

_TABLES = """
CREATE TABLE about (
    kind TEXT NOT NULL,            -- memory: it has tuples; notebook: it has notes
    world TEXT NOT NULL,           -- whose goals and actions it is about
    embedder TEXT NOT NULL         -- whose vectors it has; empty: none so far
);
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL,         -- of the text, 64 bits
    text TEXT NOT NULL
);
CREATE INDEX texts_by_hash ON texts (hash);
CREATE TABLE types (
    id INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,
    goal_type INTEGER NOT NULL,    -- of an observation type; 0: it is a goal type
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,      -- that it came in with
    UNIQUE (batch, goal_type, number)
);
CREATE TABLE tuples (
    id INTEGER PRIMARY KEY,        -- see quintet.memory.ids
    type INTEGER NOT NULL,         -- the observation type, in types
    goal INTEGER NOT NULL,         -- in texts
    observation INTEGER NOT NULL,  -- in texts
    source INTEGER NOT NULL,       -- in texts
    evaluation TEXT NOT NULL,
    summary TEXT NOT NULL,
    action TEXT NOT NULL,
    reward REAL NOT NULL
);
CREATE INDEX tuples_by_type ON tuples (type, id);
CREATE TABLE counts (              -- of tuples that a version added
    type INTEGER NOT NULL,         -- an observation type
    version INTEGER NOT NULL,
    tuples INTEGER NOT NULL,
    PRIMARY KEY (type, version)
) WITHOUT ROWID;
CREATE TABLE examples (            -- the different texts of a type
    type INTEGER NOT NULL,         -- a goal type has goals, an observation type observations
    text INTEGER NOT NULL,         -- in texts
    first INTEGER NOT NULL,        -- the first tuple that has it
    PRIMARY KEY (text, type)
) WITHOUT ROWID;
CREATE INDEX examples_by_type ON examples (type, first);
CREATE TABLE changes (             -- of notes
    id INTEGER PRIMARY KEY,        -- see quintet.memory.ids
    note INTEGER NOT NULL,         -- the id of the change that added it
    helpful INTEGER NOT NULL,      -- added to its counters
    harmful INTEGER NOT NULL,
    recalled INTEGER NOT NULL,
    replaced_by INTEGER,           -- a note, or -1: none; null: it is not replaced here
    text TEXT,                     -- what it says from here on; null, as are the others: it stays as it is
    title TEXT,
    description TEXT,
    section TEXT,
    task_type TEXT,
    about TEXT,
    run TEXT,
    episode TEXT,
    path TEXT
);
CREATE INDEX changes_by_note ON changes (note, id, helpful, harmful, recalled, replaced_by);
CREATE TABLE documents (           -- to be searched by words
    type INTEGER NOT NULL,         -- an observation type; 0: the notebook
    segment INTEGER NOT NULL,      -- see quintet.memory.words
    ids BLOB NOT NULL,             -- of its tuples or texts of notes in sealed versions, in order: 64 bits each
    lengths BLOB NOT NULL,         -- words of each: 16 bits
    PRIMARY KEY (type, segment)
);
CREATE TABLE postings (
    type INTEGER NOT NULL,
    word TEXT NOT NULL,
    segment INTEGER NOT NULL,
    places BLOB NOT NULL,          -- among the documents of the type, of those that have the word: 32 bits each
    times BLOB NOT NULL,           -- how often each has it: 16 bits
    PRIMARY KEY (type, word, segment)
);
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,        -- of a tuple, or of a change with a text
    vector BLOB NOT NULL           -- float32, little endian, of length one
);
CREATE TABLE versions (            -- that are sealed
    version INTEGER PRIMARY KEY,
    content TEXT NOT NULL          -- JSON: the fields of Sealed
);
CREATE TABLE trajectories (        -- that the run was given
    number INTEGER PRIMARY KEY,    -- from 0
    content TEXT NOT NULL          -- JSON
);
"""


def create_memory(connection: sqlite3.Connection, kind: MemoryKind, world: str) -> None:
    """Create the tables in an empty file, all or none."""
    connection.executescript(
        f"BEGIN; {_TABLES} PRAGMA application_id={_APPLICATION}; PRAGMA user_version={MEMORY_FORMAT};"
    )
    connection.execute("INSERT INTO about VALUES (?, ?, '')", (kind, world))
    connection.execute("COMMIT")


def connect_to_read(file: Path) -> sqlite3.Connection:
    """Connect to a memory in any process, even while it is written; a `UsageError` if it is none of this format."""
    if not file.is_file():
        found = "something else" if file.exists() else "none"
        raise UsageError(f"memory: expected a file, found {found} ({file})")
    being_written = is_being_written(file)
    _refuse_cut_off(file, being_written)
    mode = "mode=ro" if being_written else "immutable=1"
    return check_memory(connect_memory(f"{file.resolve().as_uri()}?{mode}", file, uri=True), file, older=True)


def connect_memory(name: str, file: Path | str, *, uri: bool = False) -> sqlite3.Connection:
    """Connect, without automatic transactions; a `UsageError` if the file cannot be opened."""
    try:
        return sqlite3.connect(name, isolation_level=None, uri=uri)
    except sqlite3.Error as error:
        raise UsageError(f"memory: expected a file that can be opened, got {error} ({file})") from error


def check_memory(connection: sqlite3.Connection, file: Path | str, *, older: bool = False) -> sqlite3.Connection:
    """Return a connection to a memory of this format; close any other, and raise a `UsageError`.

    Args:
        older: or of an older one that can be read.
    """
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        wrong = _wrong_format(application, MEMORY_FORMAT if older and found in _OLDER else found)
        if wrong is None and (foreign := find_foreign(connection, _TABLES)):
            wrong = f"expected its own tables, got a {foreign}"
        elif wrong is None and found in _OLDER:
            connection.executescript(_OLDER[found])
    except sqlite3.Error as error:
        wrong = f"expected an SQLite file, got {error}"
    if wrong is None:
        return connection
    connection.close()
    raise UsageError(f"memory: {wrong} ({file})")


def _wrong_format(application: int, found: int) -> str | None:
    if application != _APPLICATION:
        return "expected a memory of quintet, got an SQLite file of something else"
    if found == MEMORY_FORMAT:
        return None
    other = "older" if found < MEMORY_FORMAT else "newer"
    return f"expected format {MEMORY_FORMAT}, got {found}; use the {other} quintet that wrote it"


def _refuse_cut_off(file: Path, being_written: bool) -> None:
    if not being_written and is_cut_off(file):
        raise UsageError(
            f"memory: expected a whole file, got one that is cut off ({file}); if its run has not ended, remove the "
            "file, and a resume makes it again from the journal"
        )


@contextmanager
def writing_alone(file: Path, *, anew: bool = False) -> Generator[None, None, None]:
    """Create a file if there is none, and keep other writers out until this process ends; else a `UsageError`."""
    try:
        descriptor = open_regular(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
    except OSError as error:
        found = "a link" if error.errno == errno.ELOOP else error.strerror or str(error)
        raise UsageError(f"memory: expected a file that can be written, got {found} ({file})") from error
    try:
        # Closed after SQLite's own descriptor: closing any would release the locks that SQLite holds on the file.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(f"memory: expected no other writer, got one ({file})") from error
        if anew:
            for ending in ("-wal", "-shm"):
                file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)
            os.ftruncate(descriptor, 0)
        _refuse_cut_off(file, file.with_name(f"{file.name}-wal").exists())
        yield
    finally:
        os.close(descriptor)
