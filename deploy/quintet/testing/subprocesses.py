"""Plug-ins by name, and work on them in another process.

What depends on the order of a set, on an address or on a module's state differs there. The other process runs
`python -m quintet.testing.subprocesses`: it reads one piece of work a line and answers each in a line.
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from traceback import format_exception_only
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from quintet.config import plugins
from quintet.config.memory_section import EmbedderSettings
from quintet.config.sections import ModelSettings
from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.brought import FROM_PYTHON, bringing
from quintet.plugins.entry_points import Kind
from quintet.plugins.objects import find_object
from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.ports.world import World
from quintet.testing.expectations import fail

ArgumentT = TypeVar("ArgumentT", bound=Struct)
ResultT = TypeVar("ResultT")


class NamedPlugIn(Struct, frozen=True):
    """A plug-in's name and its options as JSON can say them: enough to make it in any process."""

    name: str
    options: dict[str, Any] = {}
    origin: str = ""
    """Of an object in place of a name, where any process finds it: `/abs/file.py:OBJECT`; empty: a catalogue's name."""

    @property
    def place(self) -> str:
        """What names it in every process."""
        return self.origin or self.name

    @contextmanager
    def brought(self, kind: Kind) -> Generator[None, None, None]:
        """Let the catalogue find it by its name inside."""
        found = find_object(kind, self.origin) if self.origin else None
        with bringing([] if found is None or found.brought is None else [found.brought]):
            yield

    def world(self) -> World:
        """A new instance of the environment of that name."""
        with self.brought("environment"):
            options = plugins.world_options(self.name).model_validate(self.options)
            given = {name: getattr(options, name) for name in options.model_fields_set}
            return catalogue.world(self.name, **given)

    def model(self) -> Model:
        """A new instance of the model of that name."""
        with self.brought("model"):
            return plugins.make_model(ModelSettings(name=self.name, **self.options))

    def embedder(self) -> Embedder:
        """A new instance of the embedder of that name."""
        with self.brought("embedder"):
            return plugins.make_embedder(EmbedderSettings(name=self.name, **self.options))


def name_plug_in(kind: Kind, given: object, options: Mapping[str, Any] | None = None) -> NamedPlugIn:
    """A plug-in by its name, or by the object that is given in place of it, which any process must find."""
    found = find_object(kind, given)
    if found is None or found.brought is None:
        return NamedPlugIn(str(given) if found is None else found.name, dict(options or {}))
    if found.brought.origin == FROM_PYTHON:
        expected = "a class or a function of a file, which another process can import"
        raise UsageError(f"{kind} {found.name}: expected {expected}, got {given!r}")
    return NamedPlugIn(found.name, dict(options or {}), found.brought.origin)


class _Work(Struct):
    """A function at the top of a module, as `package.module:function`, and its argument."""

    function: str
    request: msgspec.Raw


class _Answer(Struct):
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""


class _Process:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._started_with = environment, Path.cwd()
        self._running = subprocess.Popen(
            # -P: a file in this folder that is called as a library is never imported in its place.
            [sys.executable, "-P", "-m", "quintet.testing.subprocesses"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def serves(self, environment: Mapping[str, str]) -> bool:
        """Whether it lives, and was started as it would be now."""
        return self._running.poll() is None and self._started_with == (environment, Path.cwd())

    def do(self, work: _Work) -> _Answer:
        requests, answers = self._running.stdin, self._running.stdout
        assert requests is not None
        assert answers is not None
        try:
            requests.write(msgspec.json.encode(work) + b"\n")
            requests.flush()
            return msgspec.json.decode(answers.readline(), type=_Answer)
        except (OSError, msgspec.DecodeError):
            requests.close()
            return _Answer(error=f"its exit code {self._running.wait()}")

    def close(self) -> None:
        with self._running:
            pass  # at the end of its input it exits


_PROCESSES: dict[int, _Process] = {}
"""One by hash seed: starting Python costs far more than most pieces of work."""


@atexit.register
def _close_processes() -> None:
    for process in _PROCESSES.values():
        process.close()


def _process(hash_seed: int) -> _Process:
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTEST_CURRENT_TEST", None)  # another in each test
    process = _PROCESSES.get(hash_seed)
    if process is None or not process.serves(environment):
        if process is not None:
            process.close()
        process = _PROCESSES[hash_seed] = _Process(environment)
    return process


def in_subprocess(work: Callable[[ArgumentT], ResultT], request: ArgumentT, *, hash_seed: int = 1) -> ResultT:
    """Fail unless `work(request)` returns in another process, and return what it returned.

    Args:
        work: a function at the top of a module; the types it is annotated with travel as JSON.
    """
    __tracebackhide__ = True
    named = _Work(f"{work.__module__}:{work.__qualname__}", msgspec.Raw(msgspec.json.encode(request)))
    answer = _process(hash_seed).do(named)
    if answer.error:
        fail("the same in another process", answer.error)
    result: ResultT = msgspec.json.decode(answer.result, type=get_type_hints(work)["return"])
    return result


def _do(work: _Work) -> _Answer:
    try:
        module, name = work.function.split(":")
        function: Callable[[Any], Any] = getattr(import_module(module), name)
        request_type, *_ = get_type_hints(function).values()
        result = function(msgspec.json.decode(work.request, type=request_type))
        return _Answer(msgspec.Raw(msgspec.json.encode(result)))
    except BaseException as error:  # noqa: BLE001  whatever a plug-in raises is the finding
        return _Answer(error=format_exception_only(error)[-1].strip())


def _main() -> None:
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # a plug-in may read and print; requests and answers have files of their own
    for line in requests:
        answers.write(msgspec.json.encode(_do(msgspec.json.decode(line, type=_Work))) + b"\n")
        answers.flush()
    os._exit(0)  # threads that a plug-in started would be waited for


if __name__ == "__main__":
    _main()
