"""What every player does with its world's answers, tried in TextCraft."""

import pytest

from quintet.messages.execution import Act
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.models.sim.model import strong
from quintet.models.sim.player import NO_CHANGE, NO_FLAW
from quintet.parsing.candidates import rank, read_candidates
from tests.actors.models.sim.answers import action_in, said

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


FORM = system("Thought: why\nAction: one action")
WEIGH = "Name 3 actions.\nAction: one action (confidence 0.6)"


def test_candidates_are_ranked_each_with_half_the_confidence_of_the_one_before() -> None:
    ranked = answer(FORM, user(f"{TASK.content}\n\n{WEIGH}"))
    assert ranked == "Action: get 1 oak logs (confidence 0.5)\nAction: inventory (confidence 0.5)"
    assert [confidence for _, confidence in rank(read_candidates(ranked), 3).candidates] == [0.5, 0.5]


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_confidences_sum_to_one_however_many_are_asked_for(number: int) -> None:
    task = "Crafting commands:\ncraft 1 soup using 1 salt, 1 leek, 1 pea, 1 bean, 1 corn\n\nGoal: craft soup."
    weigh = f"Name {number} actions.\nAction: one action (confidence 0.6)"
    read = read_candidates(answer(FORM, user(f"{task}\n\n{weigh}")))
    assert len(read) == number
    assert sum(each.confidence or 0 for each in read) == 1
    assert read[0].decision == Act(thought="", action="get 1 salt")


def test_another_action_is_named_than_those_that_were_tried() -> None:
    def another(*tried: str) -> str:
        listed = "".join(f"- {action}\n" for action in tried)
        return action_in(answer(FORM, user(f"{TASK.content}\n\nTried already:\n{listed}Choose another one.")))

    assert another("inventory") == "get 1 oak logs"
    assert another("get 1 oak logs") == "inventory"
    assert another("get 1 oak logs", "inventory") == "task failed"


def test_candidates_leave_out_what_was_tried() -> None:
    tried = "Tried already:\n- get 1 oak logs\nChoose another one."
    ranked = answer(FORM, user(f"{TASK.content}\n\n{tried}\n\n{WEIGH}"))
    assert ranked == "Action: inventory (confidence 1)"


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
