"""A process that runs a command in surroundings that are not as they should be."""

import ctypes
import os
import time
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

from tests.soak.process import life
from tests.soak.process.dying import Commits, connect_dying

Surroundings: TypeAlias = Literal[
    "clock jumps", "slow disk", "home that cannot be written", "no /dev/shm", "two writers of one run"
]
_FARTHEST: Final = 400 * 86_400.0
"""Seconds that the clock jumps at most, in either direction."""
_SLOW_COMMITS: Final = 30
"""Of which one takes a second."""
_OWN_MOUNTS, _PRIVATE, _DETACH = 0x20000, 0x44000, 2
"""Linux's CLONE_NEWNS, MS_REC | MS_PRIVATE, and MNT_DETACH."""
NOT_ALLOWED: Final = 77
"""The exit code of a process whose surroundings cannot be changed here."""
_NOWHERE: Final = "/proc/nowhere"
"""A folder that not even root can make."""


def disturb(what: Surroundings, seed: int) -> None:
    """Change this process's surroundings."""
    chance = Random(f"{what} {seed}")
    match what:
        case "clock jumps":
            _let_clock_jump(chance)
        case "slow disk":
            _slow_down(chance.randrange(1, _SLOW_COMMITS))
        case "home that cannot be written":
            os.environ |= dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), _NOWHERE)
        case "no /dev/shm":
            _hide_shared_memory()
        case "two writers of one run":
            pass  # another process is started beside it


def _let_clock_jump(chance: Random) -> None:
    real = time.time

    def jumping() -> float:
        return real() + (chance.uniform(-_FARTHEST, _FARTHEST) if chance.random() < 0.2 else 0)

    setattr(time, "time", jumping)  # noqa: B010  of a typed module


def _slow_down(slow: int) -> None:
    def connect(commits: Commits, budget: int | None, broken: Path) -> None:
        del commits
        connect_dying(Commits(0, "before", "SIGKILL", lambda n: time.sleep(n == slow)), budget, broken)

    setattr(life, "connect_dying", connect)  # noqa: B010


def _hide_shared_memory() -> None:
    """Take `/dev/shm` away from this process; an `OSError` where that is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = libc.unshare(_OWN_MOUNTS) or libc.mount(b"none", b"/", None, _PRIVATE, None)
    if own or libc.umount2(b"/dev/shm", _DETACH):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), "/dev/shm")


def start_disturbed(what: Surroundings, seed: int, plan: life.LifePlan) -> int:
    """Start a process in surroundings that a seed draws; returns its number."""
    process = os.fork()
    if not process:
        try:
            disturb(what, seed)
        except OSError:
            os._exit(NOT_ALLOWED)
        life.run_and_exit(plan)
    return process
