"""Objects in place of names: found, named, refused if they cannot be used, and their source in cells and scripts."""

import linecache
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.gymnasium_world.world import GymnasiumWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.models.stand_in.model import strong
from quintet.plugins import catalogue
from quintet.plugins.brought import FROM_PYTHON, BroughtObject, bringing
from quintet.plugins.definitions import read_definitions, was_compiled_from
from quintet.plugins.entry_points import Kind
from quintet.plugins.objects import find_object
from tests.actors.fakes import Kitchen
from tests.actors.plugins import objects_of_tests
from tests.actors.plugins.objects_of_tests import Echo, Waiting, WaitingConfig, echo_of, make_kitchen

HERE = Path(objects_of_tests.__file__)


def brought(kind: Kind, given: object) -> BroughtObject:
    found = find_object(kind, given)
    assert found is not None
    assert found.brought is not None
    assert found.name == found.brought.name
    return found.brought


@pytest.mark.parametrize(
    "name", ["adapt", "llama3:8b", "org/model:latest", "gpt-4.1:mini", "no.such.module:Thing", 3, []]
)
def test_a_name_is_none_and_nothing_is_looked_for_in_numbers_and_lists(name: object) -> None:
    assert find_object("model", name) is None


@pytest.mark.parametrize("name", ["mcp:python notes.py", "mcp:python of/notes.py --port 1", "gym:mine.envs:Maze-v0"])
def test_a_world_with_its_option_is_a_name_whatever_file_or_module_the_option_says(name: str) -> None:
    assert find_object("environment", name) is None


@pytest.mark.parametrize(
    ("kind", "given", "name"),
    [
        ("method", React, "react"),
        ("method", React(ReactConfig()), "react"),
        ("method", "quintet.methods.adapt.adapt:Adapt", "adapt"),
        ("environment", TextCraft, "textcraft"),
        ("model", strong, "sim-strong"),
    ],
)
def test_an_object_of_the_catalogue_is_its_name(kind: Kind, given: object, name: str) -> None:
    found = find_object(kind, given)
    assert found is not None
    assert (found.name, found.brought) == (name, None)


@pytest.mark.parametrize(
    ("kind", "given", "name", "origin"),
    [
        ("method", Waiting, "waiting", f"{HERE}:Waiting"),
        ("method", Waiting(WaitingConfig()), "waiting", f"{HERE}:Waiting"),
        ("environment", Kitchen, "kitchen", f"{HERE.parents[1] / 'fakes.py'}:Kitchen"),
        ("environment", Kitchen(), "kitchen", FROM_PYTHON),
        ("environment", make_kitchen, "make_kitchen", f"{HERE}:make_kitchen"),
        ("model", Echo, "echo", f"{HERE}:Echo"),
        ("model", Echo(), "echo", FROM_PYTHON),
        ("method", f"{HERE}:Waiting", "waiting", f"{HERE}:Waiting"),
        ("method", f"{HERE}:configured", "waiting", f"{HERE}:Waiting"),
        ("model", "tests.actors.plugins.objects_of_tests:echo_of", "echo_of", f"{HERE}:echo_of"),
    ],
)
def test_an_object_has_its_own_name_and_the_place_where_it_is_found_again(
    kind: Kind, given: object, name: str, origin: str
) -> None:
    found = brought(kind, given)
    assert (found.name, found.origin) == (name, origin)
    assert any(text.endswith(("objects_of_tests.py", "fakes.py")) for text in found.texts)
    assert found.digests.keys() == found.texts.keys()


def test_what_is_brought_is_found_by_its_name_before_all_others() -> None:
    found = [brought("method", Waiting), brought("environment", Kitchen()), brought("model", echo_of)]
    with bringing(found):
        assert catalogue.method("waiting") is Waiting
        assert catalogue.world("kitchen") is found[1].value
        assert isinstance(catalogue.model("echo_of", times=2), Echo)
        assert catalogue.names("method")[0] == "waiting"
        assert catalogue.is_known("environment", "kitchen")
        assert (catalogue.origin("model", "echo_of"), catalogue.target("model", "echo_of")) == (None, None)
        assert "objects_of_tests.py:Waiting" in catalogue.plug_in_label("method", "waiting")
    assert not catalogue.is_known("method", "waiting")


