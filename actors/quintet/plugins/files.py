"""Files that people name, and files of a run folder: a name may be that of a pipe, or of a device that never ends."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def read_limited(file: Path, most: int) -> bytes:
    """The content of a file, also of a pipe; an `OSError` if it cannot be read, a `ValueError` beyond `most` bytes."""
    with file.open("rb") as opened:
        return _read(opened, most)


def read_regular(file: Path, most: int | None = None) -> bytes:
    """The content of a regular file, of at most so many bytes; see `open_regular` and `read_limited`."""
    with open(file, "rb", opener=open_regular) as opened:
        return _read(opened, most)


def open_regular(file: Path | str, flags: int) -> int:
    """As `os.open`, also as an `opener`; an `OSError` for a pipe, a device, a socket or a folder too."""
    descriptor = os.open(file, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "something that is no regular file", str(file))
    return descriptor


def _read(opened: BinaryIO, most: int | None) -> bytes:
    if most is None:
        return opened.read()
    content = opened.read(most + 1)
    if len(content) > most:
        raise ValueError(f"expected at most {most:,} bytes, got more")
    return content
