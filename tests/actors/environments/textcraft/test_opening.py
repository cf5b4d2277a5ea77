import pytest

from quintet.environments.textcraft.opening import brief
from quintet.environments.textcraft.recipes import paper_table
from quintet.messages.environment import Task


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
