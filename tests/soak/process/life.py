"""One life: a process that runs the real command, with what was planned for it, and says what it left open."""

import gc
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import NoReturn

import msgspec
from msgspec import Struct

from quintet.cli import main
from quintet.runtime import retries
from tests.soak.process.draw import Blow, Moment
from tests.soak.process.dying import Commits, connect_dying
from tests.soak.process.found import COMMITS
from tests.soak.process.lives import Ending


class LifePlan(Struct, frozen=True, kw_only=True):
    """What a process runs, and what is done to it."""

    words: tuple[str, ...]
    """The command."""
    folder: str
    """Of the scenario: its output goes there, and promises that do not hold."""
    kill_at: int = 0
    """The commit at which it dies; 0: none."""
    moment: Moment = "before"
    blow: Blow = "SIGKILL"
    notify: tuple[int, ...] = ()
    """The commits after which another process is told."""
    most_bytes: int | None = None
    """Of any file that it writes; None: no limit."""
    most_tokens: int | None = None
    """The run's budget while it lives; None: none."""
    ray: bool = False
    """Whether it joins a Ray, which keeps threads and sockets until the process ends."""


BROKEN = "broken.txt"
"""Promises that a process of the scenario saw not to hold."""
OUTPUT = "output.txt"
"""Of all its processes."""


def start_life(plan: LifePlan, notify: int, *, fresh: bool = False) -> int:
    """Start a process, in a group of its own, and return its number; it writes to `notify` at the planned commits."""
    if fresh:
        words = [sys.executable, "-m", "tests.soak.process.life", msgspec.json.encode(plan).decode(), str(notify)]
        return subprocess.Popen(words, pass_fds=[notify], process_group=0).pid
    process = os.fork()
    if not process:
        os.setpgid(0, 0)
        run_and_exit(plan, notify)
    return process


def play_life(plan: LifePlan, seconds: float, at_commit: Callable[[int], None]) -> Ending:
    """Play a life in an interpreter of its own to its end; one that takes longer is killed with its group.

    Args:
        at_commit: gets the process after the commit that it tells of, if it comes to that.
    """
    heard, told = os.pipe()
    process = start_life(plan, told, fresh=True)
    os.close(told)
    ended, until = os.pidfd_open(process), time.monotonic() + seconds
    ready, _, _ = select.select((ended, heard), (), (), seconds)
    if heard in ready and os.read(heard, 1):
        at_commit(process)
    hung = not select.select((ended,), (), (), max(until - time.monotonic(), 0))[0]
    if hung:
        os.killpg(process, signal.SIGKILL)
    os.close(ended)
    os.close(heard)
    return Ending(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), hung)


def run_and_exit(plan: LifePlan, notify: int = -1) -> NoReturn:
    code = 70
    try:
        code = _run(plan, notify)
    finally:
        os._exit(code)


def _run(plan: LifePlan, notify: int) -> int:
    folder = Path(plan.folder)
    shorten_pauses()
    commits = Commits(plan.kill_at, plan.moment, plan.blow, _notifier(plan.notify, notify))
    connect_dying(commits, plan.most_tokens, folder / BROKEN)
    before = open_files()
    with (folder / OUTPUT).open("a") as out, redirect_stdout(out), redirect_stderr(out):
        if plan.most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (plan.most_bytes, resource.RLIM_INFINITY))
        code = main(list(plan.words))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    (folder / COMMITS).write_text(str(commits.number))
    if not plan.ray:
        note_left_open(before, folder / BROKEN)
    return code


def shorten_pauses() -> None:
    """Let this process repeat its calls soon; what they bring does not depend on it."""
    for name, seconds in (("_SHORTEST", 0.001), ("_LONGEST", 0.01)):
        assert hasattr(retries, name), name
        setattr(retries, name, seconds)


def _notifier(at: tuple[int, ...], pipe: int) -> Callable[[int], None]:
    def tell(number: int) -> None:
        if number in at:
            os.write(pipe, b".")

    return tell


def open_files() -> set[str]:
    """What this process has open, by what it is."""
    found: set[str] = set()
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # of the listing itself
            found.add(f"{file.name} {file.readlink()}")
    return found


def note_left_open(before: set[str], broken: Path) -> None:
    """Note what this process has open beside what it had before, as promises that do not hold."""
    gc.collect()
    files = sorted(each for each in open_files() - before if not each.endswith("/fd"))
    threads = [each.name for each in threading.enumerate() if each is not threading.main_thread()]
    with broken.open("a") as out:
        for what, left in (("files or sockets", files), ("threads", threads)):
            if left:
                out.write(f"{what}: expected none open after the command, got {', '.join(left)}\n")


if __name__ == "__main__":
    run_and_exit(msgspec.json.decode(sys.argv[1], type=LifePlan), int(sys.argv[2]))
