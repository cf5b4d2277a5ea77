"""Tasks of a user's: a goal each, in a file of JSON lines or of TOML."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from quintet.errors import UsageError
from quintet.plugins.files import read_limited

_LARGEST: Final = 2**26
"""Bytes of a file of tasks."""


class ToolTask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task: what is to be done with a server's tools."""

    name: str
    goal: str
    answer: str | None = None
    """A correct answer, by which the run's judge grades; None: it has none."""
    data: Mapping[str, Any] = {}
    """For a check of yours."""


def read_tool_tasks(file: Path) -> dict[str, ToolTask]:
    """The tasks of a file by name: `FILE.toml` has a table `[NAME]` for each, another file an object on each line.

    Raises:
        UsageError: it cannot be read, or a line or table is no task; the text says where.
    """
    try:
        text = read_limited(file, _LARGEST).decode()
        found = list(_tables(text) if file.suffix == ".toml" else _lines(text))
    except OSError as error:
        raise UsageError(f"environment.tasks: expected a file, got {error.strerror or error} ({file})") from error
    except ValueError as error:  # of msgspec and tomllib too, and of a text that is no UTF-8
        raise UsageError(f"environment.tasks: expected tasks with a name and a goal, got {error} ({file})") from error
    tasks = {task.name: task for task in found}
    if len(tasks) < len(found) or not found:
        got = "a name that comes twice" if found else "none"
        raise UsageError(f"environment.tasks: expected tasks of different names, got {got} ({file})")
    return tasks


def _tables(text: str) -> Iterator[ToolTask]:
    for name, table in tomllib.loads(text).items():
        try:
            yield msgspec.convert({"name": name, **table} if isinstance(table, dict) else table, ToolTask)
        except msgspec.ValidationError as error:
            raise ValueError(f"{error} in [{name}]") from error


def _lines(text: str) -> Iterator[ToolTask]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield msgspec.json.decode(line, type=ToolTask)
            except msgspec.DecodeError as error:
                raise ValueError(f"{error} in line {number}") from error
