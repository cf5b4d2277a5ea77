"""The source of what cells and scripts define, with what it names there."""

import linecache
from collections.abc import Iterator
from typing import Any

import pytest

from quintet.plugins.definitions import read_definitions, was_compiled_from

HELPER = "def again(answer):\n    return answer < LIMIT\n"
MINE = "class Mine(Base):\n    times = 2\n    def solve(self):\n        return again(self.times)\n"
CELLS = ("class Base:\n    kind = 'base'\n", "import tests\nLIMIT = 3\nUNUSED = 4\n", HELPER, MINE)


@pytest.fixture
def cell_files() -> Iterator[list[str]]:
    files: list[str] = []
    yield files
    for file in files:
        linecache.cache.pop(file)


def run_cells(files: list[str], *cells: str) -> dict[str, Any]:
    """Execute cells as a notebook does: each is a file of its own that linecache knows."""
    names: dict[str, Any] = {"__name__": "a_notebook"}
    for text in cells:
        file = f"<cell {len(files)}>"
        files.append(file)
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), names)
    return names


def test_a_cell_has_its_text_and_that_of_all_it_names(cell_files: list[str]) -> None:
    found = read_definitions(run_cells(cell_files, *CELLS)["Mine"])
    assert found.texts.keys() == {"Mine", "again", "LIMIT", "Base"}
    assert (found.texts["Mine"], found.texts["again"], found.texts["LIMIT"]) == (MINE, HELPER, "3")
    assert found.modules == ()


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [("LIMIT = 3", "LIMIT = 4", "LIMIT"), ("answer <", "answer >", "again"), ("'base'", "'other'", "Base")],
)
def test_a_change_of_what_it_names_is_a_change(old: str, new: str, changed: str, cell_files: list[str]) -> None:
    before = read_definitions(run_cells(cell_files, *CELLS)["Mine"]).texts
    after = read_definitions(run_cells(cell_files, *(cell.replace(old, new) for cell in CELLS))["Mine"]).texts
    assert [name for name in before if before[name] != after[name]] == [changed]


def test_a_change_of_what_it_does_not_name_is_none(cell_files: list[str]) -> None:
    before = read_definitions(run_cells(cell_files, *CELLS)["Mine"]).texts
    cells = ["# another cell\n", *(cell.replace("UNUSED = 4", "UNUSED = 5\n\n") for cell in CELLS)]
    assert read_definitions(run_cells(cell_files, *cells)["Mine"]).texts == before


def test_the_users_modules_that_it_names_are_found(cell_files: list[str]) -> None:
    names = run_cells(cell_files, "import tests.command, msgspec\ndef f():\n    return tests.command, msgspec\n")
    assert [module.__name__ for module in read_definitions(names["f"]).modules] == ["tests"]


def test_without_its_text_what_it_was_compiled_to_says_whether_it_changed() -> None:
    def texts(source: str) -> dict[str, str]:
        names: dict[str, Any] = {"__name__": "no_file"}
        exec(source, names)
        return dict(read_definitions(names["Mine"]).texts)

    source = "".join(CELLS)
    assert texts(source) == texts(source)
    assert texts(source) != texts(source.replace("answer <", "answer >"))
    assert texts(source) != texts(source.replace("times = 2", "times = 3"))


def test_a_function_of_a_function_has_what_it_closes_over() -> None:
    limit = 3

    def work() -> int:
        return limit

    found = read_definitions(work)  # type: ignore[arg-type]
    assert found.texts["limit"] == "3"
    assert "return limit" in found.texts[work.__qualname__]


def test_code_that_was_imported_before_its_file_changed_is_known() -> None:
    names: dict[str, Any] = {"__name__": "a_module"}
    exec(compile("".join(CELLS), "a_module.py", "exec"), names)
    assert was_compiled_from(names["Mine"], "".join(CELLS).encode())
    assert not was_compiled_from(names["Mine"], "".join(CELLS).replace("return again(", "return not again(").encode())
