"""A session's folder: what its commands write, over layers that it shares with its forks and that nobody writes to.

Where overlays can be mounted, a fork turns what was written so far into one more shared layer, and both sides go on
over it with an empty one; that takes as long for a large folder as for a small one. Elsewhere a fork is a copy, for
which a file system that can share blocks (btrfs, XFS) copies none.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final
from weakref import finalize

from quintet.environments.shell.host import ShellHost, overlay_options
from quintet.environments.shell.keeper import MOUNT_POINT
from quintet.environments.shell.tree import FolderUsage

_MOST_LAYERS: Final = 24
"""Beyond them, a fork copies the folder once into a single layer: the look-up of a name takes longer with each."""
_PACK: Final = 'tar "$@"; [ $? -le 1 ]'
"""1: a file changed meanwhile. No command runs, but an overlay forgets marks of its own as a folder is read."""
_TOP, _WORK = "top", "work"


class Layer:
    """A folder in the scratch folder. It is removed when nothing refers to it."""

    def __init__(self, host: ShellHost) -> None:
        place = host.new_folder()
        for name in (_TOP, _WORK):
            (place / name).mkdir()
            host.own(place / name)
        self.top = place / _TOP
        self.work = f"{place.name}/{_WORK}"
        self.usage = FolderUsage()
        """What was written to it."""
        finalize(self, host.remove, place).atexit = False  # the host removes its scratch folder itself

    @property
    def name(self) -> str:
        """Its place in the folder of layers."""
        return f"{self.top.parent.name}/{_TOP}"


class Folder:
    """A folder that commands write to.

    Args:
        lowers: the layers below, the uppermost first.
    """

    def __init__(self, host: ShellHost, lowers: tuple[Layer, ...], top: Layer) -> None:
        self._host = host
        self._lowers = lowers
        self.top = top
        self.written = False
        """Whether any command has run in it since it was made or forked."""

    @classmethod
    def over(cls, host: ShellHost, base: Layer) -> "Folder":
        """A folder with what is in a layer."""
        if not host.overlays:
            return Folder(host, (), base).fork()
        return cls(host, (base,), _empty_over(host, base))

    @property
    def overlay(self) -> str:
        """The options of the overlay that shows it; empty: there is nothing below it."""
        if not self._lowers:
            return ""
        return overlay_options(tuple(lower.name for lower in self._lowers), self.top.name, self.top.work)

    @property
    def place(self) -> Path:
        """Where it is shown to a command that is started with its overlay."""
        return self._host.layers / MOUNT_POINT if self._lowers else self.top.top

    @property
    def usage(self) -> FolderUsage:
        """What it takes on the disk, layers included."""
        return sum((layer.usage for layer in self._lowers), self.top.usage)

    def fork(self) -> "Folder":
        """An equal folder that shares nothing that either can change."""
        if not self._host.overlays:
            return Folder(self._host, (), self._copied(self.top.usage))
        if self.written:
            self._freeze()
        return Folder(self._host, self._lowers, _empty_over(self._host, self._lowers[0]))

    def pack(self, file: IO[bytes]) -> None:
        """Write all that is in it, as a tar archive; equal folders give equal bytes."""
        names = ["--sort=name", "--format=gnu", "--numeric-owner", "--owner=0", "--group=0"]
        words = ["/bin/sh", "-c", _PACK, "tar", *names, "-cf", "-", "-C", str(self.place), "."]
        self._host.call(words, self.overlay, output=file.fileno())

    def _freeze(self) -> None:
        """Make what was written a layer for everybody."""
        self._lowers = (self.top, *self._lowers)
        self.top = _empty_over(self._host, self._lowers[0])
        if len(self._lowers) > _MOST_LAYERS:
            self._lowers = (self._copied(self.usage),)
        self.written = False

    def _copied(self, usage: FolderUsage) -> Layer:
        layer = Layer(self._host)
        self._host.call(["cp", "-a", "--reflink=auto", f"{self.place}/.", str(layer.top)], self.overlay)
        layer.usage = usage
        return layer


def _empty_over(host: ShellHost, below: Layer) -> Layer:
    """An empty layer, whose own permissions and time are those of the one below."""
    layer, found = Layer(host), below.top.stat()
    layer.top.chmod(found.st_mode & 0o7777)
    os.utime(layer.top, ns=(found.st_mtime_ns, found.st_mtime_ns))
    return layer


def unpacked(host: ShellHost, archive: IO[bytes], measure: Callable[[Path], FolderUsage]) -> Folder:
    """The folder that was packed."""
    layer = Layer(host)
    archive.seek(0)
    host.call(["tar", "-xpf", "-", "-C", str(layer.top)], stdin=archive.fileno())
    layer.usage = measure(layer.top)
    return Folder.over(host, layer) if host.overlays else Folder(host, (), layer)
