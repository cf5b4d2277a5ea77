"""Runs one command in a sandbox of its own, under limits, and leaves no process behind.

bubblewrap makes the sandbox: namespaces for processes, network, mounts, users, names and messages; the system's
programs to read only; the session's folder to write to. It is told the command once its processes are known, so that
none is ever left behind. When the command has ended, the kernel kills whatever else runs in the sandbox.
"""

import json
import math
import os
import select
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import IO, Final, Literal, NamedTuple, TypeAlias

from quintet.environments.head_and_tail import HeadAndTail
from quintet.environments.shell.host import Pipes, ShellHost
from quintet.environments.shell.layers import Folder, Layer
from quintet.environments.shell.limits import MEGABYTE, CommandLimits, memory_of
from quintet.environments.shell.tree import FolderUsage, measure
from quintet.errors import WorldFault

Stopped: TypeAlias = Literal["seconds", "memory", "folder", "output"]
"""The limit at which a command was killed."""

_TICK: Final = 0.05
"""Seconds between two looks at what a command uses; they take at most a tenth of the time."""
_MOST_OUTPUT: Final = 16 * MEGABYTE
"""Bytes of output at which a command is killed."""
_TEMPORARY: Final = 64 * MEGABYTE
"""Bytes of /tmp, which is gone after a command."""
_SHARED: Final = 16 * MEGABYTE
_PART: Final = 2**16
_START_SECONDS: Final = 30.0
"""How long a sandbox may take to be there."""
_USER: Final = 1000
_KILLED: Final = 128 + signal.SIGKILL

LONGEST_COMMAND: Final = 30_000
"""Bytes; so many fit into a pipe that nobody reads yet."""
_LONGEST_PATH: Final = 4_000
"""Bytes of the current directory's path; the system takes none that is much longer."""

