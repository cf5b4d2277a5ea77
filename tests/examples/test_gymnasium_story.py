"""The story of a Gymnasium world: its code is played, checked and shown as it says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.command import command
from tests.test_docs import without_times

STORY = (Path(__file__).parents[2] / "docs" / "stories" / "gymnasium.md").read_text()
SHOWN = re.findall(r"```\n(.*?)```", re.sub(r"```(?:python|json)\n.*?```", "", STORY, flags=re.DOTALL), re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the files that the reader has saved."""
    for name, kind in (("lake.py", "python"), ("walk.json", "json")):
        (content,) = re.findall(rf"```{kind}\n(.*?)```", STORY, re.DOTALL)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)


def _run(beginning: str) -> str:
    (line,) = [line for line in re.findall(r"^    quintet (.*)", STORY, re.MULTILINE) if line.startswith(beginning)]
    said = command(*shlex.split(line))
    assert said.code == 0, said.err
    return without_times(said.out)


def test_the_lake_is_walked_and_shown() -> None:
    assert "react 1 100 (21, 100)" in _run("eval react lake.py:LAKE --tasks 1")
    assert without_times(SHOWN[1]).rstrip() in _run("show runs/walk")


def test_its_floor_is_played_without_a_model() -> None:
    assert "10 tasks" in _run("eval random lake.py:LAKE --out")


@pytest.mark.slow
def test_it_keeps_the_contract() -> None:
    said = _run("check environment")
    assert without_times(SHOWN[0]).rstrip() in said
    assert "42 clauses: 27 hold, 0 broken, 15 skipped" in said
