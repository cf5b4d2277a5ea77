"""Reads tasks from folders in Harbor's layout: instruction.md, task.toml, environment/, tests/, solution/.

Of that layout it takes what needs no image of its own. A task that needs one is refused, in words, and not played.
"""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from quintet.environments.content import content_digest
from quintet.environments.shell.dockerfile import CopiedFiles, FilePlacement, read_dockerfile
from quintet.errors import UsageError
from quintet.plugins.files import read_limited

_HOME: Final = "/work"
_LARGEST: Final = 2**20
_LARGEST_FILE: Final = 2**28
_NETWORK: Final = re.compile(r"\b(apt-get|apt|curl|wget|pip3?|uvx?|npm|git clone)\s")
_IMAGE: Final = ("docker_image", "mcp_servers", "healthcheck", "gpus", "tpu", "env")
"""Settings of `[environment]` that ask for more than a folder."""


class _Part(msgspec.Struct, frozen=True):
    timeout_sec: float | None = None


class _Settings(msgspec.Struct, frozen=True):
    """What is read of task.toml; all else of it is for others."""

    metadata: dict[str, Any] = {}
    environment: dict[str, Any] = {}
    agent: _Part = _Part()
    verifier: _Part = _Part()
    steps: list[Any] | None = None


class GivenFile(NamedTuple):
    """A file or a folder of a task's."""

    path: str
    content: bytes | None
    """None: it is a folder."""
    executable: bool = False


