"""Arms of an optimisation: each runs once, and one that was begun for something else is refused."""

from pathlib import Path

import pytest

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.prompt_optimizer.arms import Arms, Halted
from quintet.prompt_optimizer.optimization import Choices, begin, plan
from quintet.runs.ends import RunStop
from quintet.studies.run import WritableStudy
from tests.deploy import samples
from tests.deploy.samples import Went

TASKS = {"run.tasks": ["beehive"]}


def _begin(path: Path) -> WritableStudy:
    layer = from_table({"method.name": "react", "environment.name": "textcraft", "run.tasks": 1}, "a test")
    return begin(plan([layer], Choices(["execute"], "dev", 5, 2)), path)


def _run(folder: WritableRun, label: str) -> RunStop:
    samples.journal(folder, {"beehive": Went()})
    return RunStop("done")


def _stop(folder: WritableRun, label: str) -> RunStop:
    return RunStop("interrupted")


def _crash(folder: WritableRun, label: str) -> RunStop:
    raise AssertionError(label)


def test_an_arm_that_ended_is_not_run_again(tmp_path: Path) -> None:
    with _begin(tmp_path) as folder:
        played = Arms(folder, _run).optimization.played
        first = Arms(folder, _run).run("c0-1", played, TASKS, "first")
        assert Arms(folder, _crash).run("c0-1", played, TASKS, "again").path == first.path


def test_one_that_stopped_early_halts_all(tmp_path: Path) -> None:
    with _begin(tmp_path) as folder, pytest.raises(Halted) as halted:
        Arms(folder, _stop).run("c0-1", Arms(folder, _stop).optimization.played, TASKS, "first")
    assert halted.value.cause == RunStop("interrupted")


def test_one_that_was_begun_for_other_tasks_is_refused(tmp_path: Path) -> None:
    with _begin(tmp_path) as folder:
        arms = Arms(folder, _run)
        arms.run("c0-1", arms.optimization.played, TASKS, "first")
        with pytest.raises(UsageError, match=r"c0-1: run.tasks: expected \['beehive'\], as the arm was begun, got"):
            arms.run("c0-1", arms.optimization.played, {"run.tasks": ["lantern"]}, "again")
