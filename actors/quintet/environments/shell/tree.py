"""Looks through what was written to a folder: how much there is, and the times of what a command has changed."""

import os
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

_DEEPEST: Final = 100
"""Folders within folders; a deeper one could not be named, and each costs an open file here."""
_ENTRY: Final = 512
"""Bytes that a name counts for."""


class FolderUsage(Struct, frozen=True):
    """What a folder takes."""

    bytes: int = 0
    entries: int = 0
    too_deep: bool = False
    changed: bool = False
    """Whether any time was set."""

    def __add__(self, other: "FolderUsage") -> "FolderUsage":
        return FolderUsage(self.bytes + other.bytes, self.entries + other.entries, self.too_deep or other.too_deep)


def measure(top: Path) -> FolderUsage:
    """What is in a folder now, perhaps while a command changes it. What cannot be looked into is left out."""
    return _look_through(top, None, 0)


def settle(top: Path, since: float, stamp: int) -> FolderUsage:
    """What is in a folder, once no command runs in it; whatever was changed gets one fixed time.

    Args:
        since: from which time on a change counts, in seconds since 1970.
        stamp: the fixed time, likewise.
    """
    return _look_through(top, int(since * 1e9), int(stamp * 1e9))


def _look_through(top: Path, since: int | None, stamp: int) -> FolderUsage:
    size = entries = 0
    too_deep = changed = False
    folder = os.open(top, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for at, name, found in _entries(folder, 0, quiet=since is not None):
            if found is None:
                too_deep = True
                continue
            size += found.st_size + _ENTRY
            entries += 1
            if since is not None and found.st_mtime_ns >= since:
                os.utime(name, ns=(stamp, stamp), dir_fd=at, follow_symlinks=False)
                changed = True
        if since is not None and os.fstat(folder).st_mtime_ns >= since:
            os.utime(folder, ns=(stamp, stamp))
            changed = True
    finally:
        os.close(folder)
    return FolderUsage(size, entries, too_deep, changed)


def _entries(folder: int, depth: int, *, quiet: bool) -> Iterator[tuple[int, str, os.stat_result | None]]:
    """Everything below an open folder: the folder it lies in, its name, and what it is; None: it lies too deep."""
    with os.scandir(folder) as listed:
        names = [each.name for each in listed]
    for name in names:
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                if depth == _DEEPEST:
                    yield folder, name, None
                    continue
                with _opened(name, folder, found, quiet=quiet) as below:
                    yield from _entries(below, depth + 1, quiet=quiet)
        except OSError:
            if quiet:
                raise
            continue  # it is gone, or cannot be looked into
        yield folder, name, found


@contextmanager
def _opened(name: str, folder: int, found: os.stat_result, *, quiet: bool) -> Generator[int]:
    """A folder, opened; one that its owner may not read is made readable meanwhile, if nobody else is at work."""
    closed = quiet and os.geteuid() != 0 and found.st_mode & stat.S_IRWXU != stat.S_IRWXU
    if closed:
        os.chmod(name, stat.S_IMODE(found.st_mode) | stat.S_IRWXU, dir_fd=folder)
    try:
        below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        try:
            yield below
        finally:
            os.close(below)
    finally:
        if closed:
            os.chmod(name, stat.S_IMODE(found.st_mode), dir_fd=folder)
