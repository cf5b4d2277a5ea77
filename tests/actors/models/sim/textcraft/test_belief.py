from collections import Counter

from quintet.models.sim.textcraft.belief import Belief, believe
from quintet.models.sim.textcraft.task import read_craft_exchange

CRAFT_STICKS = "craft 4 stick using 2 oak planks"


def after(*steps: tuple[str, str], carried: tuple[tuple[str, int], ...] = ()) -> Belief:
    return believe(carried, (read_craft_exchange(f"Thought: ...\nAction: {action}", said) for action, said in steps))


def held(belief: Belief) -> dict[str, int]:
    return dict(+belief.carried)


def test_what_was_got_is_carried() -> None:
    belief = after(("get 2 oak logs", "Got 2 oak logs"), ("get 1 oak logs", "Got 1 oak logs"))
    assert held(belief) == {"oak logs": 3}


def test_crafting_adds_the_product_and_takes_the_ingredients() -> None:
    belief = after((CRAFT_STICKS, "Crafted 4 minecraft:stick"), carried=(("oak planks", 3),))
    assert held(belief) == {"oak planks": 1, "stick": 4}
    assert belief.crafted == Counter({"stick": 4})


def test_ingredients_that_were_not_known_of_do_not_become_debts() -> None:
    assert held(after((CRAFT_STICKS, "Crafted 4 minecraft:stick"))) == {"stick": 4}


def test_names_with_underscores_are_read_with_blanks() -> None:
    assert held(after(("craft 1 x using 1 y", "Crafted 4 minecraft:dark_oak_planks"))) == {"dark oak planks": 4}


def test_an_inventory_replaces_all_that_was_believed() -> None:
    belief = after(("inventory", "Inventory: [stick] (1) [oak planks] (4) "), carried=(("diamond", 9),))
    assert held(belief) == {"stick": 1, "oak planks": 4}
    assert held(after(("inventory", "Inventory: You are not carrying anything."), carried=(("diamond", 9),))) == {}


def test_an_action_without_an_observation_has_not_happened() -> None:
    for said in ("", "(nothing)", "OK."):
        belief = after(("get 2 oak logs", said), (CRAFT_STICKS, said))
        assert held(belief) == {}
        assert not belief.crafted


def test_a_label_before_an_observation_is_passed_over() -> None:
    assert held(after(("get 1 stick", "Observation: Got 1 stick\n"))) == {"stick": 1}


def test_what_cannot_be_found_is_remembered() -> None:
    assert after(("get 6 planks", "Could not find planks")).not_found == {"planks"}


def test_a_command_without_a_recipe_is_refused() -> None:
    belief = after(("craft 1 a using 1 b", "Could not find a valid recipe for a"))
    assert belief.refused == {"craft 1 a using 1 b"}
    assert not belief.not_found


def test_missing_items_raise_doubt_until_the_next_step() -> None:
    short = (CRAFT_STICKS, "Could not find enough items to craft minecraft:stick")
    assert after(short).doubtful == CRAFT_STICKS
    assert not after(short).refused
    assert after(short, ("inventory", "Inventory: [oak planks] (1)")).doubtful is None


def test_a_command_that_keeps_failing_is_refused() -> None:
    short = (CRAFT_STICKS, "Could not find enough items to craft minecraft:stick")
    assert after(short, ("inventory", "Inventory: [oak planks] (2)"), short).refused == {CRAFT_STICKS}
