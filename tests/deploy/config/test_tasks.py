"""Choosing a run's tasks; those that a world refuses are left out, counted by reason, and others take their places."""

import json
from pathlib import Path
from typing import Any

import pytest

from quintet.cli.flags import Flags
from quintet.config.sections import LearningSection, RunSection
from quintet.config.tasks import ChosenTasks, TaskRefusals, TrainingTasks, choose, choose_training, left_out_text
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from quintet.ports.world import World
from quintet.reports.load import condition_difference
from tests.command import printed, refused
from tests.deploy import samples
from tests.deploy.config.chests import TYPES, Chests, LockedChests, SealedChests
from tests.deploy.samples import Went

WORLD, CHESTS, LOCKED = TextCraft(), Chests(), LockedChests()
JUDGE = {"needs a judge": ("find pin",)}
FEW = {"needs a judge": ("find pin", "open jar"), "needs the key": ("find cup",)}


def _chosen(world: World, *, judged: bool = False, **run: Any) -> ChosenTasks:
    return choose(RunSection.model_validate(run), world, TaskRefusals(world, judged=judged))


def _names(world: World, **run: Any) -> tuple[str, ...]:
    return tuple(task.name for task in _chosen(world, **run).tasks)


@pytest.mark.parametrize(
    ("world", "run", "names"),
    [
        (WORLD, {"split": "dev"}, WORLD.tasks("dev")),
        (WORLD, {"tasks": 2}, WORLD.tasks("test")[:2]),
        (WORLD, {"tasks": ("stick",)}, ("stick",)),
        (CHESTS, {"task_type": "find"}, ("find pin", "find cup", "find hat")),
        (CHESTS, {"task_type": "open", "tasks": 1}, ("open box",)),
        (CHESTS, {"task_type": "find", "tasks": ("find hat", "find pin")}, ("find hat", "find pin")),
        (CHESTS, {"per_type": 1}, ("find pin", "open box")),
        (CHESTS, {"per_type": 1, "tasks": 1}, ("find pin",)),
        (CHESTS, {"per_type": 2, "task_type": "find"}, ("find pin", "find cup")),
        (CHESTS, {"per_type": 9}, tuple(TYPES)),
    ],
)
def test_tasks_are_the_first_of_a_split_and_a_type_or_those_that_are_named(
    world: World, run: dict[str, Any], names: tuple[str, ...]
) -> None:
    assert _names(world, **run) == names


def test_a_task_has_its_metadata() -> None:
    assert _chosen(WORLD, tasks=("stick",)).tasks[0].metadata == {"recipe depth": "1"}


@pytest.mark.parametrize(
    ("judged", "run", "names", "left_out"),
    [
        (False, {}, ("open box", "find hat"), FEW),
        (True, {}, ("find pin", "open box", "open jar", "find hat"), {"needs the key": ("find cup",)}),
        (False, {"tasks": 1}, ("open box",), JUDGE),
        (False, {"tasks": 2}, ("open box", "find hat"), JUDGE),
        (False, {"per_type": 1}, ("open box", "find hat"), JUDGE),
        (False, {"tasks": ("open box",)}, ("open box",), {}),
    ],
)
def test_tasks_that_cannot_be_played_are_left_out_by_reason(
    judged: bool, run: dict[str, Any], names: tuple[str, ...], left_out: dict[str, tuple[str, ...]]
) -> None:
    chosen = _chosen(LOCKED, judged=judged, **run)
    assert (tuple(task.name for task in chosen.tasks), chosen.left_out) == (names, left_out)


UNTYPED = r"run\.{}: expected none, since the tasks of textcraft have no types, got {}"


