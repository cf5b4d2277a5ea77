"""One writer per folder: an exclusive lock that ends with its process, however that ends."""

import fcntl
import os
import socket
from pathlib import Path
from typing import TextIO

from protocols.errors import UsageError

LOCK = "lock"


class FolderLock:
    """Held from construction until `release`.

    Args:
        folder: exists already.

    Raises:
        UsageError: another process holds it, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._file: TextIO | None = None
        try:
            file = (folder / LOCK).open("a+", encoding="utf-8")
        except OSError as error:
            raise UsageError(
                f"run folder: expected one that can be written, got {error.strerror} ({folder})"
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            file.close()
            raise UsageError(f"run folder: expected no other writer, got {holder} ({folder})") from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        self._file = file

    def release(self) -> None:
        """Let others write; a second time does nothing."""
        if self._file is not None:
            self._file.truncate(0)
            self._file.close()
            self._file = None
