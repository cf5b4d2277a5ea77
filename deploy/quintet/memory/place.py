"""Finds the memory that a person names by `RUN[@VERSION]` or `FILE[@VERSION]`, and makes files for new ones."""

import re
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from quintet.config.values import expand_path
from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.memory.copy import MemoryVersion
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store

_PLACE = re.compile(r"(?s)(.+)@(\d{1,9})")


def find_memory(place: str) -> MemoryVersion:
    """The version of a memory that a person names. Its reader is open, and for the caller to close.

    Args:
        place: a run folder or a memory file, and a version if it is not the chosen one: that of the run's learner, or
            else the newest.

    Raises:
        UsageError: there is no memory or no such version, or the file is not one that this version reads.
    """
    path, version = _split(place)
    file = path
    if path.is_dir():
        file = path / MEMORY_FILE
        if not file.exists():
            raise UsageError(f"memory: expected a run that has one, got a folder without {MEMORY_FILE} ({path})")
    elif file.suffix == ".jsonl":
        expected = "expected an SQLite file, which `quintet memory import` makes of an export"
        raise UsageError(f"memory: {expected}, got JSON lines ({path})")
    reader = MemoryReader.open(file)
    try:
        if version is None:
            version = _chosen(path, reader)
        found = MemoryVersion(reader, version)
        _ = found.sealed
    except UsageError:
        reader.close()
        raise
    return found


def _split(place: str) -> tuple[Path, int | None]:
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


def _chosen(path: Path, reader: MemoryReader) -> int:
    """The version that the run's learner chose, or the newest one."""
    chosen = None
    if (path / JOURNAL_FILE).is_file():
        with closing(JournalReader.open(path / JOURNAL_FILE)) as journal:
            chosen = journal.chosen_version()
    newest = reader.newest()
    return chosen if chosen is not None else newest or 0


@contextmanager
def new_memory(file: Path, world: str) -> Generator[Store, None, None]:
    """A store that becomes a new file if nothing is raised inside; a `UsageError` if it exists or cannot be made."""
    part = file.with_name(f"{file.name}.part")
    store = Store(part, world=world, anew=True)  # a killed process may have left one
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
