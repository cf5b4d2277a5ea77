import pytest

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.prompts import Prompts
from quintet.models.sim.model import Simulated, strong, weak
from quintet.models.sim.textcraft.player import TextcraftPlayer
from tests.actors.models.sim.answers import action_in, said, steps_in

FORM = system("Thought: ...\nAction: ...")
COMMANDS = """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 4 stick using 2 oak planks
craft 1 ladder using 7 stick
craft 1 painting using 8 stick, 1 wool"""


def act(
    goal: str, *steps: tuple[str, str], inventory: str | None = "You are not carrying anything.", model: Simulated
) -> str:
    stated = "" if inventory is None else f"\n\nInventory: {inventory}"
    prompt = Prompt(FORM, user(f"{COMMANDS}{stated}\n\nGoal: {goal}."))
    for action, observation in steps:
        prompt = prompt.extend(assistant(f"Thought: ...\nAction: {action}"), user(observation))
    return action_in(said(model, prompt))


@pytest.mark.parametrize("goal", ["craft ladder", "fetch 7 stick", "craft 1 ladder using 7 stick", "make a ladder"])
@pytest.mark.parametrize("model", [weak(), strong()], ids=["weak", "strong"])
def test_no_form_of_a_goal_makes_it_look_into_the_inventory(goal: str, model: Simulated) -> None:
    assert act(goal, inventory=None, model=model) == act(goal, model=model) == "get 1 oak logs"


@pytest.mark.parametrize(
    ("goal", "same"),
    [("craft ladder", "make a ladder"), ("fetch 7 stick", "obtain 7 stick"), ("fetch 1 wool", "collect wool")],
)
def test_goals_of_one_meaning_are_pursued_alike(goal: str, same: str) -> None:
    for steps in ((), (("get 2 oak logs", "Got 2 oak logs"),), (("get 1 wool", "Could not find wool"),)):
        for inventory in (None, "[stick] (9) "):
            actions = {act(each, *steps, inventory=inventory, model=strong()) for each in (goal, same)}
            assert len(actions) == 1


def test_what_is_held_already_is_not_fetched() -> None:
    assert act("fetch 2 stick", inventory="[stick] (2) ", model=strong()) == "task completed"


def test_to_craft_is_to_craft_anew() -> None:
    goal = "craft 4 stick using 2 oak planks"
    carried = "[stick] (4) [oak planks] (2) "
    assert act(goal, inventory=carried, model=strong()) == goal
    assert act(goal, (goal, "Crafted 4 minecraft:stick"), inventory=carried, model=strong()) == "task completed"


def test_what_is_gone_when_it_was_counted_on_is_looked_into() -> None:
    goal = "craft 4 stick using 2 oak planks"
    short = (goal, "Could not find enough items to craft minecraft:stick")
    assert act(goal, short, inventory="[oak planks] (2) ", model=strong()) == "inventory"
    looked = ("inventory", "Inventory: [oak logs] (1) ")
    assert act(goal, short, looked, inventory="[oak planks] (2) ", model=strong()) == (
        "craft 4 oak planks using 1 oak logs"
    )


def test_what_cannot_be_found_ends_in_a_claim_of_failure() -> None:
    missing = ("get 1 ender eye", "Could not find ender eye")
    assert act("fetch 1 ender eye", model=strong()) == "get 1 ender eye"
    assert act("fetch 1 ender eye", missing, model=strong()) == "task failed"
    assert act("craft ender eye", model=strong()) == "task failed"


def test_weak_counts_only_what_the_last_two_steps_and_the_task_tell() -> None:
    steps = [("get 2 oak logs", "Got 2 oak logs"), ("inventory", "?"), ("inventory", "?")]
    assert act("fetch 4 oak planks", *steps[:2], model=weak()) == "craft 4 oak planks using 1 oak logs"
    assert act("fetch 4 oak planks", *steps, model=weak()) == "get 1 oak logs"
    assert act("fetch 4 oak planks", *steps, model=strong()) == "craft 4 oak planks using 1 oak logs"
    assert act("fetch 4 oak planks", *steps, inventory="[oak logs] (1) ", model=weak()) == (
        "craft 4 oak planks using 1 oak logs"
    )


FORMS = Prompts(AutoPlan.prompt_folders, "textcraft").text("execute.formalizer")


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ("get 2 oak logs", "get 2 oak logs"),
        ("fetch an iron ingot.", "get 1 iron ingot"),
        ("I will craft 4 oak planks using 1 oak logs", "craft 4 oak planks using 1 oak logs"),
        ("make a bucket from 3 iron ingot and 1 stick", "craft 1 bucket using 3 iron ingot, 1 stick"),
        ("get the lily of the valley", "get 1 lily of the valley"),
        (
            "craft 1 carrot on a stick using 1 fishing rod, 1 carrot",
            "craft 1 carrot on a stick using 1 fishing rod, 1 carrot",
        ),
        ("check my inventory", "inventory"),
        ("sing a song", "sing a song"),
    ],
)
def test_an_action_is_put_in_a_form_that_is_listed(raw: str, action: str) -> None:
    assert TextcraftPlayer().formalize(raw, FORMS) == action


def test_instructions_that_list_no_such_actions_are_of_another_world() -> None:
    assert TextcraftPlayer().formalize("inventory", "Rewrite it.\n- go to <place>") is None


PLANNED_FROM = """Crafting commands:
craft 4 oak planks using 1 oak logs
craft 2 tripwire hook using 1 iron ingot, 1 stick, 1 planks
craft 1 stick using 2 bamboo
craft 1 iron sword using 1 stick, 2 iron ingot"""
PLAN_FORM = "Step 1: ...\nStep 2: ...\nExecution Order: (Step 1 AND Step 2)"


def plan(goal: str, form: str = PLAN_FORM) -> str:
    return said(strong(), Prompt(system(form), user(f"{PLANNED_FROM}\n\nGoal: {goal}.")))


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