_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_VARIABLES: Final[Mapping[str, str]] = {
    "PATH": _PATH,
    "HOME": "/tmp",
    "USER": "agent",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_MOUNTED: Final = ("dev", "etc", "proc", "tmp")
_SYSTEM: Final = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
GIVEN_TIME: Final = 1_735_689_600
"""The time of whatever is given, in seconds since 1970: the beginning of 2025."""
_SETTINGS: Final = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "magic", "mime.types", "services")
"""What programs need of /etc; all else of it is the host's own affair."""
_OWN_SETTINGS: Final = {
    "passwd": f"root:x:0:0::/:/bin/sh\nagent:x:{_USER}:{_USER}::/tmp:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n",
    "group": f"root:x:0:\nagent:x:{_USER}:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}

_making = Lock()
"""Held while the part is made that commands share, so that it is made once."""

_SCRIPT: Final = """\
ulimit -c 0 -n 256 -t "$1" -v "$2" -u "$3" -f "$4" || exit 126
cd -- "$5" 2>/dev/null || cd -- "$6"
unset OLDPWD
IFS= read -r -d '' __command || exit 126
exec </dev/null
trap 'pwd -P >&4' EXIT
set --
eval "$__command"
"""


class SandboxCommand(NamedTuple):
    """A command for bash, and what it sees."""

    text: str
    home: str
    """Where the folder is."""
    directory: str
    """Where it begins; at home, if that is gone."""
    shown: Sequence[tuple[Path, str]] = ()
    """Further folders to read only, and where they are."""
    writable: Sequence[tuple[Path, str]] = ()
    hidden: Sequence[Path] = ()
    """Folders of the host's that would be seen otherwise, as they lie where its programs do."""


class Ran(NamedTuple):
    """What a command came to."""

    output: str
    code: int | None
    """Its exit code; None: it was killed at a limit."""
    stopped: Stopped | None
    directory: str
    """The current directory at its end."""


def run_command(host: ShellHost, folder: Folder, command: SandboxCommand, limits: CommandLimits) -> Ran:
    """Run a command to its end.

    Raises:
        WorldFault: the sandbox could not be made, in the words of what failed.
    """
    words = _words(host, folder, command, limits)
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as text:
        pipes = host.start(words, folder.overlay, reading)
        folder.written = True
        run = _Running(pipes, text, folder, command, limits)
        try:
            run.follow()
        finally:
            run.end()
    return run.ran()


def try_sandbox(host: ShellHost) -> None:
    """Run a command that does nothing; a `WorldFault`, as of `run_command`, if no sandbox can be made."""
    run_command(host, Folder(host, (), Layer(host)), SandboxCommand("true", "/work", "/work"), CommandLimits())


class _Running:
    """A command on its way: its output, its first process, and the limit that it came to."""

    def __init__(
        self, pipes: Pipes, text: IO[bytes], folder: Folder, command: SandboxCommand, limits: CommandLimits
    ) -> None:
        self._pipes = pipes
        self._text = text
        self._command = command
        self._watched = [folder.top.top, *(place for place, _ in command.writable)]
        self._limits = limits
        self._output = HeadAndTail(limits.shown)
        self._size = 0
        self._said = {pipes.status: b"", pipes.report: b""}
        self._first: int | None = None
        """A handle of the sandbox's first process, which becomes readable when it, and so all others, have ended."""
        self._first_number = 0
        self._open = set(pipes)
        self._killed = False
        self.stopped: Stopped | None = None

    def follow(self) -> None:
        """Read all that is said until everything has ended; kill it at its limits."""
        poll = select.poll()
        for pipe in self._open:
            poll.register(pipe, select.POLLIN)
        began = looked = time.monotonic()
        deadline, pause = began + _START_SECONDS, _TICK
        while self._open or self._first is not None:
            now = time.monotonic()
            for file, _ in poll.poll(max(0.0, 1e3 * min(deadline - now, looked + pause - now))):
                if file == self._first:
                    self._release(poll)
                elif not self._read(file):
                    poll.unregister(file)
                    self._open.discard(file)
                elif self._first_number == 0 and file == self._pipes.status and self._begin(poll):
                    deadline = time.monotonic() + self._limits.seconds
            now = time.monotonic()
            if now >= deadline:
                if self._first_number == 0:
                    raise WorldFault(f"shell: expected a sandbox within {_START_SECONDS:.0f} s, got none")
                self._stop("seconds")
                deadline = math.inf
            elif now >= looked + pause:
                self._look()
                looked = time.monotonic()
                pause = max(_TICK, 10 * (looked - now))

    def end(self) -> None:
        """Kill what still runs, and close everything."""
        if self._first is not None:
            self._kill()
            select.select([self._first], [], [])
            os.close(self._first)
        for pipe in self._pipes:
            os.close(pipe)

    def ran(self) -> Ran:
        """What it came to, at its end."""
        code = None
        for line in self._said[self._pipes.status].splitlines():
            code = json.loads(line).get("exit-code", code)
        self._output.add(b"", final=True)
        output = self._output.text()
        stopped = self.stopped if code in (None, _KILLED) or self.stopped == "folder" else None
        if code is None and stopped is None:
            raise WorldFault(f"shell: expected a sandbox, got: {output.strip()}")
        said = self._said[self._pipes.report].removesuffix(b"\n")
        directory = said.decode(errors="surrogateescape")
        inside = (
            len(said) <= _LONGEST_PATH and b"\0" not in said and f"{directory}/".startswith(f"{self._command.home}/")
        )
        return Ran(output, None if stopped else code, stopped, directory if inside else self._command.directory)

    def _read(self, file: int) -> bool:
        """Read what there is; whether there may be more."""
        part = os.read(file, _PART)
        if file == self._pipes.output:
            self._size += len(part)
            if self._size > _MOST_OUTPUT:
                self._stop("output")
            self._output.add(part)
        else:
            self._said[file] = (self._said[file] + part)[-_PART:]
        return bool(part)

    def _begin(self, poll: "select.poll") -> bool:
        """Whether bubblewrap has said which process is the first; it is watched from then on, and told what to do."""
        line, end, _ = self._said[self._pipes.status].partition(b"\n")
        if end:
            self._first_number = json.loads(line)["child-pid"]
            with suppress(ProcessLookupError):  # it has ended already
                self._first = os.pidfd_open(self._first_number)
                poll.register(self._first, select.POLLIN)
            with suppress(BrokenPipeError):  # likewise
                self._text.write(self._command.text.encode() + b"\0")
            self._text.close()
        return bool(end)

    def _release(self, poll: "select.poll") -> None:
        assert self._first is not None
        poll.unregister(self._first)
        os.close(self._first)
        self._first = None

    def _look(self) -> None:
        """Look at what the command uses."""
        if self._first_number == 0 or self._first is None:
            return
        if memory_of(self._first_number) > self._limits.memory_mb * MEGABYTE:
            self._stop("memory")
        if exceeds(sum(map(measure, self._watched), FolderUsage()), self._limits):
            self._stop("folder")

    def _stop(self, why: Stopped) -> None:
        self.stopped = self.stopped or why
        self._kill()

    def _kill(self) -> None:
        if self._first is not None and not self._killed:
            self._killed = True
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)


