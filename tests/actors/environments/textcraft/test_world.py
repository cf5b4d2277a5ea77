from collections import Counter

import pytest

from quintet.environments.textcraft.recipes import paper_table
from quintet.environments.textcraft.world import TextCraft, brief
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


def commands(goal: str, seed: int) -> list[str]:
    opening = brief(paper_table(), goal).opening(Task(name=goal, seed=seed))
    return opening.setting.splitlines()[1:]


def test_an_opening_has_the_published_form() -> None:
    opening = brief(paper_table(), "beehive").opening(Task(name="beehive", seed=1))
    first, *listed, blank, goal = opening.observation.split("\n")
    assert (first, blank, goal) == ("Crafting commands:", "", "Goal: craft beehive.")
    assert listed == opening.setting.splitlines()[1:]
    assert opening.goal == "craft beehive"
    assert "craft 1 beehive using 6 planks, 3 honeycomb" in listed


@pytest.mark.parametrize("goal", ["beehive", "magenta bed", "painting", "stick"])
def test_the_whole_recipe_tree_is_shown_and_at_most_ten_commands_more(goal: str) -> None:
    gold = set(brief(paper_table(), goal).gold)
    for seed in range(20):
        shown = commands(goal, seed)
        assert gold <= set(shown)
        assert len(set(shown)) == len(shown) <= len(gold) + 10


def test_a_category_is_shown_with_every_way_to_make_every_member() -> None:
    gold = brief(paper_table(), "beehive").gold
    assert len(gold) == 1 + len(paper_table().members["planks"])


def test_distractors_use_an_ingredient_of_the_tree() -> None:
    gold = brief(paper_table(), "beehive").gold
    logs = ("oak", "birch", "spruce", "jungle", "acacia", "dark oak", "crimson", "warped")
    for seed in range(20):
        for command in set(commands("beehive", seed)) - set(gold):
            ingredients = command.split(" using ")[1]
            assert any(f" {name}" in ingredients for name in ("planks", "honeycomb", *logs))


def test_the_seed_picks_the_distractors_and_the_order() -> None:
    assert commands("beehive", 1) == commands("beehive", 1)
    assert set(commands("beehive", 1)) != set(commands("beehive", 2))
    assert len({commands("beehive", seed)[0] for seed in range(20)}) > 1
    assert commands("beehive", 1) != commands("beehive", -1)


def test_an_opening_is_the_same_in_every_version_of_python() -> None:
    """A change here is another world: raise the version of the rules."""
    assert commands("polished granite slab", 1) == [
        "craft 1 observer using 6 cobblestone, 2 redstone, 1 quartz",
        "craft 6 diorite wall using 6 diorite",
        "craft 1 lever using 1 stick, 1 cobblestone",
        "craft 4 granite stairs using 6 granite",
        "craft 1 dispenser using 7 cobblestone, 1 bow, 1 redstone",
        "craft 6 cobblestone slab using 3 cobblestone",
        "craft 1 quartz block using 4 quartz",
        "craft 1 comparator using 3 redstone torch, 1 quartz, 3 stone",
        "craft 6 polished granite slab using 3 polished granite",
        "craft 1 granite using 1 diorite, 1 quartz",
        "craft 4 polished granite using 4 granite",
        "craft 6 granite wall using 6 granite",
        "craft 4 diorite stairs using 6 diorite",
        "craft 2 diorite using 2 cobblestone, 2 quartz",
    ]
