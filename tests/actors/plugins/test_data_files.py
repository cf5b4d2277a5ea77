"""Data files are found beside the code of a name without importing it, and read strictly."""

from pathlib import Path

import pytest
from msgspec import Struct

from quintet.errors import UsageError
from quintet.plugins.data_files import data_file, read_toml
from tests.distributions import install


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
