"""Reads and checks a file of tasks; an error names the task and its field."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Raw, Struct

from quintet.environments.webarena.addresses import ALL_OF, SiteName
from quintet.environments.webarena.evaluators.compare import ALTERNATIVES
from quintet.environments.webarena.evaluators.evaluate import LAST_PAGE
from quintet.environments.webarena.evaluators.functions import FUNCTION_PREFIX, CheckPlace, UnreadableCall, read_call
from quintet.environments.webarena.tasks.schema import (
    NOT_ACHIEVABLE,
    EvalType,
    ProgramCheck,
    TaskEvaluation,
    UrlRule,
    WebTask,
)
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
    """The tasks of a file in the official schema, in its order; a `UsageError` if it is none, or two have one id."""
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


_PLACEHOLDER = re.compile(r"__[A-Z]+(?:_[A-Z]+)*__")
_ADDRESS = re.compile(r"(?:__[A-Z_]+__|https?://[^\s/]+)(?:[/?#]\S*)?")
_SCRIPT = re.compile(r"document\.|\[\.\.\.document\.")


class FieldError(ValueError):
    """A field of a task is not what the schema has there."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)


def check_task(task: WebTask) -> None:
    """Check the fields of a task against each other."""
    _once("sites", task.sites)
    _addresses("start_url", task.start_url.split(ALL_OF), task)
    _check_answers(task.eval)
    _check_url(task)
    if ("program_html" in task.eval.eval_types) != bool(task.eval.program_html):
        raise FieldError("eval.program_html", "expected checks if, and only if, eval_types has program_html")
    for number, check in enumerate(task.eval.program_html):
        _check_program(f"eval.program_html[{number}]", check, task)


def _check_answers(checks: TaskEvaluation) -> None:
    _once("eval.eval_types", checks.eval_types)
    field, references = "eval.reference_answers", checks.reference_answers
    if ("string_match" in checks.eval_types) != (references is not None):
        got = "null" if references is None else "some"
        raise FieldError(field, f"expected answers if, and only if, eval_types has string_match, got {got}")
    if references is None:
        return
    if references.exact_match is None and references.must_include is None and references.fuzzy_match is None:
        raise FieldError(field, "expected exact_match, must_include or fuzzy_match, got none")
    if references.fuzzy_match == NOT_ACHIEVABLE and not checks.string_note.strip():
        raise FieldError("eval.string_note", f"expected why the task cannot be done, as its answer is {NOT_ACHIEVABLE}")


def _check_url(task: WebTask) -> None:
    if "url_match" not in task.eval.eval_types:
        return
    reference = task.eval.reference_url
    if not reference:
        raise FieldError("eval.reference_url", "expected an address, as eval_types has url_match, got none")
    _addresses("eval.reference_url", reference.split(ALTERNATIVES), task)


def _check_program(place: str, check: ProgramCheck, task: WebTask) -> None:
    if not _called(f"{place}.url", check.url, "url") and check.url != LAST_PAGE:
        _addresses(f"{place}.url", [check.url], task)
    locator = check.locator
    if not _called(f"{place}.locator", locator, "locator") and locator.strip() and not _SCRIPT.match(locator):
        raise FieldError(f"{place}.locator", f"expected an expression of `document`, func: or nothing, got {locator!r}")
    required = check.required_contents
    if (required.exact_match is None) == (required.must_include is None):
        raise FieldError(f"{place}.required_contents", "expected one of exact_match and must_include")


def _called(field: str, text: str, place: CheckPlace) -> bool:
    if not text.startswith(FUNCTION_PREFIX):
        return False
    try:
        read_call(text.removeprefix(FUNCTION_PREFIX), place)
    except UnreadableCall as error:
        raise FieldError(field, str(error)) from error
    return True


def _addresses(field: str, texts: Sequence[str], task: WebTask) -> None:
    # The home page, which links to all sites, is part of every task.
    known = [f"__{site.upper()}__" for site in get_args(SiteName) if site in task.sites or site == "homepage"]
    for text in texts:
        if not _ADDRESS.fullmatch(text):
            raise FieldError(field, f"expected an address such as __SHOPPING__/cart, got {text!r}")
        for placeholder in _PLACEHOLDER.findall(text):
            if placeholder not in known:
                raise FieldError(field, f"expected {' or '.join(known)} (the task's sites), got {placeholder}")


def _once(field: str, values: Sequence[str]) -> None:
    if len(set(values)) < len(values):
        raise FieldError(field, f"expected each once, got {', '.join(values)}")
