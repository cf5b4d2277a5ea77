"""`--detach`: the same command in a process of its own, which goes on after the terminal closes."""

import json as json_text
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from quintet.cli.commands import COMMAND_LINE
from quintet.cli.console import notify
from quintet.control.client import find_listening
from quintet.runs.files import lock_holder, refuse_links, usable_folder
from quintet.runs.folder import shell_command
from quintet.runs.listing import is_run_folder

DETACH = "--detach"

_PROGRAM = "import sys; from quintet.cli import main; sys.exit(main())"

_WAIT_SECONDS = 120.0
"""How long the run may take to begin before this process leaves it alone."""


def start_again(words: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
    """Start a command of this program in a session of its own; what it prints goes to a file."""
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def start_detached(folder: Path, *further: str, json: bool) -> int:
    """Start this command again without its terminal, and wait until its run has begun or failed to.

    Args:
        further: words for the command that it lacks.

    Returns:
        0, or the exit code of a command that has ended already.
    """
    words = [word for word in COMMAND_LINE.get() if word != DETACH]
    log = folder / "logs" / "console.log"
    if folder.exists():
        refuse_links(folder)
    with usable_folder(folder):
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a+b") as output:
            before = output.tell()
            started = start_again([*words, *further], output)
            ended = _wait(started, folder)
            if ended is not None:  # kept open, since a command that fails at once removes its folder
                output.seek(before)
                notify(output.read().decode(errors="replace").rstrip())
                return ended
    started.returncode = 0  # left alone: or Python warns that it still runs
    if json:
        print(json_text.dumps({"folder": str(folder), "process": started.pid, "log": str(log)}))
        return 0
    notify(f"run folder: {folder}, process {started.pid}; what it prints: {log}")
    notify(f"look: {shell_command('ctl', folder, 'status')}; stop: {shell_command('ctl', folder, 'stop')}")
    return 0


def _wait(started: "subprocess.Popen[bytes]", folder: Path) -> int | None:
    """Wait until the run listens; its exit code if it ended instead."""
    until = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < until:
        if (code := started.poll()) is not None:
            return code
        holder = lock_holder(folder)
        begun = holder is not None and holder.process == started.pid and is_run_folder(folder)
        if begun and find_listening(folder) is not None:
            return None
        time.sleep(0.05)
    return None
