from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from protocols.ingredients import LONGEST_PLAN
from protocols.models import Completion, Nucleus, Sampling
from protocols.planning import (
    AllOf,
    Decompose,
    Decomposed,
    Lesson,
    MakePlan,
    PlanFailed,
    PlanMade,
    PlanRevised,
    PlanStep,
    RevisePlan,
)
from tests.actors.fakes import (
    GOAL,
    PLANNER_INSTRUCTIONS,
    SAMPLING,
    SETTING,
    UPDATE,
    Answering,
    Kitchens,
    Script,
    contents,
    converse,
)

STEPS = (PlanStep(number=1, text="take salt"), PlanStep(number=2, text="serve"))


def plan(answers: Sequence[str], request: Decompose) -> tuple[Decomposed | PlanFailed, Script]:
    model = Script({GOAL: answers})
    roles = Kitchens(Script({}), model)
    return converse(lambda: roles.planner.ask(request)), model


def test_a_decomposition_is_answered_with_the_steps_and_their_logic() -> None:
    text = "Step 1: take salt\nStep 2: serve\nExecution Order: (Step 1 AND Step 2)"
    reply, _ = plan([text], Decompose(setting=SETTING, goal=GOAL))
    assert reply == Decomposed(plan=AllOf(parts=STEPS))


def test_the_prompt_is_the_instructions_and_then_the_task() -> None:
    _, model = plan(["Step 1: serve"], Decompose(setting=SETTING, goal=GOAL))
    assert [contents(prompt) for prompt in model.prompts] == [
        [f"system: {PLANNER_INSTRUCTIONS}", f"user: {SETTING}\n\nGoal: {GOAL}."]
    ]


def test_a_world_without_a_setting_is_asked_about_its_goal_alone() -> None:
    _, model = plan(["Step 1: serve"], Decompose(setting="", goal=GOAL))
    assert contents(model.prompts[0])[1] == f"user: Goal: {GOAL}."


def test_completions_are_drawn_as_configured() -> None:
    _, model = plan(["Step 1: serve"], Decompose(setting=SETTING, goal=GOAL))
    assert model.samplings == [Sampling(temperature=0.7, stop=("###",), form="plan")]


def test_empty_answer_is_an_outcome_not_an_exception() -> None:
    reply, _ = plan([""], Decompose(setting=SETTING, goal=GOAL))
    assert reply == PlanFailed(reason="the plan has no step")


def test_a_plan_keeps_the_printed_order() -> None:
    roles = Kitchens(Script({}), Script({GOAL: ["Step 1: take salt\nStep 2: serve"]}))
    reply = converse(lambda: roles.planner.ask(MakePlan(setting=SETTING, goal=GOAL)))
    assert reply == PlanMade(steps=STEPS)


def revise(answer: str | Completion, request: RevisePlan) -> tuple[PlanRevised | PlanFailed, Answering]:
    model = Answering(lambda _said: answer)
    roles = Kitchens(Script({}), model)
    return converse(lambda: roles.planner.ask(request)), model


LESSONS = (
    Lesson(opening="Job A.", succeeded=True, summary="It was served.", flaws="None.", revision="Keep it."),
    Lesson(opening="Job B.", succeeded=False, summary="It was burnt."),
)


def test_a_plan_is_rewritten_in_the_light_of_every_job_in_the_batch_s_order() -> None:
    reply, model = revise("Plan:\n1. Serve.", RevisePlan(plan="1. Burn.", lessons=LESSONS))
    assert reply == PlanRevised(text="1. Serve.")
    paragraphs = [
        "Current plan:",
        "1. Burn.",
        "Job 1",
        "Job A.",
        "Result: The job succeeded.",
        "Summary: It was served.",
        "Flaws: None.",
        "Suggested revision: Keep it.",
        "Job 2",
        "Job B.",
        "Result: The job failed.",
        "Summary: It was burnt.",
        UPDATE,
    ]
    assert [contents(prompt) for prompt in model.prompts] == [
        [f"system: {PLANNER_INSTRUCTIONS}", "user: " + "\n\n".join(paragraphs)]
    ]


def test_a_planner_without_a_plan_is_told_so() -> None:
    _, model = revise("1. Serve.", RevisePlan(plan="", lessons=LESSONS[1:]))
    assert contents(model.prompts[0])[1].startswith("user: Current plan:\n\n(none yet)\n\nJob 1\n\nJob B.")


def test_a_request_may_vary_how_a_plan_is_drawn() -> None:
    _, model = revise("1. Serve.", RevisePlan(plan="", lessons=LESSONS, drawn=Nucleus(temperature=1.0, top_p=0.9)))
    assert model.samplings == [Sampling(temperature=1.0, top_p=0.9, stop=SAMPLING.stop, form="task_plan")]
    _, model = revise("1. Serve.", RevisePlan(plan="", lessons=LESSONS))
    assert model.samplings == [replace(SAMPLING, form="task_plan")]


@pytest.mark.parametrize("answer", ["", "Plan:\n\n", "<think>What should it be", "```\n```"])
def test_no_plan_at_all_is_an_outcome(answer: str) -> None:
    assert revise(answer, RevisePlan(plan="1. Burn.", lessons=LESSONS))[0] == PlanFailed(
        reason="the model wrote no plan"
    )


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_plan_that_was_cut_off_is_none(finish: str) -> None:
    answer = Completion(text="Plan:\n1. Serve", finish="length" if finish == "length" else "content_filter")
    failed, _ = revise(answer, RevisePlan(plan="1. Burn.", lessons=LESSONS))
    assert failed == PlanFailed(reason=f"the model did not finish the plan ({finish})")


def test_a_plan_is_no_longer_than_one_from_a_file_may_be() -> None:
    longest = "ä" * (LONGEST_PLAN // 2)
    request = RevisePlan(plan="1. Burn.", lessons=LESSONS)
    assert revise(f"Plan:\n{longest}\n", request)[0] == PlanRevised(text=longest)
    assert revise(f"Plan:\n{longest}.", request)[0] == PlanFailed(
        reason="the plan is too long: expected at most 65,536 bytes, got 65,537"
    )
