"""What the sessions of a process share: a scratch folder, and the keeper that starts commands."""

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock
from typing import IO, Final, NamedTuple

from quintet.environments.guard import guarded
from quintet.environments.shell import keeper
from quintet.environments.shell.scratch import abandoned, make_scratch
from quintet.errors import UsageError, WorldFault

PACKAGE: Final = "bubblewrap (Debian, Ubuntu: apt install bubblewrap)"
NOBODY: Final = 65534
"""Who runs commands if this process is root's: a limit of processes does not hold for root."""

_CALLED: Final = 'exec 2>&4; "$@" && printf done >&3'
_LONGEST: Final = 4_096


class Pipes(NamedTuple):
    """The near ends of a command's files."""

    output: int
    status: int
    report: int


class ShellHost:
    """The scratch folder and the keeper of this process. Made by `shell_host`.

    Raises:
        UsageError: this machine lacks what it needs; the text says what.
    """

    def __init__(self) -> None:
        if lacks := lacking():
            raise UsageError(f"shell: expected {lacks}, got a machine without")
        self.user = NOBODY if os.geteuid() == 0 else 0
        """Who runs commands; 0: the user of this process."""
        self._owner = os.getpid()
        self._numbers = count(1)
        self._channel = self._start_keeper()
        self._scratch = make_scratch(self.user)
        self.layers = self.new_folder("layers")
        (self.layers / keeper.MOUNT_POINT).mkdir()
        atexit.register(self.close)
        for old in abandoned():
            self.remove(old)
            shutil.rmtree(old, ignore_errors=True)  # what its owner had not given away yet
        self.overlays = self._mounts_overlays()
        """Whether overlays can be mounted where the scratch folder lies."""

    def new_folder(self, name: str = "") -> Path:
        """A new folder in the scratch folder, which whoever runs commands owns."""
        folder = self._scratch.folder / name if name else self.layers / str(next(self._numbers))
        folder.mkdir()
        self.own(folder)
        return folder

    def own(self, path: Path) -> None:
        """Give a file to whoever runs commands."""
        if self.user:
            os.chown(path, self.user, self.user, follow_symlinks=False)

    def temporary_file(self) -> IO[bytes]:
        """A file without a name."""
        return tempfile.TemporaryFile(dir=self._scratch.folder)

    def start(self, words: list[str], overlay: str, stdin: int, output: int | None = None) -> Pipes:
        """Start a command in the folder of layers.

        Args:
            words: the program, by its path, and its arguments.
            overlay: the options of the overlay to mount; empty: none.
            stdin: a file, which is closed here.
            output: a file for the output, which stays open here; None: a pipe.

        Raises:
            WorldFault: the keeper has ended.
        """
        pipes = [os.pipe() for _ in range(3)]
        far = [writing for _, writing in pipes]
        request = json.dumps([str(self.layers), overlay, words]).encode()
        files = [stdin, far[0] if output is None else output, *far[1:]]
        try:
            socket.send_fds(self._channel, [request], files)
        except OSError as error:
            for reading, _ in pipes:
                os.close(reading)
            raise WorldFault(f"shell: expected the process that starts commands, got {error.strerror}") from error
        finally:
            for each in (stdin, *far):
                os.close(each)
        return Pipes(*(reading for reading, _ in pipes))

    def call(self, words: list[str], overlay: str = "", stdin: int | None = None, output: int | None = None) -> None:
        """Run a program of the system's to its end, not in a sandbox, as the owner of every file in the scratch folder.

        Raises:
            WorldFault: it failed, in its words.
        """
        given = os.open(os.devnull, os.O_RDONLY) if stdin is None else os.dup(stdin)
        pipes = self.start(["/bin/sh", "-c", _CALLED, "sh", *words], overlay, given, output)
        said = [_read_all(each) for each in pipes]
        if said[1] != b"done":
            what = (said[2] or said[0]).decode(errors="replace").strip()
            raise WorldFault(f"shell: {words[0]} failed: {what.splitlines()[-1:]}")

    def remove(self, path: Path) -> None:
        """Remove a folder in a scratch folder, however deep and whatever its permissions."""
        with suppress(WorldFault):  # the keeper has ended; whoever starts next sweeps
            self.call(["rm", "-rf", "--", str(path)])

    def close(self) -> None:
        """Remove the scratch folder, and end the keeper, with every command that still runs."""
        if os.getpid() != self._owner:
            return  # a child of the owner's that was forked from it ends
        self.remove(self._scratch.folder)
        self._scratch.lock.close()
        self._channel.close()
        self._process.wait()
        shutil.rmtree(self._scratch.folder, ignore_errors=True)  # what a command wrote until it was ended

    def _start_keeper(self) -> socket.socket:
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words = guarded(sys.executable, "-I", "-S", keeper.__file__, str(self.user))
        with far:
            self._process = subprocess.Popen(
                words, stdin=far.fileno(), stdout=subprocess.DEVNULL, start_new_session=True
            )
        said = near.recv(_LONGEST)
        if said != b"ready":
            near.close()
            self._process.wait()
            raise UsageError(f"shell: expected a machine that allows user namespaces, got {said.decode()!r}")
        return near

    def _mounts_overlays(self) -> bool:
        trial = self.new_folder()
        names = ("lower", "top", "work")
        for name in names:
            (trial / name).mkdir()
            self.own(trial / name)
        lower, top, work = (f"{trial.name}/{name}" for name in names)
        try:
            self.call(["touch", f"{keeper.MOUNT_POINT}/file"], overlay_options((lower,), top, work))
            return (trial / "top" / "file").exists()
        except WorldFault:
            return False
        finally:
            self.remove(trial)


def overlay_options(lowers: tuple[str, ...], top: str = "", work: str = "") -> str:
    """The options of an overlay, of folders relative to that of the layers; without `top`, one to read only."""
    writable = f",upperdir={top},workdir={work}" if top else ""
    return f"lowerdir={':'.join(lowers)}{writable},userxattr"


def lacking() -> str:
    """What this machine lacks; empty: nothing that can be seen without trying."""
    if sys.platform != "linux":
        return "Linux"
    if shutil.which("bwrap") is None:
        return PACKAGE
    return "" if Path("/bin/bash").exists() else "/bin/bash"


def _read_all(file: int) -> bytes:
    with os.fdopen(file, "rb") as opened:
        return opened.read()


_hosts: dict[int, ShellHost] = {}
_making = Lock()


def shell_host() -> ShellHost:
    """This process's, which is made at the first call."""
    with _making:
        if (number := os.getpid()) not in _hosts:
            _hosts[number] = ShellHost()
        return _hosts[number]
