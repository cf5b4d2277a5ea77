"""Opens the memory that a person names by `RUN[@VERSION]` or `FILE[@VERSION]`, and makes files for new ones."""

import re
from collections.abc import Generator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from quintet.config.values import expand_path
from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.memory.copy import MemoryVersion
from quintet.memory.digest import check_digests
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.learning import MemoryKind

_PLACE = re.compile(r"(?s)(.+)@(\d{1,9})")

_State: TypeAlias = tuple[int, int, int, int] | None
"""Of a file: whatever changes it changes that, too. None: there is no file."""


def find_memory(place: str) -> MemoryVersion:
    """The version of a memory that a person names. Its reader is open, and for the caller to close.

    Args:
        place: a run folder or a memory file, and a version if it is not the chosen one: that of the run's learner, or
            else the newest.

    Raises:
        UsageError: there is no memory, or as `open_version`.
    """
    path, version = split_place(place)
    file = path
    if path.is_dir():
        file = path / MEMORY_FILE
        if not file.exists():
            raise UsageError(f"memory: expected a run that has one, got a folder without {MEMORY_FILE} ({path})")
    elif file.suffix == ".jsonl":
        expected = "expected an SQLite file, which `quintet memory import` makes of lines"
        raise UsageError(f"memory: {expected}, got JSON lines ({path})")
    return open_version(file, _chosen(path) if version is None else version)


def open_version(file: Path, version: int | None = None) -> MemoryVersion:
    """Open a version of a memory file, also while its run is writing. Its reader is for the caller to close.

    Args:
        version: None: the newest.

    Raises:
        UsageError: there is no such version, it or one before it is not what was sealed, or the file is not one that
            this version of quintet reads.
    """
    reader = MemoryReader.open(file)
    try:
        found = MemoryVersion(reader, (reader.newest() or 0) if version is None else version)
        _ = found.sealed
        _check(file, *map(_state, (file, file.with_name(f"{file.name}-wal"))), found.version)
    except UsageError:
        reader.close()
        raise
    return found


@lru_cache(maxsize=64)
def _check(file: Path, _file_state: _State, _log_state: _State, version: int) -> None:
    """Check a version once for each state of its file: a viewer opens it for every page."""
    with closing(MemoryReader.open(file)) as reader:
        check_digests(reader, version)


def _state(file: Path) -> _State:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def split_place(place: str) -> tuple[Path, int | None]:
    """The path in `RUN[@VERSION]` or `FILE[@VERSION]`, and the version; a `UsageError` if nothing is there."""
    path, version = _path(place), None
    if not path.exists() and (parts := _PLACE.fullmatch(place)):
        path, version = _path(parts[1]), int(parts[2])
    if not path.exists():
        raise UsageError(f"memory: expected a run folder or a memory file, found none ({path})")
    return path, version


def _path(text: str) -> Path:
    try:
        return expand_path(Path(text))
    except ValueError as error:
        raise UsageError(f"memory: {error}, got {text!r}") from error


def _chosen(path: Path) -> int | None:
    """The version that the run's learner chose; None if it has not, or this is no run."""
    if not (path / JOURNAL_FILE).is_file():
        return None
    with closing(JournalReader.open(path / JOURNAL_FILE)) as journal:
        return journal.chosen_version()


@contextmanager
def new_memory(file: Path, world: str, kind: MemoryKind = "memory") -> Generator[Store, None, None]:
    """A store that becomes a new file if nothing is raised inside; a `UsageError` if it exists or cannot be made."""
    part = file.with_name(f"{file.name}.part")
    store = Store(part, world=world, kind=kind, anew=True)  # a killed process may have left one
    try:
        if file.exists():
            raise UsageError(f"--out: expected a new file, got one that exists ({file})")
        yield store
        store.close()
        part.replace(file)
    except BaseException:
        store.close()
        part.unlink(missing_ok=True)
        raise
