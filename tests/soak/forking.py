"""A kind's nursery: a process that forks those of scenarios; a seed a line in, a verdict a line out.

A process with threads, as those that play a soak have, must not fork.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from tests.soak.scenario import Verdict


def check_in(module: str, seed: int) -> Verdict:
    """Have the nursery whose program is `module` play the scenario of a seed."""
    nursery = _nursery(module)
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{seed}\n".encode())
    nursery.stdin.flush()
    answer = nursery.stdout.readline()
    assert answer, f"{module} ended with exit code {nursery.wait()} at seed {seed}"
    return msgspec.json.decode(answer, type=Verdict)


@cache
def _nursery(module: str) -> "subprocess.Popen[bytes]":
    """Ends when its input is closed, so with this process."""
    return subprocess.Popen([sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def answer_seeds(make: Callable[[Path], Callable[[int], Verdict]], *, in_memory: bool = False) -> None:
    """Be a nursery: answer seeds until the other end closes.

    Args:
        make: takes a temporary folder, of this process alone, and returns what plays the scenario of a seed.
        in_memory: whether that folder is on a file system in memory, if there is one.
    """
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    memory = Path("/dev/shm")
    where = memory if in_memory and os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="soak-", dir=where) as name:
        os.environ |= {"OPENAI_API_KEY": "none", "HOME": name, "XDG_STATE_HOME": name, "NO_COLOR": "1"}
        check = make(Path(name))
        for line in sys.stdin:
            answers.write(msgspec.json.encode(check(int(line))) + b"\n")
