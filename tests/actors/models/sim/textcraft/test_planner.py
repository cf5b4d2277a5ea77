from quintet.messages.prompts import Prompt, system, user
from quintet.models.sim.model import strong
from tests.actors.models.sim.answers import said, steps_in

COMMANDS = """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 2 tripwire hook using 1 iron ingot, 1 stick, 1 planks
craft 1 stick using 2 bamboo
craft 1 iron sword using 1 stick, 2 iron ingot"""
FORM = "Step 1: ...\nStep 2: ...\nExecution Order: (Step 1 AND Step 2)"


def plan(goal: str, form: str = FORM) -> str:
    return said(strong(), Prompt(system(form), user(f"{COMMANDS}\n\nGoal: {goal}.")))


def test_a_plan_fetches_the_ingredients_of_one_command_and_crafts() -> None:
    assert plan("craft iron sword").splitlines()[1:] == [
        "Step 1: fetch 1 stick",
        "Step 2: fetch 2 iron ingot",
        "Step 3: craft 1 iron sword using 1 stick, 2 iron ingot",
        "Execution Order: (Step 1 AND Step 2 AND Step 3)",
    ]


def test_a_kind_is_replaced_by_one_item_in_every_step() -> None:
    steps = steps_in(plan("craft tripwire hook"))
    assert "fetch 1 oak planks" in steps
    assert steps[-1] == "craft 2 tripwire hook using 1 iron ingot, 1 stick, 1 oak planks"


def test_a_command_that_makes_too_few_is_repeated() -> None:
    craft = "craft 4 oak planks using 1 oak logs"
    assert steps_in(plan("fetch 6 oak planks")) == ["fetch 2 oak logs", craft, craft]
    assert steps_in(plan("fetch 4 oak planks")) == ["fetch 1 oak logs", craft]


def test_a_prescribed_craft_is_planned_with_its_own_ingredients() -> None:
    goal = "craft 2 tripwire hook using 1 iron ingot, 1 stick, 1 birch planks"
    assert steps_in(plan(goal)) == ["fetch 1 iron ingot", "fetch 1 stick", "fetch 1 birch planks", goal]


def test_what_no_command_makes_can_only_be_fetched() -> None:
    assert steps_in(plan("fetch 3 honeycomb")) == ["fetch 3 honeycomb"]


def test_an_order_is_written_only_where_it_is_asked_for() -> None:
    assert "Execution Order" not in plan("craft iron sword", form="Step 1: ...")
    assert len(steps_in(plan("craft iron sword", form="Step 1: ..."))) == 3
