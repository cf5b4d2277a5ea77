"""Tasks that a world refuses are left out of a run, counted by reason, and others take their places."""

import json
from pathlib import Path
from typing import Any

import pytest

from quintet.config.refused_tasks import TaskRefusals, left_out_text
from quintet.config.sections import LearningSection, RunSection
from quintet.config.tasks import ChosenTasks, TrainingTasks, choose, choose_training
from quintet.errors import UsageError
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.ports.world import World
from quintet.reports.conditions import condition_difference
from tests.command import printed, refused
from tests.deploy import samples
from tests.deploy.config.chests import Chests, LockedChests, SealedChests
from tests.deploy.samples import Went

FEW = {"needs a judge": ("find pin", "open jar"), "needs the key": ("find cup",)}


def _chosen(world: World | None = None, *, judged: bool = False, **run: Any) -> ChosenTasks:
    world = world or LockedChests()
    return choose(RunSection.model_validate(run), world, TaskRefusals(world, judged=judged))


def _names(chosen: ChosenTasks) -> tuple[str, ...]:
    return tuple(task.name for task in chosen.tasks)


def test_they_are_left_out_by_reason() -> None:
    chosen = _chosen()
    assert (_names(chosen), chosen.left_out) == (("open box", "find hat"), FEW)
    chosen = _chosen(judged=True)
    assert _names(chosen) == ("find pin", "open box", "open jar", "find hat")
    assert chosen.left_out == {"needs the key": ("find cup",)}
    assert _chosen(Chests()).left_out == {}


def test_a_number_counts_those_that_can_be_played() -> None:
    one, two = _chosen(tasks=1), _chosen(tasks=2)
    assert (_names(one), one.left_out) == (("open box",), {"needs a judge": ("find pin",)})
    assert (_names(two), two.left_out) == (("open box", "find hat"), {"needs a judge": ("find pin",)})
    each = _chosen(per_type=1)
    assert (_names(each), each.left_out) == (("open box", "find hat"), {"needs a judge": ("find pin",)})
    with pytest.raises(UsageError, match=r"at most 2, the size of split 'all', got 3; 3 tasks are left out: 2 need a"):
        _chosen(tasks=3, split="all")


def test_a_refused_task_that_is_named_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"^run.tasks: expected tasks that can be played, got 'find cup', which needs"):
        _chosen(tasks=("open box", "find cup"))
    assert _names(_chosen(tasks=("open box",))) == ("open box",)


def test_a_run_without_any_task_left_is_an_error() -> None:
    expected = (
        r"^run.split: expected one with tasks that can be played, got 'all'; "
        r"5 tasks are left out: they are sealed$"
    )
    with pytest.raises(UsageError, match=expected):
        _chosen(SealedChests(), split="all")


def _training(world: World, **learning: Any) -> TrainingTasks:
    section = LearningSection.model_validate({"split": "all", **learning})
    given = {f"learning.{key}" for key in learning}
    learner = AutoPlanLearner(AutoPlanLearning(select="last"))
    refusals = TaskRefusals(world, judged=False)
    _, tasks = choose_training(RunSection(), section, world, (), given, learner, refusals)
    return tasks


def test_tasks_to_learn_from_are_left_out_alike_and_change_no_other_s_place_in_the_draw() -> None:
    found = _training(LockedChests())
    assert [task.name for task in found.training] == ["open box", "find hat"]
    assert found.left_out.keys() == FEW.keys()
    (first,) = _training(LockedChests(), tasks=1).training
    drawn = {number: {task.name for task in _training(Chests(), tasks=number).training} for number in range(1, 6)}
    others = {name for names in FEW.values() for name in names}
    fewest = next(names - others for names in drawn.values() if names - others)
    assert {first.name} == fewest
    with pytest.raises(UsageError, match=r"^learning.tasks: expected tasks that can be played, got 'find cup'"):
        _training(LockedChests(), tasks=("find cup",))


@pytest.mark.parametrize(
    ("left_out", "text"),
    [
        ({}, ""),
        (FEW, "3 tasks are left out: 2 need a judge, 1 needs the key"),
        ({"is sealed": ("find pin",)}, "1 task is left out: it is sealed"),
        ({"has no page": ("find pin", "find cup")}, "2 tasks are left out: they have no page"),
    ],
)
def test_how_many_are_left_out_is_said_in_a_sentence(left_out: dict[str, tuple[str, ...]], text: str) -> None:
    assert left_out_text(left_out) == text


def test_a_dry_run_says_it() -> None:
    world = f"{Path(__file__).with_name('chests.py')}:LockedChests"
    assert "# 3 tasks are left out: 2 need a judge, 1 needs the key" in printed("eval", "random", world, "--dry-run")
    out = printed("eval", "random", world, "--dry-run", "--json")
    assert json.loads(out)["tasks_left_out"] == {key: list(names) for key, names in FEW.items()}


def _written(folder: Path, name: str, left_out: dict[str, tuple[str, ...]]) -> Path:
    record = samples.record("react", ["beehive"]).model_copy(update={"left_out": left_out})
    return samples.write(folder / name, record, {"beehive": Went()})


def test_reports_print_it_once_for_runs_that_leave_out_the_same(tmp_path: Path) -> None:
    runs = [str(_written(tmp_path, name, left_out)) for name, left_out in (("one", FEW), ("two", FEW), ("three", {}))]
    said = "3 tasks are left out: 2 need a judge, 1 needs the key"
    assert [line for line in printed("report", *runs[:2]).splitlines() if "left out" in line] == [said]
    lines = [line for line in printed("report", *runs[1:]).splitlines() if "left out" in line]
    assert f"two: {said}" in lines
    out = printed("report", runs[0], "--json")
    assert json.loads(out)["runs"][0]["tasks_left_out"] == {key: list(FEW[key]) for key in FEW}


def test_runs_that_leave_out_others_are_not_compared(tmp_path: Path) -> None:
    runs = [str(_written(tmp_path, name, left_out)) for name, left_out in (("one", FEW), ("two", {}))]
    assert "tasks left out: expected '3 tasks are left out: " in refused("compare", *runs)
    ours, theirs = (samples.record().model_copy(update={"left_out": left_out}) for left_out in (FEW, FEW))
    assert condition_difference(ours, theirs) is None
