"""Real deaths: processes on real run folders, killed around their commits, before a real endpoint that may die too."""

import os
import subprocess
import sys
from functools import cache

import msgspec

from tests.soak.scenario import Kind, Verdict


def check(seed: int) -> Verdict:
    """Play a scenario in this process's nursery, which forks: a process with threads, as others have, must not."""
    nursery = _nursery()
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{seed}\n".encode())
    nursery.stdin.flush()
    answer = nursery.stdout.readline()
    assert answer, f"the nursery ended with exit code {nursery.wait()} at seed {seed}"
    return msgspec.json.decode(answer, type=Verdict)


@cache
def _nursery() -> "subprocess.Popen[bytes]":
    """Ends when its input is closed, so with this process."""
    command = [sys.executable, "-m", "tests.soak.process.nursery"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def missing() -> str:
    """Why it cannot run here."""
    return "" if hasattr(os, "pidfd_open") else "it needs Linux's pidfd_open"


KIND = Kind("process", check, weight=200, missing=missing)
