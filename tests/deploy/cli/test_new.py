"""`new` writes packages that work as they are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import command, refused

KINDS = ("method", "environment", "role", "model")


def write(kind: str, folder: Path) -> Path:
    assert str(folder / "README.md") in command("new", kind, folder, code=0).err
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_named_by_the_folder(kind: str, tmp_path: Path) -> None:
    folder = write(kind, tmp_path / "two_Words")
    texts = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}
    assert "two_words/__init__.py" in texts
    assert 'name = "two-words"' in texts["pyproject.toml"]
    assert any("class TwoWords" in text for text in texts.values())
    assert not [name for name, text in texts.items() for word in ("new_name", "NewName", "new-name") if word in text]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("method {}/full", "folder: expected a new or empty one, got one with something in it"),
        ("method {}/full/file/below", "folder: expected a folder that can be made, got Not a directory"),
        ("method {}/1st", "folder: expected a name of letters, digits, '-' and '_', got '1st'"),
        ("method {}/json", "folder: expected a name that no module of Python's or Quintet's has, got 'json'"),
        ("role {}/adapt", "folder: expected a name of its own, got 'adapt', which is quintet.methods.adapt"),
        ("planner {}/mine", 'Choose from: "method", "environment", "role", "model".'),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused(arguments: str, error: str, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    assert error in refused("new", *arguments.format(tmp_path).split())
    assert {file.name for file in tmp_path.rglob("*")} == {"full", "file"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_its_own_tests_and_type_checkers_pass_and_its_readmes_commands_work(kind: str, tmp_path: Path) -> None:
    folder = write(kind, tmp_path / "my-own")

    def run(program: str, *words: str) -> str:
        done = subprocess.run(
            [Path(sys.executable).with_name(program), *words],
            cwd=folder,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{program} {words}\n{done.stdout}{done.stderr}"
        return done.stdout

    tested = run("pytest", "-q", "-p", "no:cacheprovider")
    assert " passed" in tested
    assert "skipped" not in tested
    run("mypy", "--strict", "--cache-dir", str(tmp_path / "mypy"), "my_own", "tests")
    run("ruff", "check", "--no-cache", "--select", "E,F,I", ".")
    run("ruff", "format", "--no-cache", "--check", ".")
    commands = [line.split() for line in (folder / "README.md").read_text().splitlines() if "    quintet eval" in line]
    assert commands
    for number, (_, *words) in enumerate(commands):
        if "NAME" not in words and f"{folder.name}" not in words:  # a model to be named, and what is to be installed
            run("quintet", *words, "--out", str(tmp_path / str(number)))
