from collections.abc import Sequence

import pytest

from quintet.messages.prompts import ChatMessage, assistant, system, user
from quintet.models.sim.textcraft.task import (
    CraftGoal,
    CraftTask,
    read_craft_exchange,
    read_craft_goal,
    read_craft_task,
    read_inventory,
)
from quintet.models.sim.transcript import Exchange, Reading, read_conversation


def read(messages: Sequence[ChatMessage]) -> Reading[CraftTask] | None:
    return read_conversation(messages, read_craft_task, read_craft_exchange)


COMMANDS = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 bowl using 3 planks"


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("craft beehive", CraftGoal(craft=True, item="beehive", count=1)),
        ("fetch 6 dark oak planks.", CraftGoal(craft=False, item="dark oak planks", count=6)),
        ("Get a diamond", CraftGoal(craft=False, item="diamond", count=1)),
        (
            "craft dark oak sign using 6 dark oak planks, 1 stick",
            CraftGoal(craft=True, item="dark oak sign", count=1, needs=(("dark oak planks", 6), ("stick", 1))),
        ),
        (
            "craft 4 oak planks using 1 oak logs.",
            CraftGoal(craft=True, item="oak planks", count=4, needs=(("oak logs", 1),)),
        ),
        ("be happy", None),
        ("craft", None),
        ("", None),
    ],
)
def test_a_goal_is_to_craft_or_to_have(text: str, goal: CraftGoal | None) -> None:
    assert read_craft_goal(text) == goal


def test_an_inventory_is_items_and_counts() -> None:
    assert read_inventory(" [stick] (1) [oak planks] (12) ") == (("stick", 1), ("oak planks", 12))
    assert read_inventory("You are not carrying anything.") == ()


def test_a_task_is_its_commands_its_goal_and_what_is_carried() -> None:
    found = read((system("..."), user(f"{COMMANDS}\n\nInventory: [stick] (2) \n\nGoal: fetch 3 stick.")))
    assert found is not None
    task = found.task
    assert set(task.book.commands) == {"oak planks", "bowl"}
    assert task.goal == CraftGoal(craft=False, item="stick", count=3)
    assert task.wording == "fetch 3 stick"
    assert task.carried == (("stick", 2),)
    assert found.steps == ()


def test_worked_examples_before_the_task_are_not_the_task() -> None:
    example = "Crafting commands:\ncraft 1 lead using 4 string\n\nInventory: [lead] (9)\n\nGoal: craft lead."
    found = read((system(example), user(f"{example}\n\n{COMMANDS}\n\nGoal: craft bowl.")))
    assert found is not None
    task = found.task
    assert task.goal.item == "bowl"
    assert set(task.book.commands) == {"oak planks", "bowl"}
    assert task.carried == ()


def test_steps_are_answers_with_what_came_back() -> None:
    found = read(
        (
            user(f"{COMMANDS}\n\nGoal: craft bowl."),
            assistant("Action: get 1 oak logs"),
            user("Got 1 oak_logs"),
            assistant("Action: inventory"),
            user("Inventory: [oak logs] (1)"),
        )
    )
    assert found is not None
    got = Exchange("get 1 oak logs", "Got 1 oak logs", ("Action: get 1 oak logs", "Got 1 oak_logs"))
    assert found.steps[0] == got
    assert (found.steps[1].action, found.steps[1].observation) == ("inventory", "Inventory: [oak logs] (1)")


def test_a_task_posed_later_replaces_the_earlier() -> None:
    found = read(
        (
            user(f"{COMMANDS}\n\nGoal: craft bowl."),
            assistant("Action: task failed"),
            user(f"{COMMANDS}\n\nGoal: craft oak planks."),
        )
    )
    assert found is not None
    assert found.task.goal.item == "oak planks"
    assert found.steps == ()


def test_what_poses_no_task_is_not_read() -> None:
    assert read(()) is None
    assert read((user("Goal: craft bowl."),)) is None
    assert read((user(COMMANDS),)) is None
    assert read((system(f"{COMMANDS}\n\nGoal: craft bowl."), user("Begin."))) is None
