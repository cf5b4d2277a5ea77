"""The journal's tables, and how the file is opened.

Every text is stored once, and everything else as whole numbers. The tables begin with `_` and may change with the
version; programs read the views (`quintet.journal.views`), which do not.
"""

import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path as FilePath

from quintet.errors import UsageError
from quintet.journal.cells import EVENT_COLUMNS
from quintet.journal.event_tables import TABLES
from quintet.journal.token_rows import TOKENS_TABLE
from quintet.journal.tool_rows import TOOL_ANSWERS_TABLE
from quintet.journal.views import VIEWS

JOURNAL_FILE = "journal.sqlite"
"""In a run folder."""

JOURNAL_VERSION = 14
"""Of the tables and events."""

_WITHOUT_TOOLS = """
CREATE TEMP VIEW _tool_answers AS SELECT 0 AS call, 0 AS tools, 0 AS message WHERE 0;
"""
_WITHOUT_TRAINING = f"""{_WITHOUT_TOOLS}
CREATE TEMP VIEW _tokens AS
SELECT 0 AS call, 0 AS base, 0 AS shared, x'' AS prompt, x'' AS completion, x'' AS logprobs WHERE 0;
CREATE TEMP VIEW _settings AS SELECT *, NULL AS weights FROM main._settings;
"""
_OLDER = {
    10: "CREATE TEMP VIEW _recalls AS SELECT *, 0 AS left_out, '' AS section, '[]' AS scores FROM main._recalls;"
    + _WITHOUT_TRAINING,
    11: "CREATE TEMP VIEW _recalls AS SELECT *, '' AS section, '[]' AS scores FROM main._recalls;" + _WITHOUT_TRAINING,
    12: _WITHOUT_TRAINING,
    13: _WITHOUT_TOOLS,
}
"""By older version that is still read: views, found before the tables of their names, that show them as today's."""

_TABLES = f"""
CREATE TABLE _texts (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL
);
CREATE TABLE _messages (
    id INTEGER PRIMARY KEY,
    back INTEGER NOT NULL,         -- how many rows before it the message is that it follows; 0: it is the first
    role INTEGER NOT NULL,         -- 0 assistant, 1 user, 2 system
    text INTEGER
);
CREATE TABLE _models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    input REAL,                    -- USD per million tokens; NULL without a price
    cached_input REAL,
    output REAL
);
CREATE TABLE _phases (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE _settings (           -- of calls
    id INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,        -- in _models
    phase INTEGER NOT NULL,        -- in _phases
    fingerprint TEXT NOT NULL,
    temperature REAL NOT NULL,
    top_p REAL NOT NULL,
    max_tokens INTEGER NOT NULL,
    stop TEXT NOT NULL,            -- JSON
    form TEXT,
    weights INTEGER                -- the version of the model's, where it is in training
);
CREATE TABLE _starts (
    id INTEGER PRIMARY KEY,
    incarnation INTEGER NOT NULL,  -- of an episode
    host TEXT NOT NULL
);
CREATE TABLE _tasks (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE      -- by which an episode is found
);
CREATE TABLE _episodes (
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL,         -- in _tasks
    epoch INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    began INTEGER NOT NULL,        -- the first start, milliseconds since the Unix epoch
    incarnation INTEGER NOT NULL,  -- the newest start
    started INTEGER NOT NULL,      -- the newest start, milliseconds since the first
    ended INTEGER,                 -- milliseconds since the first start; what follows is NULL until then
    start INTEGER,                 -- of the end, in _starts
    seconds INTEGER,               -- in microseconds
    state INTEGER,                 -- 0 solved, 1 unsolved, 2 faulted, 3 interrupted
    reward REAL,
    claimed INTEGER,
    depth INTEGER,
    reason TEXT,
    fault TEXT,                    -- JSON
    cancelled INTEGER,
    figures TEXT,                  -- JSON: by name; NULL: there are none
    steps INTEGER
);
CREATE UNIQUE INDEX _episodes_by_task ON _episodes (task, epoch, attempt);
CREATE TABLE _usage (              -- of the calls of an ended episode
    episode INTEGER NOT NULL,
    model INTEGER NOT NULL,        -- in _models
    phase INTEGER NOT NULL,        -- in _phases
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    bounded INTEGER NOT NULL,      -- calls whose answer was cut to its bounds
    unanswered TEXT,               -- JSON: calls by how they ended, but those that were read
    PRIMARY KEY (episode, model, phase)
) WITHOUT ROWID;
CREATE TABLE _calls ({EVENT_COLUMNS}
    settings INTEGER NOT NULL,     -- in _settings
    seed INTEGER,
    prompt INTEGER NOT NULL,       -- its last message, in _messages; 0: none
    completion INTEGER,
    reasoning INTEGER,
    finish INTEGER NOT NULL,       -- how the call ended; 0: it was read
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    bounded INTEGER NOT NULL
);
{TOKENS_TABLE}
{TOOL_ANSWERS_TABLE}
{"".join(table.create for table in TABLES.values())}
CREATE TABLE _pictures ({EVENT_COLUMNS}
    size INTEGER NOT NULL,         -- of the picture, in bytes
    picture BLOB NOT NULL          -- JPEG
);
CREATE TABLE _decisions ({EVENT_COLUMNS}
    kind INTEGER NOT NULL,
    content TEXT NOT NULL          -- JSON: the other fields of the event
);
CREATE TABLE _charges (            -- of attempts at calls, in a run with a budget
    id INTEGER PRIMARY KEY,        -- as of an event
    path TEXT NOT NULL,            -- of the call, below its episode
    permit TEXT NOT NULL,          -- unique within a start of the run
    model INTEGER NOT NULL,        -- in _models
    prompt_tokens INTEGER NOT NULL,      -- while open, the most that the attempt can use
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    state INTEGER NOT NULL,        -- 0 answered; 1 open: in progress or unknown; 2 lost: no answer
    apart INTEGER NOT NULL         -- the limits of its episode do not count it
);
"""

