"""The page of promises says nothing that no test and no scenario of the soak holds."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.soak import kinds

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"
CHAPTERS = ("What is promised", "What is exact", "Who is trusted, and who is not")
"""Whose tables say in their last column what holds each line."""
KINDS = frozenset(kind.name for kind in kinds.KINDS) | {"controls"}
"""Sections of the soak's report."""

_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[\w/]+\.py)\)")


def _rows() -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    tables = [text.split(f"\n## {chapter}\n")[1].split("\n## ")[0] for chapter in CHAPTERS]
    return [row for table in tables for row in table.splitlines()[1:] if row.startswith("| ") and "| --- |" not in row]


PROMISES = [row for row in _rows() if not row.endswith("| held by |")]


@cache
def _tests(file: Path) -> frozenset[str]:
    parsed = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return frozenset(each.name for each in parsed if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


def _leads_to_a_test(words: str, file: str) -> bool:
    return (PAGE.parent / file).is_file() and f"test_{words.replace(' ', '_')}" in _tests(PAGE.parent / file)


def test_there_are_promises_of_every_chapter() -> None:
    assert len(PROMISES) > 40
    assert all(row.count("|") == 4 for row in PROMISES)


@pytest.mark.parametrize("row", PROMISES, ids=range(len(PROMISES)))
def test_a_promise_names_what_holds_it(row: str) -> None:
    holds = row.split("|")[3]
    tests = _LINK.findall(holds)
    assert tests, "no test"
    assert [each for each in tests if not _leads_to_a_test(*each)] == []
    said, _, soaked = holds.partition("soak: ")
    assert set(re.findall(r"`(\w+)`", soaked)) <= KINDS
    assert bool(soaked) == ("soak" in holds)
    assert _LINK.sub("", said).strip(" ,;") == "", "words without a link"


def test_whatever_else_the_page_names_as_a_test_is_one() -> None:
    links = _LINK.findall(PAGE.read_text(encoding="utf-8"))
    assert [each for each in links if not _leads_to_a_test(*each)] == []


def test_a_test_that_is_not_there_would_be_noticed() -> None:
    assert _leads_to_a_test("a test that is not there would be noticed", "../tests/test_promises.py")
    assert not _leads_to_a_test("a test that was renamed", "../tests/test_promises.py")
    assert not _leads_to_a_test("a file that was moved", "../tests/test_promise.py")
