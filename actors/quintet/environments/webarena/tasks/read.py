"""Reads a file of tasks; an error names the task and its field."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Raw, Struct

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.tasks.check import FieldError, check_task
from quintet.environments.webarena.tasks.schema import EvalType, UrlRule, WebTask
from quintet.errors import UsageError
from quintet.plugins.files import read_limited

_LARGEST = 2**26
"""Bytes of a file; the released one has less than 2**20."""
_AT = re.compile(r"(?P<problem>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_NO_LIST = re.compile(r"Expected `array`, got `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_NO_CHOICE = re.compile(r"Invalid enum value (.*)", re.DOTALL)
_INDEX = re.compile(r"\[(?:\d+|\.\.\.)\]")
_CHOICES = {"sites": get_args(SiteName), "eval.eval_types": get_args(EvalType), "eval.url_note": get_args(UrlRule)}


class _Numbered(Struct):
    task_id: int


def read_tasks(file: Path) -> tuple[WebTask, ...]:
    """The tasks of a file in the official schema, in its order.

    Raises:
        UsageError: the file cannot be read or is no list of tasks, a task is of another schema, or two have one id.
    """
    tasks: dict[int, WebTask] = {}
    for place, record in enumerate(_records(file), start=1):
        task = _read_task(record, place, file)
        if task.task_id in tasks:
            raise UsageError(f"task {task.task_id}: expected an id of its own, got that of another task ({file})")
        tasks[task.task_id] = task
    if not tasks:
        raise UsageError(f"tasks: expected at least one task, got none ({file})")
    return tuple(tasks.values())


def _records(file: Path) -> Sequence[Raw]:
    try:
        return msgspec.json.decode(read_limited(file, _LARGEST), type=tuple[Raw, ...])
    except FileNotFoundError as error:
        raise UsageError(f"tasks: expected a file, got none ({file})") from error
    except OSError as error:
        raise UsageError(f"tasks: expected a file that can be read, got {error.strerror} ({file})") from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        text = str(error)
        found = f"a JSON {wrong[1]}" if (wrong := _NO_LIST.fullmatch(text)) else f"other text: {text}"
        raise UsageError(f"tasks: expected a JSON list of tasks, got {found} ({file})") from error


def _read_task(record: Raw, place: int, file: Path) -> WebTask:
    try:
        number = msgspec.json.decode(record, type=_Numbered).task_id
        name = f"task {number}"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        name = f"task at place {place}"
    try:
        task = msgspec.json.decode(record, type=WebTask)
        check_task(task)
    except FieldError as error:
        raise UsageError(f"{name}: {error} ({file})") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{name}: {_in_words(str(error))} ({file})") from error
    return task


def _in_words(text: str) -> str:
    """What msgspec says, in the house's words: the field first, `expected`, `got`."""
    found = _AT.fullmatch(text)
    problem, path = (found["problem"], found["path"] or "") if found else (text, "")
    field = path.strip(".")
    if missing := _MISSING.fullmatch(problem):
        return f"{'.'.join(filter(None, (field, missing[1])))}: expected a value, got no such field"
    if unknown := _UNKNOWN.fullmatch(problem):
        return f"{'.'.join(filter(None, (field, unknown[1])))}: expected no such field, as the official schema has none"
    listed = _INDEX.sub("", field)
    if (choice := _NO_CHOICE.fullmatch(problem)) and listed in _CHOICES:
        return f"{listed}: expected one of {', '.join(_CHOICES[listed])}, got {choice[1]}"
    return f"{field}: {_lowered(problem)}" if field else _lowered(problem)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
