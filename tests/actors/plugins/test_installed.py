"""The file of a module is found without running anything."""

import sys
from pathlib import Path

import pytest

from quintet.plugins.installed import module_file


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that notices when it is imported, with a module and a package in it."""
    package = tmp_path / "noticing"
    (package / "inner").mkdir(parents=True)
    for file in ("__init__.py", "method.py", "inner/__init__.py"):
        (package / file).write_text("raise AssertionError('imported')\n")
    (package / "inner.py").write_text("")  # the package of that name comes first
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    return package


def test_a_module_s_file_is_found_without_importing_it_or_a_package_around_it(package: Path) -> None:
    assert module_file("noticing") == package / "__init__.py"
    assert module_file("noticing.method") == package / "method.py"
    assert module_file("noticing.inner") == package / "inner" / "__init__.py"
    assert not any(name.startswith("noticing") for name in sys.modules)


@pytest.mark.parametrize("name", ["noticing.missing", "no_such_module", "no_such_module.at_all", "sys", ".", "a..b"])
def test_what_has_no_file_has_none(name: str, package: Path) -> None:
    assert module_file(name) is None
