"""One writer per folder: an exclusive lock that the kernel releases when its process ends, even if killed."""

import errno
import fcntl
import os
import socket
from contextlib import ExitStack, suppress
from io import FileIO
from pathlib import Path

from quintet.errors import UsageError
from quintet.plugins.files import open_regular
from quintet.runs.files import usable_folder

LOCK = "lock"

_PREFIX = b"process "
"""How a lock file begins. A file with other content belongs to the user and is not changed."""

_MAX_BYTES = 1_000


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
