"""Whole runs in a real browser: played, killed and resumed, compared."""

from pathlib import Path

import pytest

from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from tests.command import command

pytestmark = pytest.mark.web


def rewards(folder: Path) -> list[float]:
    return [reward for task in results(RunFolder.open_to_read(folder)).tasks for reward in task.rewards.values()]


def test_the_expert_solves_tasks_and_the_naive_policy_is_the_floor(tmp_path: Path) -> None:
    said = command("eval", "expert", "webarena", "--tasks", "4", "--out", str(tmp_path / "expert"))
    assert said.code == 0, said.err
    assert rewards(tmp_path / "expert") == [1.0] * 4


def test_a_simulated_model_plays(tmp_path: Path) -> None:
    said = command("eval", "react", "webarena", "--tasks", "2", "--model", "sim-weak", "--out", str(tmp_path / "react"))
    assert said.code == 0, said.err
