"""The recipe table, and the paper's recipes and goals."""

from collections import Counter
from itertools import permutations

import pytest

from quintet.environments.textcraft.recipes import Need, Recipe, RecipeTable, paper_goals, paper_table


def recipe(command: str, group: str | None = None) -> Recipe:
    """A recipe from its command, in which `#` marks a category."""
    made, needs = command.split(" = ")
    count, makes = made.split(" ", 1)
    return Recipe(makes=makes, count=int(count), group=group, needs=tuple(need(text) for text in needs.split(", ")))


def need(text: str) -> Need:
    count, name = text.split(" ", 1)
    return Need(int(count), name.removeprefix("#"), category=name.startswith("#"))


def test_a_recipe_from_a_single_block_is_dropped_and_its_product_is_fetched() -> None:
    table = RecipeTable([recipe("9 wheat = 1 hay block"), recipe("1 lamp = 1 glow block, 2 redstone")])
    assert table.recipes.keys() == {"lamp"}
    assert table.fetchable == {"wheat", "hay block", "glow block", "redstone"}


def test_of_a_circle_the_recipe_that_is_read_last_is_left_out() -> None:
    nugget, ingot = recipe("9 nugget = 1 ingot"), recipe("1 ingot = 9 nugget")
    assert RecipeTable([nugget, ingot]).recipes.keys() == {"nugget"}
    assert RecipeTable([ingot, nugget]).recipes.keys() == {"ingot"}
    table = RecipeTable([recipe("1 b = 1 a"), recipe("1 c = 1 b"), recipe("1 a = 1 c")])
    assert table.recipes.keys() == {"b", "c"}
    assert table.fetchable == {"a"}


def test_a_category_has_the_items_that_a_recipe_of_its_name_makes() -> None:
    table = RecipeTable([recipe("4 oak planks = 1 oak log", "planks"), recipe("4 stick = 2 #planks")])
    assert table.members == {"planks": {"oak planks"}}
    assert table.fetchable == {"oak log"}
    assert "#" not in table.recipes["stick"][0].command


def test_a_category_that_nothing_belongs_to_is_an_item() -> None:
    table = RecipeTable([recipe("1 furnace = 8 #stones")])
    assert table.fetchable == {"stones"}
    assert table.fitting("furnace", ((8, "stones"),))


@pytest.mark.parametrize(
    ("recipes", "depths"),
    [
        (
            [
                recipe("1 easy = 1 root"),
                recipe("1 hard = 1 easy, 1 root"),
                recipe("1 goal = 1 hard"),
                recipe("1 goal = 1 easy"),
            ],
            {"easy": 1, "hard": 2, "goal": 2},
        ),
        (
            [
                recipe("1 plain wool = 4 string", "wool"),
                recipe("1 red wool = 1 plain wool, 1 dye", "wool"),
                recipe("1 bed = 3 #wool"),
            ],
            {"plain wool": 1, "red wool": 2, "bed": 2},
        ),
        ([recipe("1 red wool = 1 #wool, 1 dye", "wool"), recipe("1 bed = 3 #wool")], {}),
    ],
    ids=["least recipe, greatest ingredient", "easiest member of a category", "made of itself alone: none"],
)
def test_a_depth_is_the_least_over_the_recipes_of_the_greatest_ingredient(
    recipes: list[Recipe], depths: dict[str, int]
) -> None:
    assert RecipeTable(recipes).depths == depths


def test_the_order_of_what_is_given_is_free() -> None:
    every = permutations([(3, "oak planks"), (3, "red wool"), (1, "stick")])
    assert all(_beds().fitting("bed", given) is not None for given in every)


@pytest.mark.parametrize(
    "given",
    [
        (),
        ((3, "planks"), (3, "red wool"), (1, "stick")),
        ((2, "oak planks"), (3, "red wool"), (1, "stick")),
        ((4, "oak planks"), (3, "red wool"), (1, "stick")),
        ((3, "oak planks"), (3, "red wool")),
        ((3, "oak planks"), (3, "red wool"), (1, "stick"), (1, "stick")),
        ((3, "oak planks"), (2, "red wool"), (1, "red wool"), (1, "stick")),
        ((3, "oak planks"), (3, "blue wool"), (1, "stick")),
        ((3, "red wool"), (3, "red wool"), (1, "stick")),
    ],
)
def test_only_exactly_what_the_recipe_needs_fits(given: tuple[tuple[int, str], ...]) -> None:
    assert _beds().fitting("bed", given) is None


def test_an_item_may_stand_for_a_category_and_another_ingredient_for_itself() -> None:
    table = RecipeTable([recipe("4 oak planks = 1 oak log", "planks"), recipe("1 crate = 2 #planks, 2 oak planks")])
    assert table.fitting("crate", ((2, "oak planks"), (2, "oak planks"))) is not None


def test_an_ingredient_of_its_own_is_not_taken_up_by_a_category() -> None:
    woods = [recipe("4 oak planks = 1 oak log", "planks"), recipe("4 elm planks = 1 elm log", "planks")]
    table = RecipeTable([*woods, recipe("1 crate = 2 #planks, 2 oak planks")])
    assert table.fitting("crate", ((2, "oak planks"), (2, "elm planks"))) is not None
    assert table.fitting("crate", ((2, "elm planks"), (2, "elm planks"))) is None


def test_digests_differ_when_an_outcome_may() -> None:
    recipes = [recipe("4 stick = 2 bamboo"), recipe("9 wheat = 1 hay block")]
    tables = recipes, recipes, recipes[:1], [recipe("5 stick = 2 bamboo")]
    assert len({RecipeTable(each).digest for each in tables}) == 3


def _beds() -> RecipeTable:
    return RecipeTable(
        [
            recipe("4 oak planks = 1 oak log", "planks"),
            recipe("1 red wool = 1 white wool, 1 dye", "wool"),
            recipe("1 bed = 3 #wool, 3 #planks, 1 stick"),
        ]
    )


def test_the_goals_are_200_items_of_depths_2_to_4_in_published_order() -> None:
    depths = paper_table().depths
    assert Counter(depths.values()) == {1: 147, 2: 274, 3: 112, 4: 11}
    assert len(set(paper_goals())) == 200
    assert Counter(depths[goal] for goal in paper_goals()) == {2: 77, 3: 112, 4: 11}
    assert paper_goals()[:3] == ("polished granite stairs", "hopper minecart", "polished granite slab")
    assert paper_goals()[-1] == "orange terracotta"


def test_nuggets_and_honey_bottles_are_made_and_what_they_are_made_of_is_fetched() -> None:
    table = paper_table()
    assert {"gold ingot", "iron ingot", "honey block"} <= table.fetchable
    assert {"gold nugget", "iron nugget", "honey bottle"} <= table.recipes.keys()


def test_the_first_of_an_ingredients_alternatives_is_taken() -> None:
    (torch,) = paper_table().recipes["torch"]
    assert torch.command == "craft 4 torch using 1 coal, 1 stick"
    assert "charcoal" not in paper_table().fetchable


def test_only_planks_and_wool_are_categories_that_have_to_be_crafted() -> None:
    table = paper_table()
    assert table.members.keys() == {"planks", "wool"}
    assert "oak planks" in table.members["planks"]
    assert len(table.members["planks"]) == 8
    assert {"wooden slabs", "oak logs", "stone tool materials"} <= table.fetchable
    assert not {"planks", "wool"} & table.fetchable
