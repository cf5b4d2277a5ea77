"""The page about MCP: its server is played, and its roles are asked, as it says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import printed

# Each starts servers that import the protocol's package, which takes seconds.
pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text()
BLOCKS = re.findall(r"```(python|toml|json|)\n(.*?)```", PAGE, re.DOTALL)
SHOWN = [text for kind, text in BLOCKS if not kind]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the files that the reader has saved, and the command and its Python on the path."""
    python = [text for kind, text in BLOCKS if kind == "python"]
    (tasks,) = (text for kind, text in BLOCKS if kind == "toml")
    walk = next(text for kind, text in BLOCKS if kind == "json")
    saved = {
        "mcp_notes.py": python[0],
        "check.py": python[1],
        "ask.py": python[2],
        "tasks.toml": tasks,
        "walk.json": walk,
    }
    for name, text in saved.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")


def _run(beginning: str) -> str:
    (line,) = [line for line in re.findall(r"^    quintet (.*)", PAGE, re.MULTILINE) if line.startswith(beginning)]
    return printed(*shlex.split(line))


def test_the_notes_are_taken_and_shown() -> None:
    assert "react  1  100 (21, 100)" in _run("eval react")
    assert SHOWN[0] in _run("show runs/notes")


def test_the_planner_is_asked() -> None:
    asked = subprocess.run([sys.executable, "ask.py"], capture_output=True, text=True, check=True)
    assert asked.stdout == SHOWN[1]
