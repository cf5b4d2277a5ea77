"""Ways to damage a folder: its files, its records, and the rows, tables and pages of its journals and memories."""

import json
import os
import random
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, cast

ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    1.5,
    10**9,
    10**30,
    "",
    "..",
    "a/b",
    "\x1b[2J\n\0",
    "\ud800",
    "x" * 100_000,
    [],
    [[]],
    {},
    {"a": {"b": []}},
)
"""In place of any value of a JSON file."""

ODD_CELLS: tuple[Any, ...] = (
    None,
    -1,
    2**62,
    1e300,
    "",
    "..",
    "a/b/c/d",
    "{",
    "[[[",
    b"\xff\0",
    "\x1b]0;x",
    "é" * 50_000,
)
"""In place of any cell of a journal or a memory."""


class Damage(NamedTuple):
    """One damage to a file of a folder."""

    what: str
    file: str
    """Relative to the folder."""
    inflict: Callable[[Path], None]
    """Called with the file."""

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


_WITHOUT = (
    *("journal.sqlite-wal", "journal.sqlite.part", "run.json.part", "control.sock", "changes.jsonl", "end.json"),
    *("memory.sqlite-wal", "memory.sqlite-shm"),
)
"""Files that a whole folder lacks, and others may have."""


def to_files(folder: Path, rng: random.Random) -> Iterator[Damage]:
    """Every damage to a file or inner folder of any content."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_socket())
    for name in (*names, *_WITHOUT):
        for what, inflict in _KINDS.items():
            yield Damage(what, name, inflict)
        for what, change in _BYTES.items():
            if (folder / name).is_file():
                yield Damage(what, name, _rewrite(change, rng.random()))


def to_json(folder: Path, name: str, rng: random.Random, count: int) -> Iterator[Damage]:
    """Wrong values in a JSON file, each in a random place."""
    places = list(_places(json.loads((folder / name).read_text())))
    for _ in range(count):
        place, value = rng.choice(places), rng.choice(ODD_VALUES)
        shown = repr(value) if len(repr(value)) < 40 else f"{repr(value)[:20]}..."
        yield Damage(f"{'.'.join(map(str, place))} = {shown}", name, _with_value(place, value))


def to_rows(folder: Path, name: str, rng: random.Random, count: int) -> Iterator[Damage]:
    """Wrong cells in the rows of a journal or a memory, in one row or in all."""
    tables = tables_of(folder / name)
    for _ in range(count):
        table, (columns, key) = rng.choice(list(tables.items()))
        column, value, all_rows = rng.choice(columns), rng.choice(ODD_CELLS), rng.random() < 0.2
        if column in key and (value is None or (len(key) == 1 and not isinstance(value, int))):
            continue  # SQLite itself prevents that
        shown = repr(value) if len(repr(value)) < 40 else f"{repr(value)[:20]}..."
        where = "everywhere" if all_rows else "once"
        change = _with_cell(table, key, column, value, rng.random(), all_rows)
        yield Damage(f"{table}.{column} = {shown} {where}", name, change)


def to_tables(folder: Path, name: str) -> Iterator[Damage]:
    """Tables, columns, views and versions that are not what they were."""
    tables = tables_of(folder / name)
    with closing(sqlite3.connect(folder / name)) as file:
        others = file.execute("SELECT type, name FROM sqlite_master WHERE type IN ('view', 'index') AND sql NOT NULL")
        drops = [f"DROP {kind.upper()} {named}" for kind, named in others]
    for statement in (
        *drops,
        *(f"DROP TABLE {table}" for table in tables),
        *(f"DELETE FROM {table}" for table in tables),
        *(f"ALTER TABLE {table} ADD COLUMN more TEXT" for table in tables),
        *(
            f"PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = replace(sql, '{word}', 'other INTEGER')"
            for word in ("at INTEGER", "id INTEGER", "version INTEGER", "content TEXT")
        ),
        *(f"PRAGMA user_version={version}" for version in (-1, 0, 1, 99)),
        *(f"PRAGMA application_id={mark}" for mark in (0, 7)),
    ):
        yield Damage(statement, name, _execute(statement))


# Kinds of file


def _replace(make: Callable[[Path], None]) -> Callable[[Path], None]:
    def inflict(file: Path) -> None:
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        else:
            file.unlink(missing_ok=True)
        file.parent.mkdir(exist_ok=True)
        make(file)

    return inflict


def _gone(_file: Path) -> None:
    pass


def _socket(file: Path) -> None:
    before = Path.cwd()
    os.chdir(file.parent)  # a socket's name is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(file.name)
    finally:
        os.chdir(before)


_KINDS: dict[str, Callable[[Path], None]] = {
    "gone": _replace(_gone),
    "empty": _replace(Path.touch),
    "a folder": _replace(Path.mkdir),
    "a pipe": _replace(os.mkfifo),
    "a socket": _replace(_socket),
    "a link to itself": _replace(lambda file: file.symlink_to(file.name)),
    "a link to nothing": _replace(lambda file: file.symlink_to("nowhere")),
    "a link to /dev/zero": _replace(lambda file: file.symlink_to("/dev/zero")),
    "a link to /dev/full": _replace(lambda file: file.symlink_to("/dev/full")),
    "a link to the terminal": _replace(lambda file: file.symlink_to("/dev/tty")),
}

# Bytes


def _rewrite(change: Callable[[bytes, float], bytes], at: float) -> Callable[[Path], None]:
    return lambda file: _written(file, change(file.read_bytes(), at))


def _written(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def _flip(content: bytes, at: float) -> bytes:
    changed = bytearray(content)
    rng = random.Random(at)
    for _ in range(1 + len(content) // 2_000 if content else 0):
        changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(changed)


_BYTES: dict[str, Callable[[bytes, float], bytes]] = {
    "cut off": lambda content, at: content[: int(len(content) * at)],
    "without its end": lambda content, _: content[:-7],
    "bits flipped": _flip,
    "other bytes": lambda content, at: random.Random(at).randbytes(len(content) or 100),
    "twice": lambda content, _: content * 2,
    "no UTF-8": lambda content, at: content[: int(len(content) * at)] + b"\xff\xfe" + content[int(len(content) * at) :],
    "deep": lambda _content, _at: b"[" * 100_000,
}

# JSON


def _places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if place:
        yield place
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(cast("dict[str, Any]", value).items())
    elif isinstance(value, list):
        listed = cast("Sequence[Any]", value)
        inner = list(enumerate(listed))
    for key, part in inner:
        yield from _places(part, (*place, key))


def _with_value(place: tuple[str | int, ...], value: Any) -> Callable[[Path], None]:
    def inflict(file: Path) -> None:
        content = json.loads(file.read_text())
        within = content
        for key in place[:-1]:
            within = within[key]
        within[place[-1]] = value
        file.write_text(json.dumps(content))

    return inflict


# SQLite


class _Table(NamedTuple):
    """A table."""

    columns: tuple[str, ...]
    key: tuple[str, ...]
    """Of these columns."""


def tables_of(file: Path) -> dict[str, _Table]:
    """The tables of an SQLite file by name."""
    with closing(sqlite3.connect(file)) as opened:
        names = [name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: opened.execute(f"PRAGMA table_info({name})").fetchall() for name in names}
    return {
        name: _Table(tuple(row[1] for row in found), tuple(row[1] for row in found if row[5]))
        for name, found in columns.items()
    }


def _execute(statement: str) -> Callable[[Path], None]:
    def inflict(file: Path) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.executescript(statement)

    return inflict


def _with_cell(
    table: str, key: Sequence[str], column: str, value: Any, at: float, all_rows: bool
) -> Callable[[Path], None]:
    def inflict(file: Path) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            if value is None:  # the schema forbids it, but a file may contain it
                connection.execute("PRAGMA writable_schema=ON")
                connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            number = int(at * connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
            named = ", ".join(key) or "rowid"
            which = "" if all_rows else f"WHERE ({named}) = (SELECT {named} FROM {table} LIMIT 1 OFFSET {number})"
            connection.execute(f"UPDATE OR REPLACE {table} SET {column} = ? {which}", (value,))

    return inflict
