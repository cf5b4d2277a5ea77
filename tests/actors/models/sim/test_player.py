"""What every player does with its world's answers, tried in TextCraft."""

import pytest

from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.models.sim.model import strong
from quintet.models.sim.player import NO_CHANGE, NO_FLAW
from tests.actors.models.sim.answers import said

TASK = user("Crafting commands:\ncraft 4 oak planks using 1 oak logs\n\nGoal: craft oak planks.")
THINK = "Answer with this thought alone."
CLAIMS = system("If you are done: task completed.")


def answer(*messages: ChatMessage) -> str:
    return said(strong(), Prompt(*messages))


def test_a_thought_names_the_action_and_the_action_follows_from_it() -> None:
    thought = answer(system("Act."), user(f"{TASK.content}\n\n{THINK}"))
    assert thought == "Thought: To craft oak planks, I still need 1 oak logs, which I try to get. Next: get 1 oak logs."
    assert answer(system("Act."), TASK, assistant("Thought: Next: sing."), user("Action:")) == "Action: sing"


def test_a_thought_that_names_no_action_leaves_it_open() -> None:
    open_thought = assistant("Thought: The next thing is unclear.")
    assert answer(system("Act."), TASK, open_thought, user("Action:")) == "Action: get 1 oak logs"


@pytest.mark.parametrize(("instructions", "action"), [(CLAIMS, "task completed"), (system("Act."), "inventory")])
def test_an_end_is_claimed_only_where_claims_are_asked_for(instructions: ChatMessage, action: str) -> None:
    done = (assistant("Action: craft 4 oak planks using 1 oak logs"), user(f"Crafted 4 oak planks\n\n{THINK}"))
    assert answer(instructions, TASK, *done).endswith(f"Next: {action}.")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Write a summary.", "1. get 1 oak logs\n2. The goal was not reached."),
        ("Name flaws.", NO_FLAW),
        ("Suggest a revision.", NO_CHANGE),
    ],
)
def test_each_part_of_a_look_back_has_a_form_of_its_own(question: str, expected: str) -> None:
    end = user(f"Got 1 oak logs\n\nThe job failed.\n\n{question}")
    assert answer(system("Look back."), TASK, assistant("Action: get 1 oak logs"), end) == expected


def test_flaws_are_named_up_to_a_number() -> None:
    refused = [m for n in range(20) for m in (assistant(f"Action: get {n} x"), user("Could not find x"))]
    end = user("Could not find x\n\nThe job failed.\n\nName flaws.")
    assert len(answer(system("Look back."), TASK, *refused[:-1], end).splitlines()) == 8


def lessons(opening: str, plan: str) -> str:
    text = f"Current plan:\n\n{plan}\n\nJob 1\n\n{opening}\n\nResult: The job succeeded."
    return answer(system("You write the plan."), user(f"{text}\n\nNow rewrite the plan."))


def test_a_new_plan_is_numbered_and_one_that_stays_is_said_again() -> None:
    assert lessons(TASK.content, "(none)").startswith("Plan:\n1. Find the crafting command")
    assert lessons(TASK.content, "Go on.") == "Plan:\nGo on."


def test_lessons_of_another_world_are_not_read() -> None:
    assert lessons("Goal: be happy.", "Go on.") == "I do not understand."
