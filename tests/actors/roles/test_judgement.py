import pytest
from msgspec.structs import replace

from quintet.messages.message import Unanswered
from quintet.messages.parts import Inventory
from quintet.messages.reflection import Judge, Judged
from quintet.ports.model import Completion, Finish
from tests.actors.fakes import (
    GOAL,
    JUDGE_INSTRUCTIONS,
    SETTING,
    STEP_INSTRUCTIONS,
    Answering,
    Kitchens,
    Script,
    contents,
    converse,
)

TASK = Judge(setting=SETTING, goal=GOAL, steps=("take salt", "serve"), observation="You take salt.")
STEP = replace(TASK, current=1, history=("The action is to look.", "The action is to take salt."), notes=("hot",))
PLAN = "The plan for this task:\n1. take salt\n2. serve"


def ask(request: Judge, *texts: str | Completion, structured: bool = False) -> tuple[Judged | Unanswered, Answering]:
    left = [*texts]
    model = Answering(lambda _said: left.pop(0))
    roles = Kitchens(Script({}), reflecting=model, structured=structured)
    return converse(lambda: roles.ask(request)), model


def test_a_task_is_judged_by_its_plan_and_what_is_seen() -> None:
    reply, model = ask(TASK, "It was not served.\nNO")
    assert reply == Judged(completed=False)
    assert contents(model.prompts[0]) == [
        f"system: {JUDGE_INSTRUCTIONS}",
        f"user: {SETTING}\n\n{PLAN}\n\nGoal: {GOAL}.\n\nWhat is seen now:\nYou take salt.\n\n"
        "Is the goal reached? End with YES or NO.",
    ]


def test_what_the_task_was_given_is_shown_to_the_judge_too() -> None:
    request = replace(TASK, parts=(Inventory(text="You carry: pepper"),))
    _, model = ask(request, "NO")
    assert contents(model.prompts[0])[1].startswith(f"user: {SETTING}\n\nYou carry: pepper\n\n{PLAN}")


def test_a_step_is_judged_by_instructions_of_its_own_with_history_and_notes() -> None:
    reply, model = ask(STEP, "YES")
    assert reply == Judged(completed=True)
    assert contents(model.prompts[0]) == [
        f"system: {STEP_INSTRUCTIONS}",
        f"user: {SETTING}\n\n{PLAN}\n\nThe step to do now: 1. take salt\n\nWhat was done so far:\n"
        "- The action is to look.\n- The action is to take salt.\n\nNotes that were taken:\n- hot\n\n"
        f"Goal: {GOAL}.\n\nWhat is seen now:\nYou take salt.\n\n"
        "Is the step to do now completed? End with YES or NO.",
    ]


@pytest.mark.parametrize("lacking", ["Hm.", "YES or NO", Completion(text="YES", finish="length")])
def test_an_unclear_verdict_is_asked_for_once_more_and_then_a_failure(lacking: str | Completion) -> None:
    reply, model = ask(TASK, lacking, "YES")
    assert reply == Judged(completed=True)
    assert "Please answer in this form:\n\nwhy, in short" in contents(model.prompts[1])[-1]
    assert isinstance(ask(TASK, lacking, lacking)[0], Unanswered)


@pytest.mark.parametrize("finish", ["refusal", "content_filter", "empty", "context_full"])
def test_where_there_is_no_answer_none_is_asked_for_again(finish: Finish) -> None:
    reply, model = ask(TASK, Completion(text="YES", finish=finish))
    assert isinstance(reply, Unanswered)
    assert len(model.prompts) == 1


def test_a_verdict_as_json_is_read_alike() -> None:
    assert ask(TASK, '{"reason": "It was served. NO doubt.", "completed": true}', structured=True)[0] == Judged(
        completed=True
    )
