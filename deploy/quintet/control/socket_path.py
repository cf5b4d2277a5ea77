"""Where a run listens: a socket in its folder, by a name that the kernel takes however deep the folder is."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

SOCKET = "control.sock"

_LONGEST = 107
"""Bytes of a socket's name on Linux, whose `sun_path` has 108 with the null at its end."""


@contextmanager
def short_name(socket: Path) -> Generator[str, None, None]:
    """A name under which to bind or connect; good only inside.

    Raises:
        OSError: its folder cannot be opened.
    """
    if len(os.fsencode(socket)) <= _LONGEST:
        yield str(socket)
        return
    folder = os.open(socket.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{socket.name}"
    finally:
        os.close(folder)
