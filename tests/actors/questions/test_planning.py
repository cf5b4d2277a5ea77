"""The planner's questions, beside what all have in common: which plans are accepted, and what they are asked with."""

import pytest
from msgspec.structs import replace

from quintet.messages.message import Unanswered
from quintet.messages.parts import LONGEST_PLAN, History, NotesTaken
from quintet.messages.planning import AllOf, AnyOf, Decompose, Decomposed, MakePlan, PlanMade, PlanRevised, RevisePlan
from quintet.ports.model import Completion
from quintet.questions.shape import SHAPES
from tests.actors.fakes import GOAL, SETTING, ask, contents
from tests.actors.questions.test_questions import LESSONS, PRINTED, STEPS

DECOMPOSE = Decompose(setting=SETTING, goal=GOAL)
REVISE = RevisePlan(plan="1. Burn.", lessons=LESSONS)


def test_a_world_without_a_setting_is_asked_about_its_goal_alone() -> None:
    _, model = ask(replace(DECOMPOSE, setting=""), f"{PRINTED}Execution Order: (Step 1 AND Step 2)")
    assert contents(model.prompts[0])[1] == f"user: Goal: {GOAL}."


@pytest.mark.parametrize(
    ("order", "reminder"),
    [
        ("Execution Order: Step 1 OR Step 9", "the execution order cannot be read: "),
        ("Execution Order: as usual", "expected a step, AND, OR or a bracket, got "),
        ("", "no execution order. "),
    ],
)
def test_an_order_that_cannot_be_read_is_asked_for_once_more(order: str, reminder: str) -> None:
    reply, model = ask(DECOMPOSE, f"{PRINTED}{order}", f"{PRINTED}Execution Order: (Step 1 OR Step 2)")
    assert reply == Decomposed(plan=AnyOf(parts=STEPS))
    again = contents(model.prompts[1])[-1]
    assert again.startswith(f"user: I cannot go by that: {reminder}")
    assert again.endswith(SHAPES["plan"].example(structured=False))


def test_a_plan_as_json_is_shown_as_json_where_it_is_asked_for_once_more() -> None:
    asked = SHAPES["plan"].write({**SHAPES["plan"].example_fields, "order": "as usual"}, structured=True)
    _, model = ask(DECOMPOSE, asked, asked, structured=True)
    assert contents(model.prompts[1])[2] == f"assistant: {asked}"


@pytest.mark.parametrize("answers", [(PRINTED, "I do not know."), ("No.", PRINTED)])
def test_of_two_answers_the_better_one_counts(answers: tuple[str, str]) -> None:
    assert ask(DECOMPOSE, *answers)[0] == Decomposed(plan=AllOf(parts=STEPS), fallback="no execution order")


def test_steps_are_a_plan_in_the_printed_order_too() -> None:
    assert ask(MakePlan(setting=SETTING, goal=GOAL), PRINTED)[0] == PlanMade(steps=STEPS)


def test_a_planner_sees_the_plan_that_failed_and_what_was_done_under_it() -> None:
    parts = (History(texts=("The action is to burn it.",)), NotesTaken(texts=("salt is in the jar",)))
    _, model = ask(MakePlan(setting=SETTING, goal=GOAL, parts=parts, failed=("burn", "serve")), "List\n1. serve")
    assert contents(model.prompts[0])[1] == (
        f"user: {SETTING}\n\nGoal: {GOAL}.\n\nWhat was done so far:\n- The action is to burn it.\n\n"
        "Notes that were taken:\n- salt is in the jar\n\n"
        "This plan for the goal has failed:\n1. burn\n2. serve\nMake another plan."
    )


def test_a_planner_without_a_plan_reads_that_there_is_none() -> None:
    _, model = ask(RevisePlan(plan="", lessons=LESSONS[1:]), "1. Serve.")
    assert contents(model.prompts[0])[1].startswith("user: Current plan:\n\n(none yet)\n\nJob 1\n\nJob B.")


def test_a_plan_may_stay_as_it_is_where_there_is_one() -> None:
    for answer in ("The plan stays as it is.", "Plan: unchanged", "No changes are needed."):
        assert ask(REVISE, answer)[0] == PlanRevised(text="1. Burn.")
        failed, _ = ask(replace(REVISE, plan=""), answer, answer)
        assert failed == Unanswered(reason="the model left out the plan")


def test_reasoning_alone_is_shown_as_nothing_where_a_plan_is_asked_for_once_more() -> None:
    _, model = ask(REVISE, Completion(text="<think>1. Burn.</think>"), "Plan:\n1. Serve.")
    assert contents(model.prompts[1])[2] == "assistant: (nothing)"


def test_a_plan_is_no_longer_than_one_from_a_file_may_be() -> None:
    longest = "ä" * (LONGEST_PLAN // 2)
    assert ask(REVISE, f"Plan:\n{longest}\n")[0] == PlanRevised(text=longest)
    why = "the plan is too long: expected at most 65,536 bytes, got 65,537"
    assert ask(REVISE, f"Plan:\n{longest}.")[0] == Unanswered(reason=why)
