import pytest

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.models.sim.model import Simulated, strong, weak
from tests.actors.models.sim.answers import action_in, said

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