class TaskFolder:
    """One task. Its files are read when they are needed.

    Raises:
        UsageError: it has no instruction, or task.toml cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self._tests = folder / "tests"
        self.instruction = _text(folder / "instruction.md").strip()
        if not self.instruction:
            raise UsageError(f"instruction: expected text, got an empty file ({folder / 'instruction.md'})")
        self._settings = _read_settings(folder / "task.toml")
        self.refusal = ""
        """Why it is not played; empty: it is."""
        self._placement = FilePlacement(_HOME, (CopiedFiles((".",), "./"),))
        try:
            self._check()
            if (dockerfile := folder / "environment" / "Dockerfile").exists():
                self._placement = read_dockerfile(_text(dockerfile), "environment/Dockerfile")
        except ValueError as error:
            self.refusal = str(error)

    @property
    def home(self) -> str:
        """Where its files are, in the sandbox."""
        return self._placement.home

    @property
    def agent_seconds(self) -> float | None:
        """How long a command may take at most; None: as long as any."""
        return self._settings.agent.timeout_sec

    @property
    def check_seconds(self) -> float | None:
        """How long the check may take; None: as long as any."""
        return self._settings.verifier.timeout_sec

    @property
    def metadata(self) -> Mapping[str, str]:
        """What reports group tasks by."""
        said = self._settings.metadata
        return {"category": str(said.get("category", "")), "difficulty": str(said.get("difficulty", ""))}

    @cached_property
    def walk(self) -> tuple[str, ...] | None:
        """The commands of its solution, a line each; None: it has none, or one that is more than single commands."""
        script = self.folder / "solution" / "solve.sh"
        if not script.exists():
            return None
        lines = [line.strip() for line in _text(script).splitlines()]
        commands = [line for line in lines if line and not line.startswith("#") and not line.startswith("set -")]
        return tuple(commands) if commands and all(map(_is_command, commands)) else None

    def files(self) -> Iterator[GivenFile]:
        """What its folder holds at the beginning, parents first.

        Raises:
            UsageError: a file cannot be read.
        """
        found: dict[str, Path] = {}
        for copy in self._placement.copies:
            for source in copy.sources:
                found.update(self._copied(copy, source))
        for path in sorted(found):
            yield _given(path, found[path])

    def test_files(self) -> Iterator[GivenFile]:
        """What the folder of its check holds; errors as of `files`."""
        for file in _below(self._tests):
            yield _given(str(file.relative_to(self._tests)), file)

    @cached_property
    def digest(self) -> str:
        """Of all that makes the task what it is."""
        parts = [self.instruction, self.home, self.agent_seconds, self.check_seconds]
        return content_digest(parts if self.refusal else [*parts, *self.files(), *self.test_files()])

    def _check(self) -> None:
        """Raises ValueError if it needs more than a folder."""
        said = self._settings.environment
        if self._settings.steps:
            raise ValueError("task.toml: expected a task of one step, got several")
        if said.get("os", "linux") != "linux":
            raise ValueError(f"task.toml: expected linux, got {said['os']}")
        for name in _IMAGE:
            if said.get(name):
                raise ValueError(f"task.toml: expected no environment.{name}, got one")
        if compose := next(self.folder.glob("environment/*compose.y*ml"), None):
            raise ValueError(f"expected a folder, got services (environment/{compose.name})")
        if not (script := self._tests / "test.sh").exists():
            raise ValueError("expected a check, got no tests/test.sh")
        for number, line in enumerate(_text(script).splitlines(), 1):
            if not line.lstrip().startswith("#") and (found := _NETWORK.search(line)):
                raise ValueError(f"tests/test.sh, line {number}: expected no network, got {found[1]}")

    def _copied(self, copy: CopiedFiles, source: str) -> Iterator[tuple[str, Path]]:
        """What a COPY of one source places: paths within the working directory, and where they come from."""
        context = self.folder / "environment"
        origin = context / source.lstrip("/")
        if not context.is_dir() and source == ".":
            return
        if not origin.resolve().is_relative_to(context.resolve()) or not origin.exists():
            raise UsageError(f"COPY: expected a file in the folder, got {source!r} ({context / 'Dockerfile'})")
        target = "" if copy.target == "./" else copy.target
        if origin.is_dir():
            for file in _below(origin):
                if file.name != "Dockerfile" or file.parent != context:
                    yield os.path.normpath(f"{target}/{file.relative_to(origin)}".lstrip("/")), file
        else:
            target = f"{target}{origin.name}" if target.endswith("/") or not target else target
            yield target, origin
        for parent in Path(target).parents:
            if str(parent) != ".":
                yield str(parent), context


def _below(folder: Path) -> list[Path]:
    """All files and folders, parents first; links are left out."""
    return sorted(file for file in folder.rglob("*") if not file.is_symlink() and (file.is_file() or file.is_dir()))


def _given(path: str, file: Path) -> GivenFile:
    if file.is_dir():
        return GivenFile(path, None)
    return GivenFile(path, _bytes(file, _LARGEST_FILE), os.access(file, os.X_OK))


def read_task_folders(folder: Path) -> dict[str, TaskFolder]:
    """The tasks of a folder, by name.

    Raises:
        UsageError: it has none.
    """
    try:
        found = sorted(each.parent for each in folder.glob("*/instruction.md"))
    except OSError as error:
        raise UsageError(f"tasks: expected a folder of tasks, got {error.strerror} ({folder})") from error
    if not found:
        raise UsageError(f"tasks: expected a folder of tasks, each with an instruction.md, found none ({folder})")
    return {each.name: TaskFolder(each) for each in found}


def _read_settings(file: Path) -> _Settings:
    if not file.exists():
        return _Settings()
    try:
        return msgspec.convert(tomllib.loads(_text(file)), _Settings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UsageError(f"task.toml: expected the settings of a task, got {error} ({file})") from error


def _text(file: Path) -> str:
    try:
        return _bytes(file, _LARGEST).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"task: expected UTF-8 text, got byte {error.object[error.start]:#x} ({file})") from error


def _bytes(file: Path, most: int) -> bytes:
    try:
        return read_limited(file, most)
    except OSError as error:
        raise UsageError(f"task: expected a file that can be read, got {error.strerror} ({file})") from error
    except ValueError as error:
        raise UsageError(f"task: {error} ({file})") from error


def _is_command(line: str) -> bool:
    """Whether a line is a command by itself; bash reads it, and runs nothing."""
    read = subprocess.run(["/bin/bash", "-n", "-c", line], capture_output=True, check=False)
    return read.returncode == 0 and not read.stderr
