"""Plug-ins by name, and work on them in another process.

What depends on the order of a set, on an address or on a module's state differs there. The other process runs
`python -m quintet.testing.subprocesses package.module:function`.
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

from quintet.config import plugins
from quintet.config.sections import ModelSettings
from quintet.plugins import catalogue
from quintet.ports.model import Model
from quintet.ports.world import World
from quintet.testing.expectations import fail

RequestT = TypeVar("RequestT", bound=Struct)
ResultT = TypeVar("ResultT")


class NamedPlugIn(Struct, frozen=True):
    """A name of the catalogue, and the plug-in's options as JSON can say them: enough to make it in any process."""

    name: str
    options: dict[str, Any] = {}

    def world(self) -> World:
        """A new instance of the environment of that name."""
        options = plugins.world_options(self.name).model_validate(self.options)
        given = {name: getattr(options, name) for name in options.model_fields_set}
        return catalogue.world(self.name, **given)

    def model(self) -> Model:
        """A new instance of the model of that name."""
        return plugins.model(ModelSettings(name=self.name, **self.options))


def in_subprocess(work: Callable[[RequestT], ResultT], request: RequestT, *, hash_seed: int = 1) -> ResultT:
    """Fail unless `work(request)` returns in another process, and return what it returned.

    Args:
        work: a function at the top of a module; the types it is annotated with travel as JSON.
        request: its argument.
        hash_seed: of that process.
    """
    __tracebackhide__ = True
    done = subprocess.run(
        [sys.executable, "-m", "quintet.testing.subprocesses", f"{work.__module__}:{work.__qualname__}"],
        input=msgspec.json.encode(request),
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        fail("the same in another process", lines[-1] if lines else f"its exit code {done.returncode}")
    result: ResultT = msgspec.json.decode(done.stdout, type=get_type_hints(work)["return"])
    return result


def _main(name: str) -> None:
    module, function = name.split(":")
    work: Callable[[Any], Any] = getattr(import_module(module), function)
    request_type, *_ = get_type_hints(work).values()
    with redirect_stdout(sys.stderr):  # a plug-in may print; the result is alone on standard output
        result = work(msgspec.json.decode(sys.stdin.buffer.read(), type=request_type))
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    _main(sys.argv[1])
