"""Sandboxes for tests: whether this machine has any, and a folder to run commands in."""

from collections.abc import Mapping
from functools import cache

import pytest
from msgspec.structs import replace

from quintet.environments.shell.host import ShellHost, shell_host
from quintet.environments.shell.layers import Folder, Layer
from quintet.environments.shell.limits import CommandLimits
from quintet.environments.shell.sandbox import Ran, SandboxCommand, run_command
from quintet.errors import UsageError

HOME = "/work"
LIMITS = CommandLimits(seconds=60, memory_mb=256, folder_mb=20, file_mb=10, files=500, shown=2_000)
"""Time is never what ends a command, however slow the machine is: a test of that has its own."""


@cache
def _missing() -> str:
    try:
        shell_host()
    except UsageError as error:
        return str(error)
    return ""


NEEDS_SANDBOX = pytest.mark.skipif(_missing() != "", reason=_missing())


class Commands:
    """Runs commands in one folder."""

    def __init__(self, host: ShellHost, files: Mapping[str, str] = {}) -> None:
        base = Layer(host)
        for name, text in files.items():
            (base.top / name).write_text(text)
            host.own(base.top / name)
        self.host = host
        self.folder = Folder.over(host, base)

    def run(self, text: str, *, directory: str = HOME, **limits: int) -> Ran:
        return run_command(self.host, self.folder, SandboxCommand(text, HOME, directory), replace(LIMITS, **limits))

    def output(self, text: str) -> str:
        return self.run(text).output
