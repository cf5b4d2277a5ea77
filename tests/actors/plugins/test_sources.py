"""A user's module and what it imports beside it: read, and imported from what was read."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.plugins.sources import load_module, module_name, read_sources, use_sources


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
    module, sources = load_module(package / "method.py")
    assert module.VALUE == 7
    assert sources.keys() == {"of_mine", "of_mine.method", "of_mine.helper"}


def test_a_changed_module_is_imported_anew_and_one_that_has_not_changed_is_not(tmp_path: Path) -> None:
    write(tmp_path, changing="from changed import VALUE\nclass Mine: pass\n", changed="VALUE = 1\n")
    first, _ = load_module(tmp_path / "changing.py")
    again, _ = load_module(tmp_path / "changing.py")
    assert again.Mine is first.Mine
    write(tmp_path, changed="VALUE = 2\n")
    later, _ = load_module(tmp_path / "changing.py")
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
        ({"other": ""}, r"own\.py: expected a Python file, got No such file"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_its_line(
    files: dict[str, str], error: str, tmp_path: Path
) -> None:
    write(tmp_path, **files)
    with pytest.raises(UsageError, match=error):
        load_module(tmp_path / "own.py")


def test_a_module_with_the_name_of_another_is_refused(tmp_path: Path) -> None:
    write(tmp_path, random="", tests="", own="import pytest\n", pytest="")
    with pytest.raises(UsageError, match="expected a file with a name of its own, got that of Python's or Quintet's"):
        load_module(tmp_path / "random.py")
    for name, taken in (("tests", "tests"), ("own", "pytest")):
        with pytest.raises(UsageError, match=rf"module {taken}: expected .*, which this program has imported"):
            load_module(tmp_path / f"{name}.py")
