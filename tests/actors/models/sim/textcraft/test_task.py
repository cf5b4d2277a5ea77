import pytest

from quintet.messages.prompts import assistant, system, user
from quintet.models.sim.textcraft.task import Goal, Step, read_goal, read_inventory, read_task

COMMANDS = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 bowl using 3 planks"


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("craft beehive", Goal(craft=True, item="beehive", count=1)),
        ("fetch 6 dark oak planks.", Goal(craft=False, item="dark oak planks", count=6)),
        ("Get a diamond", Goal(craft=False, item="diamond", count=1)),
        (
            "craft dark oak sign using 6 dark oak planks, 1 stick",
            Goal(craft=True, item="dark oak sign", count=1, needs=(("dark oak planks", 6), ("stick", 1))),
        ),
        (
            "craft 4 oak planks using 1 oak logs.",
            Goal(craft=True, item="oak planks", count=4, needs=(("oak logs", 1),)),
        ),
        ("be happy", None),
        ("craft", None),
        ("", None),
    ],
)
def test_a_goal_is_to_craft_or_to_have(text: str, goal: Goal | None) -> None:
    assert read_goal(text) == goal


def test_an_inventory_is_items_and_counts() -> None:
    assert read_inventory(" [stick] (1) [oak planks] (12) ") == (("stick", 1), ("oak planks", 12))
    assert read_inventory("You are not carrying anything.") == ()


def test_a_task_is_its_commands_its_goal_and_what_is_carried() -> None:
    read = read_task((system("..."), user(f"{COMMANDS}\n\nInventory: [stick] (2) \n\nGoal: fetch 3 stick.")))
    assert read is not None
    task, steps = read
    assert set(task.book.commands) == {"oak planks", "bowl"}
    assert task.goal == Goal(craft=False, item="stick", count=3)
    assert task.wording == "fetch 3 stick"
    assert task.carried == (("stick", 2),)
    assert steps == []


def test_worked_examples_before_the_task_are_not_the_task() -> None:
    example = "Crafting commands:\ncraft 1 lead using 4 string\n\nInventory: [lead] (9)\n\nGoal: craft lead."
    read = read_task((system(example), user(f"{example}\n\n{COMMANDS}\n\nGoal: craft bowl.")))
    assert read is not None
    task, _ = read
    assert task.goal.item == "bowl"
    assert set(task.book.commands) == {"oak planks", "bowl"}
    assert task.carried == ()


def test_steps_are_answers_with_what_came_back() -> None:
    read = read_task(
        (
            user(f"{COMMANDS}\n\nGoal: craft bowl."),
            assistant("Action: get 1 oak logs"),
            user("Got 1 oak logs"),
            assistant("Action: inventory"),
            user("Inventory: [oak logs] (1)"),
        )
    )
    assert read is not None
    assert read[1] == [
        Step("Action: get 1 oak logs", "Got 1 oak logs"),
        Step("Action: inventory", "Inventory: [oak logs] (1)"),
    ]


def test_a_task_posed_later_replaces_the_earlier() -> None:
    read = read_task(
        (
            user(f"{COMMANDS}\n\nGoal: craft bowl."),
            assistant("Action: task failed"),
            user(f"{COMMANDS}\n\nGoal: craft oak planks."),
        )
    )
    assert read is not None
    assert read[0].goal.item == "oak planks"
    assert read[1] == []


def test_what_poses_no_task_is_not_read() -> None:
    assert read_task(()) is None
    assert read_task((user("Goal: craft bowl."),)) is None
    assert read_task((user(COMMANDS),)) is None
    assert read_task((system(f"{COMMANDS}\n\nGoal: craft bowl."), user("Begin."))) is None
