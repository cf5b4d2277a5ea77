import pytest

from quintet.environments.textcraft.state import TextCraftState
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task

WORLD = TextCraft()


@pytest.fixture
def state() -> TextCraftState:
    return WORLD.open(Task(name="beehive", seed=1))


def replies(state: TextCraftState, *actions: str) -> list[str]:
    return [state.step(action).observation for action in actions]


def test_the_replies_are_the_published_ones(state: TextCraftState) -> None:
    assert replies(
        state,
        "inventory",
        "get 2 diamond",
        "get 1 oak logs",
        "craft 4 oak planks using 1 oak logs",
        "craft 4 stick using 2 oak planks",
        "inventory",
        "craft 1 beehive using 6 oak planks, 3 honeycomb",
        "craft 4 stick using 1 oak planks",
        "craft 4 stick using two oak planks",
        "get 1 stick",
        "dance",
    ) == [
        "Inventory: You are not carrying anything.",
        "Got 2 diamond",
        "Got 1 oak logs",
        "Crafted 4 minecraft:oak_planks",
        "Crafted 4 minecraft:stick",
        "Inventory: [diamond] (2) [oak planks] (2) [stick] (4) ",
        "Could not find enough items to craft minecraft:beehive",
        "Could not find a valid recipe for stick",
        "Wrong item format: two oak planks",
        "Could not find stick",
        "Could not execute dance",
    ]


def test_what_could_not_be_done_is_rejected_and_nothing_else(state: TextCraftState) -> None:
    state.step("get 9 oak logs")
    for action in ("inventory", "get 1 diamond", "get 0 diamond"):
        assert not state.step(action).rejected, action
    for target in ("7 oak planks", "oak planks", "oak_planks"):
        assert replies(state, f"craft {target} using 1 oak logs") == ["Crafted 4 minecraft:oak_planks"]
    for name in ("stick", "planks", "wool", "unobtainium", "charcoal", "minecraft:diamond", "Diamond", ""):
        outcome = state.step(f"get 1 {name}")
        assert (outcome.observation, outcome.rejected) == (f"Could not find {name}", True)
    for action in ("craft stick using 9 bamboo", "craft diamond using 2 diamond", "craft diamond using 9 coal"):
        outcome = state.step(action)
        assert (outcome.observation[:23], outcome.rejected) == ("Could not find enough i", True)
    for action in ("craft stick using 1 oak logs", "craft diamond using 1 diamond"):
        outcome = state.step(action)
        assert (outcome.observation[:23], outcome.rejected) == ("Could not find a valid ", True)
    for action in ("craft stick using bamboo", "think: what now"):
        assert state.step(action).rejected


def test_a_category_that_nothing_craftable_belongs_to_is_fetched_and_used_as_itself(state: TextCraftState) -> None:
    assert replies(state, "get 2 stone tool materials", "get 2 stick") == [
        "Got 2 stone tool materials",
        "Could not find stick",
    ]
    assert replies(state, "get 2 bamboo", "craft stick using 2 bamboo")[1] == "Crafted 1 minecraft:stick"
    assert (
        state.step("craft stone sword using 2 stone tool materials, 1 stick").observation
        == "Crafted 1 minecraft:stone_sword"
    )


def test_a_category_takes_one_concrete_member_and_never_the_word(state: TextCraftState) -> None:
    state.step("get 3 oak logs")
    state.step("get 3 birch logs")
    replies(state, *["craft oak planks using 1 oak logs", "craft birch planks using 1 birch logs"] * 2)
    state.step("get 3 honeycomb")
    assert replies(
        state,
        "craft beehive using 6 planks, 3 honeycomb",
        "craft beehive using 3 oak planks, 3 birch planks, 3 honeycomb",
        "craft beehive using 6 birch planks, 3 honeycomb",
    ) == [
        "Could not find enough items to craft minecraft:beehive",
        "Could not find a valid recipe for beehive",
        "Crafted 1 minecraft:beehive",
    ]


def test_what_is_named_twice_is_needed_twice(state: TextCraftState) -> None:
    state.step("get 1 bamboo")
    assert "enough items" in state.step("craft stick using 1 bamboo, 1 bamboo").observation
    state.step("get 1 bamboo")
    assert "valid recipe" in state.step("craft stick using 1 bamboo, 1 bamboo").observation
    assert replies(state, "inventory") == ["Inventory: [bamboo] (2) "]


def test_a_snapshot_is_small_and_keeps_the_order_of_the_inventory(state: TextCraftState) -> None:
    replies(state, "get 1 vine", "get 2 apple", "get 3 diamond")
    assert len(state.snapshot()) < 200
    restored = WORLD.open(Task(name="beehive", seed=1))
    restored.load(state.snapshot())
    assert replies(restored, "inventory") == ["Inventory: [vine] (1) [apple] (2) [diamond] (3) "]
