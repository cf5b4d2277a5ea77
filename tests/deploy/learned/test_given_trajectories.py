"""Trajectories of files and of earlier runs: they solve their tasks when they are followed."""

import json
from pathlib import Path

import pytest

from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.learned.given_trajectories import count_words, gather_trajectories, read_earlier_run
from quintet.memory.trajectories import TaskTrajectory
from quintet.runtime.spec import seeded_task
from tests.command import printed
from tests.deploy import learning_runs, samples
from tests.deploy.samples import Went


def line(goal: str, action: str, **fields: str) -> str:
    return json.dumps({"goal": goal, "reward": 1, "steps": [{"observation": "", "action": action}], **fields}) + "\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    went = {"beehive": Went(), "cake": Went("unsolved", 0.0)}
    return samples.write(tmp_path / "run", samples.record("react", ("beehive", "cake")), went)


def test_files_come_before_runs_each_in_the_order_given(tmp_path: Path, run: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(line("a", "1", source="x") + line("b", "1") + line("a", "1", source="y") + line("a", "2"))
    two.write_text(line("b", "1") + line("c", "1"))
    given = gather_trajectories([two, one], [run, run], world="textcraft")
    found = [(each.goal, each.steps[0].action) for each in given.trajectories]
    assert found == [("b", "1"), ("c", "1"), ("a", "1"), ("a", "2"), ("craft beehive", "get 1 log")]
    assert given.left_out == {"repeated": 3, "unsuccessful": 2}
    assert count_words(5, given.left_out) == "5 trajectories; left out: 3 repeated, 2 unsuccessful"


def test_a_task_that_the_run_is_measured_by_is_left_out_wherever_it_comes_from(tmp_path: Path, run: Path) -> None:
    file = tmp_path / "file"
    file.write_text(line("a", "1", task="beehive") + line("a", "1", task="bread"))
    given = gather_trajectories([file], [run], world="textcraft", measured={"beehive"})
    assert [each.goal for each in given.trajectories] == ["a"]
    assert given.left_out == {"measured": 2, "unsuccessful": 1}
    said = r"expected at least one, got 0 trajectories; left out: 1 measured, 1 unsuccessful \(.*run\)"
    with pytest.raises(UsageError, match=said):
        gather_trajectories([], [run], world="textcraft", measured=["beehive"])


LOST = Went("unsolved", 0.0, claimed=None)


def check(found: TaskTrajectory, *, seed: int, epoch: int) -> None:
    """Follow a trajectory: each step's observation is what was seen before its action."""
    state = TextCraft().open(seeded_task(seed, found.task, epoch))
    assert found.trajectory.goal == f"craft {found.task}"
    assert found.trajectory.steps[0].observation == state.opening.setting
    for before, after in zip(found.trajectory.steps, found.trajectory.steps[1:], strict=False):
        outcome = state.step(before.action)
        assert (outcome.observation, outcome.rejected) == (after.observation, False)
    assert state.step(found.trajectory.steps[-1].action).reward == found.trajectory.reward == 1


@pytest.mark.parametrize("method", ["expert", "react", "adapt", "try_again"])
def test_successful_episodes_are_trajectories_that_solve_their_tasks(tmp_path: Path, method: str) -> None:
    run, model = tmp_path / "run", ["--model", "sim-fallible"] * (method != "expert")
    asked = ["--split", "dev", "--tasks", "6", "--epochs", "2", "--seed", "5", *model]
    printed("eval", method, "textcraft", *asked, "--out", run)
    found = read_earlier_run(run, "textcraft")
    assert len(found.successes) + found.left_out["unsuccessful"] == 12
    assert found.successes
    for each in found.successes:
        source = each.trajectory.source.removeprefix(f"{run} ")
        assert source.startswith(f"{each.task}/")
        check(each, seed=5, epoch=int(source.split("/")[1]))


def test_a_search_in_copies_gives_the_whole_way_to_the_answer(tmp_path: Path) -> None:
    run = tmp_path / "run"
    printed("eval", "search", "textcraft", "--tasks", "3", "--model", "sim-strong", "--out", run)
    found = read_earlier_run(run, "textcraft")
    assert found.successes
    for each in found.successes:
        check(each, seed=0, epoch=0)


def test_episodes_without_success_are_counted_by_why_and_the_newest_attempt_counts(tmp_path: Path) -> None:
    went = {
        "cake": Went(calls=2),
        "beehive": Went(),
        "bread": LOST,
        "bookshelf": Went("faulted", 0.0),
        "painting": Went(None),
        "lantern": Went(calls=0),
    }
    run = samples.write(tmp_path / "run", samples.record("react", ("beehive", "cake", *list(went)[2:])), went)
    found = read_earlier_run(run, "textcraft")
    assert [each.task for each in found.successes] == ["beehive", "cake"]
    assert [len(each.trajectory.steps) for each in found.successes] == [1, 1]  # the second step was rejected
    assert found.left_out == {"unsuccessful": 1, "faulted": 1, "unfinished": 1, "without an action": 1}
    with WritableRun.open(run) as folder:
        samples.journal(folder, {"bread": Went(), "cake": LOST}, attempt=1)
    again = read_earlier_run(run, "textcraft")
    assert [each.trajectory.source for each in again.successes] == [f"{run} beehive/0/0", f"{run} bread/0/1"]
    assert again.left_out == found.left_out


def test_a_run_that_learnt_gives_its_training_tasks_first_and_all_versions_have_one_world(tmp_path: Path) -> None:
    record = learning_runs.record(["bread"], ["bookshelf"])
    with WritableRun.create(tmp_path / "run", record) as folder:
        samples.journal(folder, {"beehive": Went(), "bread": Went()}, epoch=1)
        samples.journal(folder, {"bread": Went()}, epoch=0)
    found = read_earlier_run(tmp_path / "run", "textcraft")
    assert [each.trajectory.source.split()[-1] for each in found.successes] == ["bread/0/0", "bread/1/0", "beehive/1/0"]
    first, second = (each.trajectory.steps[0].observation for each in found.successes[:2])
    assert first == second


def test_a_run_of_another_world_or_version_or_none_is_refused(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record(), {})
    with pytest.raises(UsageError, match=rf"earlier run: expected one in alfworld, got one in textcraft \({run}\)"):
        read_earlier_run(run, "alfworld")
    with pytest.raises(UsageError, match=r"run folder: expected a readable run.json"):
        read_earlier_run(tmp_path, "textcraft")
    other = samples.record().model_copy(update={"world_version": "0"})
    old = samples.write(tmp_path / "old", other, {})
    with pytest.raises(UsageError, match=r"expected one in textcraft of version 1\+\w+, got one in version 0"):
        read_earlier_run(old, "textcraft")
    (run / "journal.sqlite").unlink()
    with pytest.raises(UsageError, match="earlier run: expected a journal, got none"):
        read_earlier_run(run, "textcraft")
