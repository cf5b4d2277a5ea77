"""The guard: a process above a command. When the process that it belongs to ends, so does all that the command started.

It runs as a script, `guard.py HOST STARTED FOLDER COMMAND ARGUMENTS`, and hands its open files on. It adopts every
orphan below it (Linux: a subreaper), since some leave their session and their parents, as Chromium's crash handlers do.
When the host or its own parent has ended, it kills whatever is below it.

With a `FOLDER`, it does so too when the command has ended, and removes the folder: nothing is left of a browser. With
an empty one, what a command leaves running when it ends stays, such as a server that it has started.
"""

import ctypes
import errno
import os
import select
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path

NUMBER_FILE = "guard"
"""The file in `FOLDER` with the guard's process id and the command's, and the folders of its profile, a line each."""

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Let processes below this one become its children when their parents end (Linux: a subreaper)."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def started_at(process: int) -> str:
    """When a process started, in ticks since the machine did: with its id, what tells it from every other.

    Raises:
        OSError: there is none.
    """
    # The name, in brackets, may hold anything; the state is the first field behind it, the start the twentieth.
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]


def guarded(program: str, *arguments: str, folder: Path | None = None) -> list[str]:
    """A command below a guard of this process: when this process ends, even killed, so does all that it started.

    Args:
        folder: is removed when the command ends, and so does all that it started; None: that stays.

    Raises:
        FileNotFoundError: there is no such program.
    """
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    here = (str(os.getpid()), started_at(os.getpid()), str(folder or ""))
    return [sys.executable, "-I", "-S", __file__, *here, found, *arguments]


def _watched(process: int, started: str | None = None) -> int | None:
    """What becomes readable when a process ends; None: it has ended."""
    try:
        handle = os.pidfd_open(process)
        if started is None or started_at(process) == started:
            return handle
    except OSError:
        pass
    return None


def _children() -> list[int]:
    children: list[int] = []
    # The name, in brackets, may hold anything; the state and the parent follow it.
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue  # it ended meanwhile
        if int(parent) == os.getpid():
            children.append(int(stat.parent.name))
    return children


def end_children() -> None:
    """Kill every child; those below it become ours when it ends."""
    while children := _children():
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _start(command: list[str]) -> int:
    child = os.fork()
    if child:
        return child
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def _main(host: int, started: str, folder: str, command: list[str]) -> int:
    adopt_orphans()
    others = (_watched(host, started), _watched(os.getppid()))
    status, stays = 0, False
    profile = [argument.partition("=")[2] for argument in command if argument.startswith("--user-data-dir=")]
    if None not in others:
        child = _start(command)
        if folder:
            (Path(folder) / NUMBER_FILE).write_text("\n".join([f"{os.getpid()} {child}", *profile]))
        ended = os.pidfd_open(child)
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, signal.SIG_IGN)  # it ends with those it guards, not before them
        select.select([handle for handle in (*others, ended) if handle is not None], [], [])
        if select.select([ended], [], [], 0)[0]:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            stays = not folder
    if not stays:
        end_children()
    for each in (folder, *profile) if folder else ():
        shutil.rmtree(each, ignore_errors=True)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(_main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]))