def exceeds(usage: FolderUsage, limits: CommandLimits) -> bool:
    """Whether a folder holds more than it may."""
    return usage.bytes > limits.folder_mb * MEGABYTE or usage.entries > limits.files or usage.too_deep


def _words(host: ShellHost, folder: Folder, command: SandboxCommand, limits: CommandLimits) -> list[str]:
    """bubblewrap, with all that it is to do, and the command's shell."""
    extra = [word for source, place in command.shown for word in ("--ro-bind", str(source), place)]
    extra += [word for source, place in command.writable for word in ("--bind", str(source), place)]
    extra += [word for place in command.hidden for word in ("--tmpfs", str(place))]
    numbers = (
        limits.cpu_seconds,
        limits.memory_mb * 1024,
        limits.processes,
        min(limits.file_mb, limits.folder_mb) * 1024,
    )
    places = (command.home, *(place for _, place in (*command.shown, *command.writable)))
    with _making:
        same_for_all = _sandbox(host, places)
    return [
        *same_for_all,
        *extra,
        *("--bind", str(folder.place), command.home),
        *("/bin/bash", "--norc", "--noprofile", "-c", _SCRIPT, "bash"),
        *map(str, numbers),
        *(command.directory, command.home),
    ]


@cache
def _sandbox(host: ShellHost, places: tuple[str, ...]) -> tuple[str, ...]:
    """The part of bubblewrap's words that is the same for all commands with folders at the same places."""
    program = shutil.which("bwrap")
    assert program is not None
    root = _root(host, places)
    words = [program, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"]
    words += ["--uid", str(_USER), "--gid", str(_USER), "--hostname", "sandbox", "--json-status-fd", "3", "--clearenv"]
    for name, value in _VARIABLES.items():
        words += ["--setenv", name, value]
    words += ["--ro-bind", str(root), "/"]
    for name in _SYSTEM:
        if (root / name).is_dir() and not (root / name).is_symlink():
            words += ["--ro-bind", f"/{name}", f"/{name}"]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(_SHARED), "--tmpfs", "/dev/shm"]
    return (*words, "--remount-ro", "/dev", "--size", str(_TEMPORARY), "--tmpfs", "/tmp")


def _root(host: ShellHost, places: tuple[str, ...]) -> Path:
    """The root folder of sandboxes: places to show folders at, and the few settings that programs need."""
    root = host.new_folder()
    for place in (*_MOUNTED, *places):
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for name in _SYSTEM:
        if Path("/", name).is_symlink():
            (root / name).symlink_to(Path("/", name).readlink())
        elif Path("/", name).is_dir():
            (root / name).mkdir()
    host.own(root / "etc")
    for name in _SETTINGS:
        if Path("/etc", name).exists():
            host.call(["cp", "-dr", f"/etc/{name}", str(root / "etc")])
    for name, text in _OWN_SETTINGS.items():
        (root / "etc" / name).write_text(text)
    for each in (root, *root.rglob("*")):
        host.own(each)
        os.utime(each, (GIVEN_TIME, GIVEN_TIME), follow_symlinks=False)
    return root
