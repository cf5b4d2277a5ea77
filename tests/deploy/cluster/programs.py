"""Programs under test: how tests start them, wait for them and remove them."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[3]
MARK = "QUINTET_TEST_MARK"


class Program:
    """A program under test. Every process below it has its mark in the environment, even when orphaned."""

    def __init__(self, what: str, *address: str) -> None:
        self._mark = f"{MARK}={uuid.uuid4().hex}"
        name, _, value = self._mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.deploy.cluster.program", what, *address],
            cwd=ROOT,
            env=os.environ | {name: value, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def said(self, word: str) -> str:
        """Wait for the line that begins with a word; returns the rest of it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(f"{word} "):
                return line[len(word) + 1 :].strip()
        raise AssertionError(f"{word!r} was not said; exit code {self.process.wait()}")

    def alive(self) -> list[int]:
        """Processes of the program, without zombies."""
        found: list[int] = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                ours = self._mark.encode() in (process / "environ").read_bytes()
                if ours and ") Z " not in (process / "stat").read_text():
                    found.append(int(process.name))
        return found


@contextmanager
def program(what: str, *address: str) -> Generator[Program, None, None]:
    running = Program(what, *address)
    with running.process:
        try:
            yield running
        finally:
            for pid in running.alive():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def soon(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether a condition holds within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """As `soon`, without blocking the event loop."""
    for _ in range(int(seconds / 0.05)):
        if condition():
            return True
        await asyncio.sleep(0.05)
    return False
