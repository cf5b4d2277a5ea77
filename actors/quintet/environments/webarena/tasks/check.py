"""Checks what a task's types cannot say: evaluators with what they read, placeholders, and calls."""

import re
from collections.abc import Sequence
from typing import get_args

from quintet.environments.webarena.addresses import ALL_OF, SiteName
from quintet.environments.webarena.evaluators.functions import FUNCTION_PREFIX, CheckPlace, UnreadableCall, read_call
from quintet.environments.webarena.evaluators.programs import LAST_PAGE
from quintet.environments.webarena.evaluators.urls import ALTERNATIVES
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, ProgramCheck, TaskEvaluation, WebTask

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
    """Whether the text calls a function."""
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
