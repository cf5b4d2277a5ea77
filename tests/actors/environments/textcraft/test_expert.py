"""The expert, from any inventory."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.textcraft.expert import crafting_plan
from quintet.environments.textcraft.recipes import Need, Recipe, RecipeTable, paper_table
from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.ports.world import Opening

WORLD = TextCraft()
GOALS = sorted(paper_table().depths)
ITEMS = sorted(paper_table().fetchable | paper_table().recipes.keys())

_NAMES = tuple("abcdef")
_NEEDS = st.builds(Need, st.integers(1, 2), st.sampled_from((*_NAMES, "metal")), st.booleans())
# Crafts multiply by what a recipe needs at each depth: with larger needs there are more than memory holds.
_RECIPES = st.builds(
    Recipe,
    makes=st.sampled_from(_NAMES),
    count=st.integers(1, 4),
    group=st.sampled_from([None, "metal", "a"]),
    needs=st.lists(_NEEDS, min_size=1, max_size=2, unique_by=lambda need: need.name).map(tuple),
)


def state_with(table: RecipeTable, goal: str, carried: dict[str, int]) -> TextCraftState:
    opening = Opening(observation="", setting="", goal=goal)
    state = TextCraftState(opening, goal, table)
    state.carried = carried.copy()
    return state


def follow(state: TextCraftState) -> None:
    """Follow the expert to the end; every action is carried out, and only the last one ends the task."""
    advice = state.expert()
    outcomes = [state.step(action) for action in advice]
    assert not any(outcome.rejected for outcome in outcomes), (advice, outcomes)
    assert [outcome.done for outcome in outcomes] == [False] * (len(outcomes) - 1) + [True], advice
    assert outcomes[-1].reward == 1
    assert state.expert() == ()


def test_from_its_opening_every_goal_is_crafted_by_recipes_that_the_opening_shows() -> None:
    for goal in GOALS:
        state = WORLD.open(Task(name=goal, seed=3))
        actions = state.expert()
        shown = {line.split(" using ")[0] for line in state.opening.setting.splitlines()}
        assert {action.split(" using ")[0] for action in actions if action.startswith("craft ")} <= shown
        assert len(actions) <= 40
        follow(state)


@given(st.sampled_from(GOALS), st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 9), max_size=12))
def test_from_any_inventory_the_goal_is_crafted(goal: str, carried: dict[str, int]) -> None:
    follow(state_with(paper_table(), goal, carried))


@given(
    st.sampled_from(GOALS), st.lists(st.sampled_from(GOALS), min_size=1, max_size=3), st.randoms(use_true_random=False)
)
def test_after_parts_of_ways_to_other_goals_the_goal_is_crafted(goal: str, others: list[str], chance: Random) -> None:
    state = WORLD.open(Task(name=goal, seed=0))
    for other in others:
        for action in WORLD.open(Task(name=other, seed=0)).expert():
            if chance.random() < 0.7 and not state.step(action).done:  # a part of the crafts is refused for that
                follow(state.fork())


@given(st.lists(_RECIPES, min_size=1, max_size=10), st.dictionaries(st.sampled_from(_NAMES), st.integers(1, 9)))
def test_with_any_recipes_and_inventory_every_goal_is_crafted(recipes: list[Recipe], carried: dict[str, int]) -> None:
    table = RecipeTable(recipes)
    known = table.recipes.keys() | table.fetchable
    held = {item: count for item, count in carried.items() if item in known}
    for goal in table.depths:
        follow(state_with(table, goal, held))


def made(count: int, makes: str, *needs: tuple[int, str], group: str | None = None) -> Recipe:
    """A recipe; an ingredient `#metal` is a category."""
    each = (Need(number, name.removeprefix("#"), category=name.startswith("#")) for number, name in needs)
    return Recipe(makes=makes, count=count, group=group, needs=tuple(each))


def test_items_that_can_be_made_from_each_other_are_not_turned_round_for_ever() -> None:
    circle = [made(1, "a", (1, "x")), made(1, "a", (1, "#metal")), made(1, "b", (1, "a"), group="metal")]
    table = RecipeTable([*circle, made(1, "c", (2, "b"))])
    for held in ({}, {"a": 1}, {"b": 1}, {"a": 1, "b": 1}):
        follow(state_with(table, "c", held))


def test_it_fetches_each_item_once_and_uses_what_is_carried() -> None:
    state = WORLD.open(Task(name="beehive", seed=1))
    assert state.expert() == (
        "get 2 acacia logs",
        "get 3 honeycomb",
        "craft 4 acacia planks using 1 acacia logs",
        "craft 4 acacia planks using 1 acacia logs",
        "craft 1 beehive using 6 acacia planks, 3 honeycomb",
    )
    for action in ("get 9 honeycomb", "get 2 oak logs", "craft 4 oak planks using 1 oak logs"):
        state.step(action)
    state.step("craft 4 oak planks using 1 oak logs")
    assert state.expert() == ("craft 1 beehive using 6 oak planks, 3 honeycomb",)


def test_what_is_set_aside_for_one_ingredient_is_not_used_for_another() -> None:
    sign = made(1, "sign", (2, "plank"), (1, "stick"))
    table = RecipeTable([made(4, "stick", (2, "plank")), made(2, "plank", (1, "log")), sign])
    assert crafting_plan(table, "sign", {"plank": 2}) == (
        "get 1 log",
        "craft 2 plank using 1 log",
        "craft 4 stick using 2 plank",
        "craft 1 sign using 2 plank, 1 stick",
    )


def test_a_recipe_whose_ingredients_are_carried_comes_before_one_of_lesser_depth() -> None:
    table = RecipeTable([made(1, "goal", (1, "part")), made(1, "part", (1, "ore")), made(1, "goal", (5, "ore"))])
    assert crafting_plan(table, "goal", {}) == ("get 5 ore", "craft 1 goal using 5 ore")
    assert crafting_plan(table, "goal", {"part": 1}) == ("craft 1 goal using 1 part",)
