from collections import Counter

import pytest

from quintet.environments.textcraft.recipes import paper_table
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.textcraft.crafter import Crafter

WORLD = TextCraft()


def test_every_item_can_be_crafted_from_what_its_opening_shows() -> None:
    for goal in paper_table().depths:
        outcome = Crafter(WORLD.open(Task(name=goal, seed=11))).solve()
        assert (outcome.reward, outcome.done, outcome.rejected) == (1.0, True, False), goal


def test_test_is_the_papers_and_dev_is_the_rest_of_depth_2() -> None:
    assert WORLD.splits == ("test", "dev")
    assert (len(WORLD.tasks("test")), len(WORLD.tasks("dev"))) == (200, 197)
    assert not set(WORLD.tasks("test")) & set(WORLD.tasks("dev"))
    assert Counter(WORLD.metadata(task)["recipe depth"] for task in WORLD.tasks("test")) == {"2": 77, "3": 112, "4": 11}
    assert {WORLD.metadata(task)["recipe depth"] for task in WORLD.tasks("dev")} == {"2"}


def test_any_craftable_item_is_a_task() -> None:
    assert WORLD.metadata("oak planks") == {"recipe depth": "1"}
    assert WORLD.open(Task(name="oak planks", seed=0)).opening.goal == "craft oak planks"


def test_what_cannot_be_crafted_is_no_task() -> None:
    for name in ("diamond", "planks", "", "oak_planks", "craft stick"):
        with pytest.raises(UsageError, match="task: expected one such as"):
            WORLD.open(Task(name=name, seed=0))
