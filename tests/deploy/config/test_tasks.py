"""Choosing a run's tasks."""

import pytest

from quintet.cli.flags import Flags
from quintet.config.refused_tasks import TaskRefusals
from quintet.config.sections import RunSection
from quintet.config.tasks import ChosenTasks
from quintet.config.tasks import choose as choose_tasks
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from quintet.ports.world import World
from tests.deploy.config.chests import Chests

WORLD = TextCraft()


def choose(run: RunSection, world: World, *, judged: bool = False) -> ChosenTasks:
    return choose_tasks(run, world, TaskRefusals(world, judged=judged))


def test_by_default_all_of_the_split_is_run_in_its_order() -> None:
    chosen = choose(RunSection(split="dev"), WORLD).tasks
    assert tuple(task.name for task in chosen) == WORLD.tasks("dev")


def test_a_number_takes_the_first() -> None:
    assert tuple(task.name for task in choose(RunSection(tasks=2), WORLD).tasks) == WORLD.tasks("test")[:2]


def test_any_task_can_be_named_and_has_its_metadata() -> None:
    (task,) = choose(RunSection(tasks=("stick",)), WORLD).tasks
    assert task.metadata == {"recipe depth": "1"}


@pytest.mark.parametrize("split", ["tset", ""])
def test_an_unknown_split_is_refused(split: str) -> None:
    for tasks in (None, ("stick",)):
        with pytest.raises(UsageError, match=f"split: expected test or dev, got '{split}'"):
            choose(RunSection(split=split, tasks=tasks), WORLD)


def _names(**run: object) -> tuple[str, ...]:
    return tuple(task.name for task in choose(RunSection.model_validate(run), Chests()).tasks)


def test_a_type_takes_its_tasks_in_the_splits_order() -> None:
    assert _names(task_type="find") == ("find pin", "find cup", "find hat")


def test_a_number_takes_the_first_of_a_type() -> None:
    assert _names(task_type="open", tasks=1) == ("open box",)


def test_so_many_of_each_type_are_taken_in_the_splits_order() -> None:
    every = [task.name for task in choose(RunSection(), Chests()).tasks]
    first = {"find": "find pin", "open": "open box"}
    assert _names(per_type=1) == tuple(name for name in every if name in first.values())
    assert _names(per_type=1, tasks=1) == _names(per_type=1)[:1]
    assert _names(per_type=2, task_type="find") == ("find pin", "find cup")
    assert _names(per_type=9) == tuple(every)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"per_type": 1, "tasks": ("find pin",)}, r"run\.per_type: expected none beside named tasks, got 1"),
        (
            {"per_type": 1, "tasks": 3},
            "at most 2, the size of the first 1 of each task type in split 'all', got 3",
        ),
    ],
)
def test_so_many_of_each_type_are_those_of_the_split(run: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _names(**run)


def test_named_tasks_have_to_be_of_the_type() -> None:
    assert _names(task_type="find", tasks=("find hat", "find pin")) == ("find hat", "find pin")
    with pytest.raises(UsageError, match=r"run\.tasks: expected tasks of type 'find', got 'open box' of type 'open'"):
        _names(task_type="find", tasks=("find hat", "open box"))


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"tasks": 6}, r"run\.tasks: expected at most 5, the size of split 'all', got 6"),
        (
            {"tasks": 4, "task_type": "find"},
            r"run\.tasks: expected at most 3, the size of task type 'find' in split 'all', got 4",
        ),
        ({"task_type": "lose"}, r"run\.task_type: expected one of 'find', 'open', got 'lose'"),
        ({"task_type": "find", "split": "none"}, r"run\.split: expected one with tasks, got 'none', which has none"),
    ],
)
def test_an_unknown_task_or_type_is_refused_with_the_known_ones(run: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _names(**run)


@pytest.mark.parametrize("tasks", [None, 2, ("stick",)])
def test_a_world_whose_tasks_are_of_no_type_refuses_one(tasks: int | tuple[str, ...] | None) -> None:
    with pytest.raises(
        UsageError, match=r"run\.task_type: expected none, since the tasks of textcraft have no types, got 'heat'"
    ):
        choose(RunSection(tasks=tasks, task_type="heat"), WORLD)


def test_a_world_whose_tasks_are_of_no_type_has_none_of_each() -> None:
    with pytest.raises(UsageError, match=r"run\.per_type: expected none, since the tasks of textcraft have no types"):
        choose(RunSection(per_type=2), WORLD)


def test_a_refused_task_type_is_named_with_its_origin() -> None:
    with pytest.raises(UsageError, match=r"run\.task_type: .* of textcraft .* \(--task-type\)"):
        prepare(Flags(task_type="heat").layers({}, method="react", environment="textcraft"))
