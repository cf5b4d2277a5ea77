"""The folder in which a process keeps what its sessions write: one for each process, swept once its owner is dead."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

_PREFIX: Final = "quintet-shell-"
_OWNER: Final = "owner"
"""A file that the owner holds locked for as long as it lives; the lock ends with it, even if it is killed."""


class Scratch(NamedTuple):
    """A folder, and its lock."""

    folder: Path
    lock: BinaryIO


def make_scratch(user: int) -> Scratch:
    """A new folder in the system's folder for temporary files, which belongs to this process.

    Args:
        user: who runs commands, and so has to have the folder; 0: the user of this process.
    """
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        if (lock := _locked(folder, create=True)) is not None:
            if user:
                os.chown(folder, user, user)
            return Scratch(folder, lock)
        shutil.rmtree(folder, ignore_errors=True)  # a sweep was quicker


def abandoned() -> Iterator[Path]:
    """Folders whose owners are dead, each locked by this process until the next one is asked for."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if (lock := _locked(folder, create=False)) is not None:
            with lock:
                yield folder


def _locked(folder: Path, *, create: bool) -> BinaryIO | None:
    """The lock of a folder; None: another process has it, or it has none."""
    flags = os.O_RDWR | os.O_NOFOLLOW | (os.O_CREAT if create else 0)
    try:
        lock = os.fdopen(os.open(folder / _OWNER, flags, 0o600), "r+b")
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock
