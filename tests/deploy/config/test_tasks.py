"""Which tasks a run has."""

import pytest

from actors.environments.textcraft.world import TextCraft
from deploy.config.sections import RunSection
from deploy.config.tasks import choose
from protocols.errors import UsageError

WORLD = TextCraft()


def test_without_a_wish_all_of_the_split_is_run_in_its_order() -> None:
    chosen = choose(RunSection(split="dev"), WORLD)
    assert tuple(task.name for task in chosen) == WORLD.tasks("dev")


def test_a_number_takes_the_first() -> None:
    assert tuple(task.name for task in choose(RunSection(tasks=2), WORLD)) == WORLD.tasks("test")[:2]


def test_any_item_can_be_named_and_carries_its_facts() -> None:
    (task,) = choose(RunSection(tasks=("stick",)), WORLD)
    assert task.facts == {"recipe depth": "1"}


@pytest.mark.parametrize("split", ["tset", ""])
def test_an_unknown_split_is_refused(split: str) -> None:
    for tasks in (None, ("stick",)):
        with pytest.raises(UsageError, match=f"split: expected test or dev, got '{split}'"):
            choose(RunSection(split=split, tasks=tasks), WORLD)
