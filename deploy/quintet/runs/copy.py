"""A checked copy of a whole run or study folder, also while it is written: `python -m quintet.runs.copy FROM TO`.

Recipes use it when a run is on a disk that does not outlive its job.
"""

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from hashlib import file_digest
from pathlib import Path

from quintet.journal.schema import JOURNAL_FILE
from quintet.runs.files import LOCK
from quintet.runs.folder import SOCKET
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import SHARDS
from quintet.runs.study_folder import STUDY_RECORD

_DATABASE = ".sqlite"
"""Ending of journals and memories."""
_NOT_COPIED = {LOCK, SOCKET}
"""Files of the process that writes the folder."""
_UNFINISHED = ("-wal", "-shm", "-journal", ".part")
"""Endings of partial files: SQLite's, whose backup holds them, and our own."""


def copy_folder(source: Path, target: Path) -> int:
    """Copy all files of a run or a study, each whole or not at all, and read every copy back; how many were copied.

    A link is refused: in a stranger's folder it could lead to any file of yours. A record is copied after everything
    else in its folder, so a copy that is cut short is no run, or the one before it.

    Args:
        source: on a disk of this machine; may be written meanwhile.
        target: on any file system; made if it is missing. Other files in it stay.

    Raises:
        OSError: a file cannot be copied, its copy reads otherwise, or there is a link.
        sqlite3.Error: a journal or a memory cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="quintet-copy-") as scratch:
        return _copy_folder(source, target, Path(scratch) / "still")


def _copy_folder(source: Path, target: Path, still: Path) -> int:
    entries = sorted(source.iterdir(), key=lambda entry: (entry.name in (RUN_RECORD, STUDY_RECORD), entry.name))
    names = {entry.name for entry in entries}
    if RUN_RECORD in names and not names & {JOURNAL_FILE, SHARDS}:
        raise FileNotFoundError(f"expected a journal beside {source / RUN_RECORD}, got none")
    target.mkdir(parents=True, exist_ok=True)
    copied = 0
    for entry in entries:
        if entry.is_symlink():
            raise OSError(f"expected files of the folder's own, got a link to {entry.readlink()} ({entry})")
        if entry.is_dir():
            copied += _copy_folder(entry, target / entry.name, still)
        elif entry.is_file() and entry.name not in _NOT_COPIED and not entry.name.endswith(_UNFINISHED):
            _copy_file(entry, target / entry.name, still)
            copied += 1
    return copied


def _copy_file(source: Path, target: Path, still: Path) -> None:
    # A file that grows meanwhile is copied as it is now; a database by SQLite's backup, consistent at any moment.
    if source.name.endswith(_DATABASE):
        with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(still)) as backup:
            database.backup(backup)
    else:
        shutil.copyfile(source, still)
    part = target.with_name(f"{target.name}.part")
    with still.open("rb") as content, part.open("wb") as out:
        shutil.copyfileobj(content, out)
        out.flush()
        os.fsync(out.fileno())
    if _digest(part) != _digest(still):
        raise OSError(f"expected a copy equal to {source}, got another content ({part})")
    part.replace(target)
    still.unlink()


def _digest(file: Path) -> bytes:
    with file.open("rb") as content:
        return file_digest(content, "blake2b").digest()


def copy_command(arguments: Sequence[str]) -> int:
    """Copy one folder to another; 0 if every file was copied and its copy is equal, 1 if not, 2 for bad usage."""
    if len(arguments) != 2:
        print(f"usage: python -m quintet.runs.copy FROM TO, got {len(arguments)} arguments", file=sys.stderr)
        return 2
    source, target = map(Path, arguments)
    try:
        copy_folder(source, target)
    except (OSError, sqlite3.Error) as error:
        print(f"copy: expected a whole copy of {source} in {target}, got {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(copy_command(sys.argv[1:]))
