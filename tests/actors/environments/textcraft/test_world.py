from collections import Counter

import pytest

from quintet.environments.textcraft.recipes import paper_table
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.textcraft.crafter import Crafter

WORLD = TextCraft()


@pytest.mark.parametrize("goal", WORLD.tasks("test"))
def test_every_goal_of_the_paper_can_be_crafted_from_what_its_opening_shows(goal: str) -> None:
    outcome = Crafter(WORLD.open(Task(name=goal, seed=11))).solve()
    assert (outcome.reward, outcome.done, outcome.rejected) == (1.0, True, False)


def test_every_other_item_can_be_crafted_too() -> None:
    for goal in paper_table().depths:
        assert Crafter(WORLD.open(Task(name=goal, seed=12))).solve().done


def test_test_is_the_papers_and_dev_is_the_rest_of_depth_2() -> None:
    assert WORLD.splits == ("test", "dev")
    assert (len(WORLD.tasks("test")), len(WORLD.tasks("dev"))) == (200, 197)
    assert not set(WORLD.tasks("test")) & set(WORLD.tasks("dev"))
    assert Counter(WORLD.metadata(task)["recipe depth"] for task in WORLD.tasks("test")) == {"2": 77, "3": 112, "4": 11}
    assert {WORLD.metadata(task)["recipe depth"] for task in WORLD.tasks("dev")} == {"2"}


def test_any_craftable_item_is_a_task() -> None:
    assert WORLD.metadata("oak planks") == {"recipe depth": "1"}
    assert WORLD.open(Task(name="oak planks", seed=0)).opening.goal == "craft oak planks"


@pytest.mark.parametrize("name", ["diamond", "planks", "", "oak_planks", "craft stick"])
def test_what_cannot_be_crafted_is_no_task(name: str) -> None:
    with pytest.raises(UsageError, match="task: expected one such as"):
        WORLD.open(Task(name=name, seed=0))


def test_opening_a_task_leaves_the_recipes_as_they_are() -> None:
    world = TextCraft()
    before = paper_table().recipes["beehive"]
    for seed in range(5):
        world.open(Task(name="beehive", seed=seed))
    assert paper_table().recipes["beehive"] == before
    fooled = world.open(Task(name="beehive", seed=0))
    fooled.step("get 1 oak logs")
    assert fooled.step("craft beehive using 1 oak logs").observation == "Could not find a valid recipe for beehive"
