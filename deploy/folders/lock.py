"""One writer per folder: an exclusive lock that ends with its process, however that ends."""

import fcntl
import os
import socket
from contextlib import ExitStack, suppress
from io import FileIO
from pathlib import Path

from deploy.folders.place import usable
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
        self._file: FileIO | None = None
        with usable(folder), ExitStack() as opened:
            file = opened.enter_context((folder / LOCK).open("a+b", buffering=0))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                file.seek(0)
                holder = file.read().decode(errors="replace").strip() or "another process"
                raise UsageError(f"run folder: expected no other writer, got {holder} ({folder})") from error
            file.truncate(0)
            file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())
            opened.pop_all()
        self._file = file

    def release(self) -> None:
        """Let others write; a second time does nothing."""
        if self._file is not None:
            with suppress(OSError), self._file:
                self._file.truncate(0)
            self._file = None
