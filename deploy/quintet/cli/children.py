"""The processes that a command started, by whatever code: they end with it."""

import ctypes
import os
import signal
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_GRACE: Final = 2.0
"""Seconds that a process has to end by SIGTERM before it is killed, and then to be gone."""
_PAUSE: Final = 0.02
_SUBREAPER: Final = 36
"""`PR_SET_CHILD_SUBREAPER`: whoever loses its parent becomes a child of this process, and is found below it."""


@contextmanager
def ending_children() -> Generator[None, None, None]:
    """End, at the end, every process below this one that was not there before; on Linux."""
    before = processes_below(os.getpid())
    _adopt_orphans(True)
    try:
        yield
    finally:
        try:
            end_processes(processes_below(os.getpid()) - before)
        finally:
            _adopt_orphans(False)


def processes_below(process: int) -> set[int]:
    """Its children, and theirs; none where there is no `/proc`."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it has ended meanwhile
            _, _, fields = (folder / "stat").read_text().rpartition(")")
            state, parent, *_ = fields.split()
            if state != "Z":  # it has ended, and nobody has waited for it
                children.setdefault(int(parent), []).append(int(folder.name))
    found: set[int] = set()
    waiting = [process]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


def end_processes(processes: Iterable[int]) -> None:
    """Ask them to end, and kill those that do not within two seconds, or before a person interrupts that."""
    left = set(processes)
    try:
        left = _end(left, signal.SIGTERM)
    finally:
        _end(left, signal.SIGKILL)


def _end(processes: Iterable[int], number: signal.Signals) -> set[int]:
    """Send them a signal, and wait two seconds; those that have not ended then."""
    left = {process for process in processes if _send(process, number)}
    until = time.monotonic() + _GRACE
    while left and time.monotonic() < until:
        time.sleep(_PAUSE)
        left = {process for process in left if not _has_ended(process)}
    return left


def _send(process: int, number: signal.Signals) -> bool:
    try:
        os.kill(process, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _has_ended(process: int) -> bool:
    with suppress(ChildProcessError):  # no child of this process, or somebody waited for it
        return os.waitpid(process, os.WNOHANG)[0] == process
    return not Path(f"/proc/{process}").exists()


def _adopt_orphans(does: bool) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, int(does), 0, 0, 0)
