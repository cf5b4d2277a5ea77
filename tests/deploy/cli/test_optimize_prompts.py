"""`quintet prompts optimize` by the stand-in, and a resume of it."""

import json
from pathlib import Path

from tests.command import command, printed, refused

SMALL = ("--train-split", "dev", "--train-tasks", 5, "--held-out", 2, "--tasks", 2, "--batch", 2, "--iterations", 3)
WORDS = ("prompts", "optimize", "react", "textcraft", "demonstrations", "--model", "sim-weak", *SMALL)


def test_with_the_stand_in_everything_runs_and_the_table_says_that_it_follows_no_instructions(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    out = printed(*WORDS, "--out", folder)
    assert "Mean reward x 100 of each candidate (2 held-out tasks, 2 test tasks; * the best in held-out tasks)" in out
    assert "a simulated model follows no instructions" in out
    assert "prompts" in printed("ls", folder)
    again = command("resume", folder, "--json", code=0)
    assert "episodes" not in again.err, "nothing is played again"
    found = json.loads(again.out)
    assert found["candidates"][0]["texts"].keys() == {"demonstrations"}
    assert found["spent"]["reflections"]["runs"] == len(found["reflections"]) > 0
    assert "--faulted: expected none" in refused("resume", folder, "--faulted")
    assert "expected a new or empty folder, got a run" in refused(*WORDS, "--out", folder)


def test_a_dry_run_says_what_it_can_come_to_and_makes_nothing(tmp_path: Path) -> None:
    out = printed(*WORDS, "--out", tmp_path / "run", "--dry-run")
    assert "# 3 training, 2 held-out and 2 test tasks: at most 3 reflections and 24 episodes" in out
    assert not (tmp_path / "run").exists()


def test_what_is_wrong_leaves_no_folder(tmp_path: Path) -> None:
    named = ("prompts", "optimize", "react", "textcraft", "executes", *SMALL, "--out", tmp_path / "run")
    assert "prompts: expected" in refused(*named)
    assert not (tmp_path / "run").exists()
