"""Processes of this machine, as /proc has them."""

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

_PARTS = {"guard": "guard.py", "driver": "run-driver", "chromium": "--remote-debugging-pipe"}


class Process(NamedTuple):
    """One process; another one with its number starts at another time."""

    number: int
    started: str
    parent: int
    command: str

    def is_a(self, part: str) -> bool:
        """Whether it is the guard, Playwright's driver, or Chromium's first process."""
        guards = _PARTS["guard"] in self.command
        return _PARTS[part] in self.command and guards == (part == "guard") and "--type=" not in self.command


def below(number: int) -> list[Process]:
    """All that descend from a process, but for the shell's keeper, which stays once a test needs a sandbox."""
    found: list[Process] = []
    parents = {number}
    everyone = [each for each in _running() if "/shell/keeper.py" not in each.command]
    while grown := [each for each in everyone if each.parent in parents and each not in found]:
        found += grown
        parents |= {each.number for each in grown}
    return found


def left_of(processes: Collection[Process], seconds: float = 30) -> list[Process]:
    """Those that are still there after a time that is long enough for them to end."""
    until = time.monotonic() + seconds
    while True:
        running = {(each.number, each.started) for each in _running()}
        left = [each for each in processes if (each.number, each.started) in running]
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.02)


def _running() -> Iterator[Process]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, *rest = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it ended meanwhile
        if state not in "ZX":
            yield Process(int(folder.name), rest[17], int(parent), command)
