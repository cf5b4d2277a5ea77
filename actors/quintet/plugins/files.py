"""Files that people name, and files of a run folder: a name may be that of a pipe, or of a device that never ends.

Nothing else reads such a file (`tests/actors/plugins/test_files.py`).
"""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def read_limited(file: Path, most: int) -> bytes:
    """The content of a file, also of a pipe; an `OSError` if it cannot be read, a `ValueError` beyond `most` bytes."""
    with open(file, "rb", opener=_open_any) as opened:
        return _read(opened, most)


def read_regular(file: Path, most: int) -> bytes:
    """The content of a regular file, of at most so many bytes; see `open_regular` and `read_limited`."""
    with open(file, "rb", opener=open_regular) as opened:
        return _read(opened, most)


def limited_lines(file: Path, longest: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, also of a pipe, from 1, with their ends; a `ValueError` for one beyond `longest` bytes."""
    with open(file, "rb", opener=_open_any) as opened:
        for number, line in enumerate(iter(lambda: opened.readline(longest + 1), b""), 1):
            if len(line) > longest:
                raise ValueError(
                    f"expected a line of at most {longest:,} bytes, got a longer one ({file}, line {number})"
                )
            yield number, line


def open_regular(file: Path | str, flags: int) -> int:
    """As `os.open`, also as an `opener`; an `OSError` for a pipe, a device, a socket or a folder too."""
    descriptor = os.open(file, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        found = "a folder" if stat.S_ISDIR(mode) else "something that is no regular file"
        raise OSError(errno.EINVAL, found, str(file))
    return descriptor


def _open_any(file: Path | str, flags: int) -> int:
    # Without waiting for the writer of a pipe: one that nobody writes to is empty.
    descriptor = os.open(file, flags | os.O_NONBLOCK | os.O_NOCTTY)
    os.set_blocking(descriptor, True)
    return descriptor


def _read(opened: BinaryIO, most: int) -> bytes:
    # A device has no size, and a file may grow.
    if os.fstat(opened.fileno()).st_size > most or len(content := opened.read(most + 1)) > most:
        raise ValueError(f"expected at most {most:,} bytes, got more")
    return content