class Shadow(Kitchen):
    name = "textcraft"


class NoName(Echo):
    name = "two words"


nameless: Callable[[str], Echo] = lambda text: Echo()  # noqa: E731


def local() -> type[Kitchen]:
    class Cellar(Kitchen):
        name = "cellar"

    return Cellar


def test_a_class_of_a_function_is_given_from_python() -> None:
    found = brought("environment", local())
    assert found.origin == FROM_PYTHON
    assert any(name.endswith("Cellar") for name in found.texts)
    assert "tests.actors.fakes" in found.modules


@pytest.mark.parametrize(
    ("kind", "given", "error"),
    [
        ("method", Kitchen, "expected a Method or a class of them, got the class Kitchen, which is a World "),
        ("method", Kitchen(), "method: expected a Method or a class of them, got <tests.*, which is a World"),
        (
            "environment",
            Waiting,
            "environment: expected a World or a class of them, got the class Waiting, which is a Method ",
        ),
        ("model", WaitingConfig, "model: expected a Model .*, got the class WaitingConfig, which lacks complete"),
        ("environment", Shadow, "environment textcraft: expected a name of its own, got that of quintet.environments"),
        ("environment", TextCraft(), "environment textcraft: expected a name of its own"),
        ("model", NoName, "model: expected an object with a name .*, got 'two words'"),
        ("model", nameless, r"model: expected an object with a name .*, got '<lambda>'"),
        ("method", f"{HERE}:Waitin", r"method: expected 'Waiting' in .*objects_of_tests.py, got 'Waitin', which it"),
        ("model", f"{HERE}:Waiting.name", "model: expected a Model or a class of them, got 'waiting'"),
        ("method", "quintet.methods.adapt.adapt:Adept", "method: expected 'Adapt' in quintet.methods.adapt.adapt, got"),
    ],
)
def test_an_object_that_cannot_be_used_is_refused(kind: Kind, given: object, error: str) -> None:
    with pytest.raises(UsageError, match=error):
        find_object(kind, given)


def test_code_that_has_changed_since_it_was_imported_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "edited_later.py"
    file.write_text("from tests.actors.fakes import Kitchen\n\nclass Attic(Kitchen):\n    def more(self): return 1\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    attic = import_module("edited_later").Attic

    file.write_text(file.read_text().replace("return 1", "return 2"))
    with pytest.raises(UsageError, match=r"edited_later\.Attic: expected it as .* has it, got it as it was imported"):
        find_object("environment", attic)


@pytest.mark.parametrize(("edit", "known"), [("yield 1", True), ("yield 2", False)])
def test_a_decorated_function_is_known_by_its_own_code(
    edit: str, known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"decorated_{known}"
    file = tmp_path / f"{name}.py"
    file.write_text("from contextlib import contextmanager\n\n@contextmanager\ndef held():\n    yield 1\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    held = import_module(name).held
    assert was_compiled_from(held, file.read_bytes().replace(b"yield 1", edit.encode())) is known


def test_a_method_that_was_configured_is_given_back() -> None:
    found = find_object("method", objects_of_tests.configured)
    assert found is not None
    assert found.configured is objects_of_tests.configured


def test_an_instance_has_the_users_functions_that_it_holds() -> None:
    made = GymnasiumWorld(objects_of_tests.make_env, name="own", tasks=2)
    found = brought("environment", made)
    assert any(text.endswith("objects_of_tests.py") for text in found.texts)
    assert any(module.file == str(HERE) for module in found.modules.values())


def test_an_instance_has_the_functions_of_a_cell_that_it_holds() -> None:
    def make(**options: object) -> object:
        return options

    found = brought("environment", GymnasiumWorld(make, name="own", tasks=2))
    assert [name for name in found.texts if name.endswith("<locals>.make")]


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
