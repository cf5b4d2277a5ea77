"""What a command may use, and what the processes that it has started use."""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from quintet.environments.options import check_positive

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
MEGABYTE: Final = 2**20


class CommandLimits(Struct, frozen=True, kw_only=True):
    """What one command may use, and how much of its output is shown."""

    seconds: int = 10
    """Of the clock, until it is killed."""
    cpu_seconds: int = 10
    """Of computing, in each of its processes."""
    memory_mb: int = 1024
    """In each of its processes, and in all together."""
    processes: int = 64
    """At a time, two of the sandbox's own included."""
    folder_mb: int = 256
    """What may be in the folder after a command; beyond it the task is over."""
    file_mb: int = 64
    """In one file."""
    files: int = 10_000
    """In the folder, folders included; beyond it the task is over."""
    shown: int = 8_000
    """Characters of output, half from its beginning and half from its end."""

    def check(self, world: str) -> None:
        """Raises UsageError if a limit is less than 1."""
        for option in self.__struct_fields__:
            check_positive(option, getattr(self, option), world)


def memory_of(process: int) -> int:
    """Bytes that a process and all below it have for themselves; one that ends meanwhile counts for nothing."""
    waiting, size = [process], 0
    while waiting:
        place = Path(f"/proc/{waiting.pop()}")
        try:
            resident, shared = (place / "statm").read_text().split()[1:3]
            size += (int(resident) - int(shared)) * _PAGE
            for thread in (place / "task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
        except OSError:
            continue
    return size
