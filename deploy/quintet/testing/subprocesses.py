"""Work in another process with another hash seed: `python -m quintet.testing.subprocesses package.module:function`.

What depends on the order of a set, on an address or on a module's state differs there.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from quintet.testing.clauses import Broken

AskedT = TypeVar("AskedT", bound=Struct)
AnswerT = TypeVar("AnswerT")


def in_subprocess(work: Callable[[AskedT], AnswerT], asked: AskedT, *, hash_seed: int = 1) -> AnswerT:
    """What `work(asked)` returns in another process.

    Args:
        work: a function at the top of a module; the types it is annotated with travel as JSON.

    Raises:
        Broken: it raised there.
    """
    done = subprocess.run(
        [sys.executable, "-m", "quintet.testing.subprocesses", f"{work.__module__}:{work.__qualname__}"],
        input=msgspec.json.encode(asked),
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Broken("the same in another process", said[-1] if said else f"its exit code {done.returncode}")
    answer: AnswerT = msgspec.json.decode(done.stdout, type=get_type_hints(work)["return"])
    return answer


def _main(name: str) -> None:
    module, function = name.split(":")
    work: Callable[[Any], Any] = getattr(import_module(module), function)
    asked_type, *_ = get_type_hints(work).values()
    with redirect_stdout(sys.stderr):  # a plug-in may print; the answer is alone on standard output
        answer = work(msgspec.json.decode(sys.stdin.buffer.read(), type=asked_type))
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    _main(sys.argv[1])
