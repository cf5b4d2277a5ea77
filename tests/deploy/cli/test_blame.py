"""`quintet blame`: what it prints, what it refuses, and what other commands say of its folder."""

import json
import shlex
from pathlib import Path

import pytest

from quintet.runs.run_folder import RunFolder
from tests.command import command, printed, refused
from tests.deploy.blame.planting import ABLE, SHORT, VAULT, begin_search, plant, record


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run with a planted step in each of two episodes."""
    folder = tmp_path_factory.mktemp("planted")
    return plant(record(folder / "run", 4, *ABLE, *SHORT), folder / "planted", most=2)[0]


def test_the_report_names_the_step_and_what_to_do_next_and_other_commands_know_the_folder(
    run: RunFolder, tmp_path: Path
) -> None:
    folder = tmp_path / "blame"
    said = command("blame", run.path, "--out", folder, code=0)
    assert said.out.count("force the bolt") == 4, "in the table and below it"
    assert "observation: The bolt gives a little." in said.out
    assert "--at step:" in said.out
    assert "with 8 fresh continuations on each side" in said.out
    assert "rows in" in printed("export", folder, "--training", "steps", tmp_path / "steps")
    assert printed("report", folder) == said.out
    assert "blame" in printed("ls", folder)
    resumed = command("resume", folder, "--json", code=0)
    assert "episodes" not in resumed.err, "nothing is played again"
    (found,) = json.loads(resumed.out)["studies"].values()
    assert found["decided_by"] == {"step": 2}
    assert sum(found["thirds"].values()) == 2
    else_there = shlex.split(found["episodes"][0]["fork"])[1:]
    assert "1 continuation" in printed(*else_there, "--act", "turn zinc", "--out", tmp_path / "else")
    assert found["spent"]["calls"] == sum(each["spent"]["calls"] for each in found["episodes"])
    assert "--faulted: expected none" in refused("resume", folder, "--faulted")


def test_one_episode_is_chosen_by_its_task_and_a_dry_run_makes_nothing(run: RunFolder, tmp_path: Path) -> None:
    out = printed("blame", run.path, "vault 0", "--out", tmp_path / "blame", "--dry-run")
    assert "vault 0/0/0: " in out
    assert "# 1 episode: at most " in out
    assert not (tmp_path / "blame").exists()
    content = json.loads(printed("blame", run.path, "--dry-run", "--json", "--times", 4))
    assert content["times"] == 4
    assert len(content["episodes"]) == 2


def test_a_policy_at_temperature_0_is_refused_and_another_that_draws_is_named(tmp_path: Path) -> None:
    recorded = tmp_path / "run"
    small = (*SHORT, "--set", "method.max_steps=8", "--tasks", 12)
    command("eval", "react", VAULT, *ABLE, *small, "--out", recorded, code=0)
    words = ("blame", recorded, "--out", tmp_path / "blame", "--times", 3)
    for further in ((), ("--set", "model.temperature=0")):
        assert "to continue by another policy, which draws: --set model.temperature=0.7" in refused(*words, *further)
    assert not (tmp_path / "blame").exists()
    out = printed(*words, "--set", "model.temperature=0.7")
    assert "the continuations have model.temperature = 0.7: they are those of another policy than the run's" in out


def test_what_is_wrong_is_refused_in_words_and_leaves_no_folder(run: RunFolder, tmp_path: Path) -> None:
    words = ("blame", run.path, "--out", tmp_path / "blame")
    assert "--times: expected 3 to 200" in refused(*words, "--times", 2)
    assert "method.max_steps: expected 60" in refused(*words, "--set", "method.max_steps=5")
    assert "--where: expected no EPISODE beside it" in refused(*words[:2], "vault 0", "--where", "steps > 2")
    assert "expected an SQL condition" in refused(*words, "--where", "no such column")
    assert "expected one that was solved or not" in refused(*words, "--where", "steps > 1000")
    assert not (tmp_path / "blame").exists()


def test_a_search_that_was_killed_before_its_first_stage_stays_while_the_recorded_run_is_away(tmp_path: Path) -> None:
    run = record(tmp_path / "run", 1, *ABLE, *SHORT, "--set", "environment.bent=true")
    begin_search(run, tmp_path / "blame", times=3).close()
    run.path.rename(tmp_path / "away")
    assert "run.json" in refused("resume", tmp_path / "blame")
    (tmp_path / "away").rename(run.path)
    assert "never had a chance" in printed("resume", tmp_path / "blame")


def test_a_solved_episode_is_refused(tmp_path: Path) -> None:
    recorded = record(tmp_path / "run", 1)
    assert "expected one that ended unsolved" in refused("blame", recorded.path, "vault 0")
    assert "expected a condition that unsolved episodes meet" in refused("blame", recorded.path, "--where", "solved")