@pytest.mark.parametrize(
    ("world", "run", "said"),
    [
        (WORLD, {"split": "tset"}, "split: expected test or dev, got 'tset'"),
        (WORLD, {"split": "", "tasks": ("stick",)}, "split: expected test or dev, got ''"),
        (WORLD, {"task_type": "heat"}, UNTYPED.format("task_type", "'heat'")),
        (WORLD, {"task_type": "heat", "tasks": ("stick",)}, UNTYPED.format("task_type", "'heat'")),
        (WORLD, {"per_type": 2}, UNTYPED.format("per_type", 2)),
        (CHESTS, {"per_type": 1, "tasks": ("find pin",)}, r"run\.per_type: expected none beside named tasks, got 1"),
        (
            CHESTS,
            {"per_type": 1, "tasks": 3},
            "the size of the first 1 of each task type in split 'all', got 3",
        ),
        (CHESTS, {"tasks": 6}, r"run\.tasks: expected at most 5, the size of split 'all', got 6"),
        (CHESTS, {"tasks": 4, "task_type": "find"}, "at most 3, the size of task type 'find' in split 'all', got 4"),
        (CHESTS, {"tasks": ("open box",), "task_type": "find"}, "of type 'find', got 'open box' of type 'open'"),
        (CHESTS, {"task_type": "lose"}, r"run\.task_type: expected one of 'find', 'open', got 'lose'"),
        (CHESTS, {"task_type": "find", "split": "none"}, r"run\.split: expected one with tasks, got 'none', which has"),
        (LOCKED, {"tasks": 3, "split": "all"}, r"at most 2, .* 'all', got 3; 3 tasks are left out: 2 need a judge"),
        (
            LOCKED,
            {"tasks": ("find cup",)},
            r"^run.tasks: expected tasks that can be played, got 'find cup', which",
        ),
        (SealedChests(), {"split": "all"}, "can be played, got 'all'; 5 tasks are left out: they are sealed$"),
    ],
)
def test_tasks_that_are_not_there_are_refused(world: World, run: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _chosen(world, **run)


def test_a_refused_task_type_is_named_with_its_origin() -> None:
    with pytest.raises(UsageError, match=r"run\.task_type: .* of textcraft .* \(--task-type\)"):
        prepare(Flags(task_type="heat").layers({}, method="react", environment="textcraft"))


def _training(world: World, **learning: Any) -> TrainingTasks:
    section = LearningSection.model_validate({"split": "all", **learning})
    given = {f"learning.{key}" for key in learning}
    refusals = TaskRefusals(world, judged=False)
    _, tasks = choose_training(RunSection(), section, world, (), given, refusals, chooses=False)
    return tasks


def test_tasks_to_learn_from_are_left_out_alike_and_change_no_other_s_place_in_the_draw() -> None:
    found = _training(LOCKED)
    assert [task.name for task in found.training] == ["open box", "find hat"]
    assert found.left_out.keys() == FEW.keys()
    (first,) = _training(LOCKED, tasks=1).training
    drawn = {number: {task.name for task in _training(CHESTS, tasks=number).training} for number in range(1, 6)}
    others = {name for names in FEW.values() for name in names}
    fewest = next(names - others for names in drawn.values() if names - others)
    assert {first.name} == fewest
    with pytest.raises(UsageError, match=r"^learning.tasks: expected tasks that can be played, got 'find cup'"):
        _training(LOCKED, tasks=("find cup",))


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


def test_reports_print_it_once_for_runs_that_leave_out_the_same_and_compare_no_others(tmp_path: Path) -> None:
    runs: list[Path] = []
    for name, left_out in (("one", FEW), ("two", FEW), ("three", {})):
        record = samples.record("react", ["beehive"]).model_copy(update={"left_out": left_out})
        runs.append(samples.write(tmp_path / name, record, {"beehive": Went()}))
    said = "3 tasks are left out: 2 need a judge, 1 needs the key"
    assert [line for line in printed("report", *runs[:2]).splitlines() if "left out" in line] == [said]
    assert f"two: {said}" in printed("report", *runs[1:]).splitlines()
    out = printed("report", runs[0], "--json")
    assert json.loads(out)["runs"][0]["tasks_left_out"] == {key: list(FEW[key]) for key in FEW}
    assert "tasks left out: expected '3 tasks are left out: " in refused("compare", runs[0], runs[2])
    ours, theirs = (samples.record().model_copy(update={"left_out": FEW}) for _ in range(2))
    assert condition_difference(ours, theirs) is None
