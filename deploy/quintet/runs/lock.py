"""One writer per folder: an exclusive lock that the kernel releases when its process ends, even if killed."""

import errno
import fcntl
import os
import re
import socket
from contextlib import ExitStack, suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from quintet.errors import UsageError
from quintet.plugins.files import open_regular
from quintet.runs.files import usable_folder

LOCK = "lock"

_PREFIX = b"process "
"""How a lock file begins. A file with other content belongs to the user and is not changed."""

_MAX_BYTES = 1_000


class LockHolder(NamedTuple):
    """The process that writes in a folder."""

    process: int
    host: str
    since: float
    """When it took the lock, in seconds since the Unix epoch."""


def lock_holder(folder: Path) -> LockHolder | None:
    """Who writes in a folder now; None: nobody, or nobody who can be seen. Nothing is written.

    Args:
        folder: need not exist.
    """
    try:
        with FileIO(open_regular(folder / LOCK, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            named = re.fullmatch(rb"process (\d{1,9}) on (.{1,900})\n", file.read(_MAX_BYTES))
            if named is None or not _is_held(file, int(named[1]), named[2].decode(errors="replace")):
                return None
            return LockHolder(int(named[1]), named[2].decode(errors="replace"), os.fstat(file.fileno()).st_mtime)
    except OSError:
        return None


def _is_held(file: FileIO, process: int, host: str) -> bool:
    if host == socket.gethostname() and not _is_alive(process):
        return False  # without a lock of our own, which a run that starts now would meet
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # released when the file is closed
    except BlockingIOError:
        return True
    return False


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # of another user
    return True


class FolderLock:
    """Held from construction until `release`.

    Args:
        folder: must exist.

    Raises:
        UsageError: another process holds it, the folder cannot be written, or the lock's file is something else.
    """

    def __init__(self, folder: Path) -> None:
        self._file: FileIO | None = None
        with usable_folder(folder), ExitStack() as opened:
            file = opened.enter_context(_open(folder / LOCK))
            before = file.read(_MAX_BYTES)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                holder = before.decode(errors="replace").strip() or "another process"
                raise UsageError(f"run folder: expected no other writer, got {holder} ({folder})") from error
            if before and not before.startswith(_PREFIX):
                raise UsageError(f"run folder: expected a lock, got a file with other content ({folder / LOCK})")
            file.truncate(0)
            file.seek(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
            opened.pop_all()
        self._file = file

    def release(self) -> None:
        """Release the lock. Calling it again does nothing."""
        if self._file is not None:
            with suppress(OSError), self._file:
                self._file.truncate(0)
            self._file = None


def _open(file: Path) -> FileIO:
    try:
        return FileIO(open_regular(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW), "r+b")
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UsageError(f"run folder: expected a lock of its own, got a link ({file})") from error
        raise
