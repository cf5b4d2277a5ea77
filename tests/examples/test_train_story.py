"""The story of training: what it collects is what the script learns from, and the script takes what the story says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from examples.train import conversations
from quintet.environments.textcraft.world import TextCraft
from tests.command import command
from tests.deploy.export.exported import table

ROOT = Path(__file__).parents[2]
STORY = (ROOT / "docs" / "stories" / "train.md").read_text()


def _words(part: str) -> list[str]:
    """What the one command of the story that has this part says to the program that it calls."""
    (line,) = re.findall(rf"^    \S+/(?:quintet|python) (.*{part}.*)$", STORY, re.MULTILINE)
    return shlex.split(line)


def test_the_script_learns_whole_episodes_of_what_the_story_collects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    command(*_words("--split dev"), "--tasks", "bread,bookshelf", code=0)
    command(*(export := _words("--training sft")), code=0)
    rows = table(tmp_path / export[-1] / "train")
    episodes = conversations(rows)
    assert len(episodes) == 2
    assert [each["prompt"] for each in episodes] == [row["prompt"] for row in rows if row["call"].endswith("/0/0/2/1")]
    said = [message["content"] for each in episodes for message in each["completion"] if message["role"] == "assistant"]
    assert said == [row["completion"][0]["content"] for row in rows]


@pytest.mark.slow
def test_the_expert_and_the_export_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    printed = [command(*_words(part), code=0) for part in ("--split dev", "--training sft")]
    shown = re.findall(r"^```text\n(.*?)^```$", STORY, re.MULTILINE | re.DOTALL)
    missing = [
        line
        for said, text in zip(printed, shown, strict=False)
        for line in text.splitlines()
        if line not in said.out + said.err
    ]
    assert missing == []


def test_its_tasks_are_every_tenth_and_its_runs_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    tasks = (ROOT / "examples" / "train_tasks.txt").read_text().strip()
    assert tasks.split(",") == [*TextCraft().tasks("test")[::10]]
    for out in ("before", "after"):
        words = _words(f"--out runs/{out}")
        assert words[words.index("--tasks") + 1] == "$(cat examples/train_tasks.txt)"
        few = {"--tasks": tasks.rpartition(",")[2], "--model": "sim-strong"}
        command(*(few.get(before, word) for before, word in zip(["", *words], words, strict=False)), code=0)
    assert "after - before" in command(*_words("compare"), code=0).out


def test_the_script_learns_nothing_of_an_attempt_that_failed() -> None:
    row: dict[str, object] = {"episode": "a", "phase": "execute", "prompt": [], "completion": []}
    assert conversations([{**row, "success": False}, {**row, "success": True, "phase": "reflect"}]) == []


def test_the_script_takes_what_the_story_says() -> None:
    options = [word for word in _words("examples/train.py") if word.startswith("--")]
    said = subprocess.run(
        [sys.executable, ROOT / "examples" / "train.py", "--help"], capture_output=True, text=True, check=True
    )
    assert options == [option for option in options if f"{option} " in said.stdout]