CREATE = f"""
BEGIN;
{_TABLES}
{VIEWS}
PRAGMA user_version={JOURNAL_VERSION};
COMMIT;
PRAGMA journal_mode=WAL;
"""
"""The write-ahead log comes last: with it, a full disk would not be reported when the file is closed."""


def is_being_written(file: FilePath) -> bool:
    """Whether a process writes a database now. Without a write-ahead log none does, and its medium may be read-only."""
    place = file.resolve()
    return place.with_name(f"{place.name}-wal").exists()


def connect(file: FilePath | str, mode: str = "") -> sqlite3.Connection:
    """Connect, without automatic transactions.

    Args:
        file: of the journal, or `:memory:`.
        mode: SQLite's parameters of a connection that only reads, such as `mode=ro`.

    Raises:
        UsageError: the file cannot be opened.
    """
    name = f"{FilePath(file).resolve().as_uri()}?{mode}" if mode else file
    try:
        connection = sqlite3.connect(name, isolation_level=None, uri=bool(mode))
    except sqlite3.Error as error:
        raise UsageError(f"journal: expected a readable file, got {error} ({file})") from error
    # A damaged text must break no other row.
    connection.text_factory = partial(str, encoding="utf-8", errors="backslashreplace")
    return connection


_DAMAGE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""SQLITE_ERROR: a table, a column or a text is not as expected."""


def is_damage(error: Exception) -> bool:
    """Whether the file itself is damaged, as opposed to a problem of the disk or a lock."""
    code = getattr(error, "sqlite_errorcode", 0)  # errors raised by Python's module itself have no code
    return code & 0xFF in _DAMAGE


def is_cut_off(file: FilePath) -> bool:
    """Whether a file is shorter than its own first page says.

    Source: "The Database Header" of SQLite's file format: the size of a page at byte 16, the number of pages at 28.
    """
    try:
        with file.open("rb") as opened:
            header = opened.read(100)
        pages = int.from_bytes(header[28:32]) * int.from_bytes(header[16:18])
        return len(header) == 100 and header.startswith(b"SQLite format 3\0") and file.stat().st_size < pages
    except OSError:
        return False  # SQLite says why


def find_foreign(connection: sqlite3.Connection, create: str) -> str:
    """What would change what a resume writes, or stands in place of a table, in words; empty: there is none.

    Args:
        create: the statements that make a file of this version.
    """
    found = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')")
    names = (f"{kind} {name}" for kind, name in found if kind == "trigger" or f"CREATE TABLE {name} " in create)
    return next(names, "")


_OUR_VIEWS = VIEWS.replace("CREATE VIEW", "CREATE TEMP VIEW")
"""Found before the file's own."""


def _use_our_views(connection: sqlite3.Connection) -> None:
    # A stranger's may have no end, which no signal interrupts; a damaged one may be mended so.
    for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'").fetchall():
        if f"CREATE VIEW {name} " in VIEWS and sql not in VIEWS:
            connection.executescript(_OUR_VIEWS)
            return


def check_journal(
    connection: sqlite3.Connection, file: FilePath | str, *, to_write: bool = False
) -> sqlite3.Connection:
    """Return a connection to a journal of this version; close any other, and raise a `UsageError`.

    Args:
        to_write: no older version, which could be read.
    """
    try:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        other = "older" if found < JOURNAL_VERSION else "newer"
        wrong = f"expected version {JOURNAL_VERSION}, got {found}; use the {other} quintet that wrote it"
        if found < 1:
            wrong = "expected a journal of quintet, got an SQLite file of something else"
        with suppress(sqlite3.Error):  # readers report it
            if added := find_foreign(connection, CREATE):
                found, wrong = None, f"expected its own tables, got a {added}"
            elif not to_write and found in _OLDER:
                connection.executescript(_OLDER[found] + _OUR_VIEWS)
                found = JOURNAL_VERSION
            else:
                _use_our_views(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter if the text of SQLite's error is damaged too
        foreign = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB
        wrong = f"expected {'an SQLite file' if foreign else 'a whole file that can be read'}, got {error}"
        found = None
    if found == JOURNAL_VERSION:
        return connection
    connection.close()
    raise UsageError(f"journal: {wrong} ({file})")
