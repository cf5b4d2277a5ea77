"""A user's module and the data files beside it: read, and imported from what was read."""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import Struct

from quintet.errors import UsageError
from quintet.plugins.data_files import data_file, read_toml
from quintet.plugins.sources import load_module, module_name, read_sources, use_sources
from tests.distributions import install


@pytest.fixture(autouse=True)
def modules() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder: Path, **files: str) -> None:
    """Write files by name: `a__b` is `a/b.py`."""
    for name, text in files.items():
        file = folder.joinpath(*name.split("__")).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def test_it_has_the_modules_beside_it_that_it_imports_anywhere(tmp_path: Path) -> None:
    write(
        tmp_path,
        first="import os, msgspec\nfrom beside import VALUE\n\ndef later():\n    import late.inner as inner\n",
        beside="import deep.below\nVALUE = 1\n",
        deep__below="",
        late__inner="from . import other\nfrom .. import gone\n",
        late__other="",
        unused="",
    )
    (tmp_path / "msgspec").mkdir()
    found = read_sources(tmp_path / "first.py")
    assert found.keys() == {"first", "beside", "deep", "deep.below", "late", "late.inner", "late.other"}
    assert {name for name, module in found.items() if module.content is None} == {"deep", "late"}


def test_a_module_of_a_package_is_named_with_it(tmp_path: Path) -> None:
    package = tmp_path / "of_mine"
    write(package, method="from of_mine.helper import VALUE\n", helper="VALUE = 7\n")
    (package / "__init__.py").write_text("from .method import VALUE\n")
    assert module_name(package / "method.py") == "of_mine.method"
    sources = read_sources(package / "method.py")
    module = load_module(package / "method.py", sources)
    assert module.VALUE == 7
    assert sources.keys() == {"of_mine", "of_mine.method", "of_mine.helper"}


def test_a_changed_module_is_imported_anew_and_one_that_has_not_changed_is_not(tmp_path: Path) -> None:
    write(tmp_path, changing="from changed import VALUE\nclass Mine: pass\n", changed="VALUE = 1\n")
    first = load_module(tmp_path / "changing.py")
    again = load_module(tmp_path / "changing.py")
    assert again.Mine is first.Mine
    write(tmp_path, changed="VALUE = 2\n")
    later = load_module(tmp_path / "changing.py")
    assert (later.VALUE, later.Mine is first.Mine) == (2, False)


def test_what_was_read_is_imported_though_the_files_are_gone(tmp_path: Path) -> None:
    write(
        tmp_path,
        travelled="def work():\n    import later_on\n    return later_on.VALUE\n",
        later_on="VALUE = 3\n",
    )
    sources = read_sources(tmp_path / "travelled.py")
    for file in tmp_path.glob("*.py"):
        file.unlink()
    use_sources(sources)
    assert import_module("travelled").work() == 3


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"own": "import broken\n", "broken": "\n\nprint(1 / 0)\n"}, r"broken\.py, line 3: expected a module .*Zero"),
        (
            {"own": "raise SystemExit(3)\n"},
            r"own\.py, line 1: expected a module that can be imported, got System",
        ),
        ({"own": "x = 1\nif:\n"}, r"own\.py, line 2: expected Python, got invalid syntax"),
        ({"other": ""}, r"^no such file: .*own\.py"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_its_line(
    files: dict[str, str], error: str, tmp_path: Path
) -> None:
    write(tmp_path, **files)
    with pytest.raises(UsageError, match=error):
        load_module(tmp_path / "own.py")


def test_a_pipe_is_no_module_and_none_of_its_name_is_left(tmp_path: Path) -> None:
    """What reads the files of all imported modules, such as Hypothesis, would wait for ever for its writer."""
    os.mkfifo(tmp_path / "piped.py")
    with pytest.raises(UsageError, match="expected a Python file, got something that is no regular file"):
        load_module(tmp_path / "piped.py")
    assert "piped" not in sys.modules


def test_a_module_with_the_name_of_another_is_refused(tmp_path: Path) -> None:
    write(tmp_path, random="", tests="", own="import pytest\n", pytest="")
    with pytest.raises(UsageError, match="expected a file with a name of its own, got that of Python's or Quintet's"):
        load_module(tmp_path / "random.py")
    for name, taken in (("tests", "tests"), ("own", "pytest")):
        with pytest.raises(UsageError, match=rf"module {taken}: expected .*, which this program has imported"):
            load_module(tmp_path / f"{name}.py")


class Lamp(Struct, forbid_unknown_fields=True):
    watts: int


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plug-in's package that cannot be imported."""
    package = tmp_path / "lamps"
    (package / "inner").mkdir(parents=True)
    for file in ("__init__.py", "method.py", "inner/__init__.py"):
        (package / file).write_text("raise RuntimeError('imported')")
    (tmp_path / "alone.py").write_text("raise RuntimeError('imported')")
    points = {"lamp": "lamps.method:LAMP", "inner": "lamps.inner:LAMP", "alone": "alone:LAMP", "gone": "nowhere:LAMP"}
    install(tmp_path, monkeypatch, {"methods": points})
    return package


def test_a_file_lies_in_the_package_of_the_module(lamps: Path) -> None:
    (lamps / "papers.toml").write_text("")
    (lamps / "inner" / "papers.toml").write_text("")
    assert data_file("method", "lamp", "papers.toml") == lamps / "papers.toml"
    assert data_file("method", "inner", "papers.toml") == lamps / "inner" / "papers.toml"


@pytest.mark.usefixtures("lamps")
@pytest.mark.parametrize("name", ["lamp", "gone", "alone", "unknown"])
def test_where_there_is_none_none_is_found(name: str) -> None:
    assert data_file("method", name, "papers.toml") is None


def test_ours_lie_beside_our_code_also_as_folders() -> None:
    found = data_file("method", "adapt", "studies")
    assert found is not None
    assert found.is_dir()
    assert data_file("model", "sim-weak", "studies") == data_file("model", "sim-fallible", "studies")


def test_a_file_is_read_as_its_type(tmp_path: Path) -> None:
    file = tmp_path / "lamp.toml"
    file.write_text("watts = 5")
    assert read_toml(file, Lamp) == Lamp(5)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("watts = ", "Invalid value"),
        ("watts = 'five'", "Expected `int`, got `str` - at `$.watts`"),
        ("watts = 5\nvolts = 2", "unknown field `volts`"),
        (None, "No such file"),
    ],
)
def test_anything_else_is_refused_with_its_place(text: str | None, got: str, tmp_path: Path) -> None:
    file = tmp_path / "lamp.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError) as refused:
        read_toml(file, Lamp)
    assert str(refused.value).startswith("lamp.toml: expected a readable Lamp, got: ")
    assert got in str(refused.value)
    assert str(file) in str(refused.value)
