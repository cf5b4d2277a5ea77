"""Trajectories out of runs: they solve their tasks when they are followed."""

from pathlib import Path

import pytest

from quintet.cli import main
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.learned.earlier_runs import read_earlier_run
from quintet.memory.trajectories import TaskTrajectory
from quintet.runtime.spec import seeded_task
from tests.deploy import learning_runs, samples
from tests.deploy.samples import Went

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
    run = tmp_path / "run"
    asked = ["--split", "dev", "--tasks", "6", "--epochs", "2", "--seed", "5", "--out", str(run)]
    assert (
        main(["eval", method, "textcraft", *asked, *(["--model", "sim-fallible"] if method != "expert" else [])]) == 0
    )
    found = read_earlier_run(run, "textcraft")
    assert len(found.successes) + found.left_out["unsuccessful"] == 12
    assert found.successes
    for each in found.successes:
        source = each.trajectory.source.removeprefix(f"{run} ")
        assert source.startswith(f"{each.task}/")
        check(each, seed=5, epoch=int(source.split("/")[1]))


def test_a_search_in_copies_gives_the_whole_way_to_the_answer(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main(["eval", "search", "textcraft", "--tasks", "3", "--model", "sim-strong", "--out", str(run)]) == 0
    found = read_earlier_run(run, "textcraft")
    assert found.successes
    for each in found.successes:
        check(each, seed=0, epoch=0)


def test_episodes_without_success_are_counted_by_why(tmp_path: Path) -> None:
    record = samples.record("react", ("beehive", "cake", "bread", "bookshelf", "painting", "lantern"))
    went = {
        "cake": Went(calls=2),
        "beehive": Went(),
        "bread": LOST,
        "bookshelf": Went("faulted", 0.0),
        "painting": Went(None),
        "lantern": Went(calls=0),
    }
    found = read_earlier_run(samples.write(tmp_path / "run", record, went), "textcraft")
    assert [each.task for each in found.successes] == ["beehive", "cake"]
    assert [len(each.trajectory.steps) for each in found.successes] == [1, 1]  # the second step was rejected
    assert found.left_out == {"unsuccessful": 1, "faulted": 1, "unfinished": 1, "without an action": 1}


def test_the_newest_attempt_counts(tmp_path: Path) -> None:
    run = samples.write(
        tmp_path / "run", samples.record("react", ("beehive", "cake")), {"beehive": LOST, "cake": Went()}
    )
    with WritableRun.open(run) as folder:
        samples.journal(folder, {"beehive": Went(), "cake": LOST}, attempt=1)
    found = read_earlier_run(run, "textcraft")
    assert [each.trajectory.source for each in found.successes] == [f"{run} beehive/0/1"]
    assert found.left_out == {"unsuccessful": 1}


def test_a_run_that_learnt_gives_its_training_tasks_first_and_all_versions_have_one_world(tmp_path: Path) -> None:
    record = learning_runs.record(["bread"], ["bookshelf"])
    with WritableRun.create(tmp_path / "run", record, mounts=samples.NOWHERE) as folder:
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
