"""Files of a folder that anybody may have changed: only regular ones are opened, and nothing waits for a pipe."""

import errno
import os
import stat
from pathlib import Path


def open_regular(file: Path | str, flags: int) -> int:
    """As `os.open`, also as an `opener`.

    Raises:
        OSError: it cannot be opened, or is a pipe, a device, a socket or a folder.
    """
    descriptor = os.open(file, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "something that is no regular file", str(file))
    return descriptor


def read_regular(file: Path) -> bytes:
    """All of a file.

    Raises:
        OSError: see `open_regular`.
    """
    with open(file, "rb", opener=open_regular) as opened:
        return opened.read()


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; returns when it would survive a kill.

    Raises:
        OSError: it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)  # whatever it is, a link or a pipe among it
    try:
        with part.open("xb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise
