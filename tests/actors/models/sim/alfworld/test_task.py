from collections.abc import Sequence

import pytest

from quintet.messages.prompts import ChatMessage, assistant, system, user
from quintet.models.sim.alfworld.task import (
    HouseGoal,
    HouseTask,
    Places,
    read_house_exchange,
    read_house_goal,
    read_house_task,
)
from quintet.models.sim.transcript import Exchange, Reading, read_conversation


def read(messages: Sequence[ChatMessage]) -> Reading[HouseTask] | None:
    return read_conversation(messages, read_house_task, read_house_exchange)


ROOM = "You are in the middle of a room. Looking quickly around you, you see a desk 1, a drawer 2, and a drawer 1."
EXAMPLE = (
    f"{ROOM.replace('desk', 'bed')}\n\nThe last action that was carried out: take cup 1 from bed 1\n\nGoal: clean cup."
)


def test_a_prompt_is_room_goal_last_action_and_steps() -> None:
    found = read(
        [
            system(f"Act.\n\n{EXAMPLE}"),
            user(
                f"{ROOM}\n\nThe last action that was carried out: Take pen 1 from desk 1.\n\n"
                "Goal: put the pen in/on the drawer."
            ),
            assistant("Thought: I go.\nAction: go to drawer 1"),
            user("Observation: You arrive at drawer 1. The drawer 1 is closed."),
        ]
    )
    assert found is not None
    assert found.task.room == ("desk 1", "drawer 2", "drawer 1")
    assert found.task.goal == HouseGoal("pen", target=found.task.goal.target)
    assert found.task.wording == "put the pen in/on the drawer"
    assert found.task.last_action == "Take pen 1 from desk 1."
    words = ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed.")
    assert found.steps == (Exchange(*words, words),)
    assert len(found.texts) == 2


def test_what_was_done_last_in_an_example_is_not_the_task_s() -> None:
    found = read([user(f"{EXAMPLE}\n\n{ROOM}\n\nGoal: find and take a pen.")])
    assert found is not None
    assert (found.task.last_action, found.task.kinds()) == ("", frozenset({"desk", "drawer"}))


def test_the_last_action_is_read_with_its_answer_as_far_as_the_paragraph_goes() -> None:
    said = "take pen 1 from desk 1\nIt was answered: You pick up the pen 1 from the desk 1."
    found = read([user(f"{ROOM}\n\nThe last action that was carried out: {said}\n\nGoal: put the pen in drawer.")])
    assert found is not None
    assert found.task.last_action == said


def test_a_prompt_without_a_room_or_a_goal_is_not_read() -> None:
    assert read([]) is None
    assert read([user(ROOM)]) is None
    assert read([user("Goal: put a pen in drawer.")]) is None
    assert read([user(f"{ROOM}\n\nGoal: craft beehive.")]) is None
    assert read([system(f"{ROOM}\n\nGoal: put a pen in drawer.")]) is None


DESK = Places("desk")


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("put a mug in desk", HouseGoal("mug", target=DESK)),
        ("put some mug on desk.", HouseGoal("mug", target=DESK)),
        ("put a clean mug in desk", HouseGoal("mug", treatment="clean", target=DESK)),
        ("clean some mug and put it in desk", HouseGoal("mug", treatment="clean", target=DESK)),
        ("put a hot mug in desk", HouseGoal("mug", treatment="heat", target=DESK)),
        ("heat some mug and put it in desk", HouseGoal("mug", treatment="heat", target=DESK)),
        ("put a cool mug in desk", HouseGoal("mug", treatment="cool", target=DESK)),
        ("cool some mug and put it in desk", HouseGoal("mug", treatment="cool", target=DESK)),
        ("put two mug in desk", HouseGoal("mug", target=DESK, count=2, shunned=DESK)),
        ("find two mug and put them in desk", HouseGoal("mug", target=DESK, count=2, shunned=DESK)),
        ("look at mug under the desklamp", HouseGoal("mug", lamp="desklamp")),
        ("examine the mug with the desklamp", HouseGoal("mug", lamp="desklamp")),
    ],
)
def test_both_phrasings_of_every_objective_are_read(text: str, goal: HouseGoal) -> None:
    assert read_house_goal(text) == goal


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("find and take a mug", HouseGoal("mug")),
        ("find and take an apple from the fridge", HouseGoal("apple", sought=Places("fridge"))),
        ("find and take a mug from cabinet 1 to 6", HouseGoal("mug", sought=Places("cabinet", 1, 6))),
        ("Find and take another mug, not from the desk.", HouseGoal("mug", shunned=DESK)),
        ("take mug 1 from shelf 2", HouseGoal("mug", sought=Places("shelf", 2, 2))),
        ("heat the mug with the microwave", HouseGoal("mug", treatment="heat", appliance="microwave")),
        ("clean mug", HouseGoal("mug", treatment="clean")),
        ("put the mug in/on the desk", HouseGoal("mug", target=DESK)),
        ("put the hot mug in/on the desk 1", HouseGoal("mug", treatment="heat", target=Places("desk", 1, 1))),
        ("find and use the desklamp", HouseGoal(None, lamp="desklamp")),
        ("find and use the desklamp on the desk", HouseGoal(None, lamp="desklamp", sought=DESK)),
    ],
)
def test_the_parts_of_a_plan_are_read(text: str, goal: HouseGoal) -> None:
    assert read_house_goal(text) == goal


@pytest.mark.parametrize("text", ["", "craft beehive", "be kind", "put", "put a mug", "find", "put two", "look at"])
def test_other_texts_are_no_goals(text: str) -> None:
    assert read_house_goal(text) is None


def test_a_place_covers_its_kind_and_numbers() -> None:
    assert [Places("cabinet", 2, 3).covers(f"cabinet {number}") for number in (1, 2, 3, 4)] == [
        False,
        True,
        True,
        False,
    ]
    assert Places("cabinets").covers("cabinet 9")
    assert not Places("cabinet").covers("drawer 1")
