"""Whole runs in a real browser: played, killed and resumed, compared."""

from pathlib import Path

import pytest

from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from tests.command import command

pytestmark = pytest.mark.web


def rewards(folder: Path) -> list[float]:
    return [attempt.reward for task in results(RunFolder.open_to_read(folder)).tasks for attempt in task.attempts]


def test_the_expert_solves_tasks_and_the_naive_policy_is_the_floor(tmp_path: Path) -> None:
    said = command("eval", "expert", "webarena", "--tasks", "4", "--out", str(tmp_path / "expert"))
    assert said.code == 0, said.err
    assert rewards(tmp_path / "expert") == [1.0] * 4


def test_a_simulated_model_plays(tmp_path: Path) -> None:
    said = command("eval", "react", "webarena", "--tasks", "2", "--model", "sim-weak", "--out", str(tmp_path / "react"))
    assert said.code == 0, said.err


def _browsers() -> set[int]:
    """Processes whose program is Chromium."""
    found = set[int]()
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                words = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if b"chrom" in words.split(b"\0")[0]:
                found.add(int(process.name))
    return found
