from collections.abc import Sequence

import pytest

from quintet.messages.message import Unanswered
from quintet.messages.parts import LONGEST_PLAN, History, Notes
from quintet.messages.planning import (
    AllOf,
    AnyOf,
    Decompose,
    Decomposed,
    Lesson,
    MakePlan,
    PlanMade,
    PlanRevised,
    PlanStep,
    RevisePlan,
)
from quintet.ports.model import Completion, Finish, Sampling, SamplingOverride
from quintet.questions.shape import SHAPES
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


PRINTED = "Step 1: take salt\nStep 2: serve\n"


def plan(answers: Sequence[str | Completion], request: Decompose) -> tuple[Decomposed | Unanswered, Script]:
    model = Script({GOAL: answers})
    roles = Kitchens(Script({}), model)
    return converse(lambda: roles.ask(request)), model


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
    assert model.samplings == [Sampling(temperature=0.7, stop=("###",))]


def test_empty_answer_is_an_outcome_not_an_exception() -> None:
    reply, _ = plan(["", ""], Decompose(setting=SETTING, goal=GOAL))
    assert reply == Unanswered(reason="the plan has no step")


@pytest.mark.parametrize(
    ("first", "reminder"),
    [
        ("I would take salt.", "I cannot go by that: the plan has no step. "),
        ("<think>Salt? Pepper?</think>", "I cannot go by that: the plan has no step. "),
        (f"{PRINTED}Execution Order: Step 1 OR Step 9", "I cannot go by that: the execution order cannot be read: "),
        (f"{PRINTED}Execution Order: as usual", "I cannot go by that: expected a step, AND, OR or a bracket, got "),
        (PRINTED, "I cannot go by that: no execution order. "),
        (Completion(text=PRINTED, finish="length"), "Your answer was cut off before its plan. "),
    ],
)
def test_an_unreadable_plan_is_asked_for_once_more_with_its_form(first: str | Completion, reminder: str) -> None:
    reply, model = plan([first, f"{PRINTED}Execution Order: (Step 1 OR Step 2)"], Decompose(setting=SETTING, goal=GOAL))
    assert reply == Decomposed(plan=AnyOf(parts=STEPS))
    asked, again = map(contents, model.prompts)
    assert again[:2] == asked
    assert "<think>" not in again[2]
    assert again[3].startswith(f"user: {reminder}")
    assert again[3].endswith(SHAPES["plan"].example(structured=False))


def test_a_plan_is_asked_for_twice_at_most_and_the_better_answer_counts() -> None:
    reply, _ = plan([PRINTED, "I do not know."], Decompose(setting=SETTING, goal=GOAL))
    assert reply == Decomposed(plan=AllOf(parts=STEPS), fallback="no execution order")
    reply, _ = plan(["No.", PRINTED], Decompose(setting=SETTING, goal=GOAL))
    assert reply == Decomposed(plan=AllOf(parts=STEPS), fallback="no execution order")


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("refusal", "the model refused to write the plan"),
        ("content_filter", "the model was stopped by a content filter at the plan"),
        ("tool_calls", "the model called tools instead of writing the plan"),
        ("empty", "the model gave an empty answer in place of the plan"),
        ("not_text", "the model answered with something else than text in place of the plan"),
        ("context_full", "the model has no room for the prompt of the plan (context full)"),
    ],
)
def test_a_completion_that_holds_no_answer_is_no_plan_and_says_why(finish: Finish, reason: str) -> None:
    answer = Completion(text=f"{PRINTED}Execution Order: (Step 1 AND Step 2)\n", finish=finish)
    assert plan([answer], Decompose(setting=SETTING, goal=GOAL))[0] == Unanswered(reason=reason)
    roles = Kitchens(Script({}), Script({GOAL: [answer]}))
    assert converse(lambda: roles.ask(MakePlan(setting=SETTING, goal=GOAL))) == Unanswered(reason=reason)
    assert revise(answer, RevisePlan(plan="1. Burn.", lessons=LESSONS))[0] == Unanswered(reason=reason)


def test_a_plan_that_was_cut_off_twice_is_none() -> None:
    cut = Completion(text=f"{PRINTED}Execution Order: (Step 1 AND Step 2", finish="length")
    reply, _ = plan([cut, cut], Decompose(setting=SETTING, goal=GOAL))
    assert reply == Unanswered(reason="the model was cut off before the plan was whole")


def make(request: MakePlan, *texts: str, structured: bool = False) -> tuple[PlanMade | Unanswered, Answering]:
    left = [*texts]
    model = Answering(lambda _said: left.pop(0))
    roles = Kitchens(Script({}), model, structured=structured)
    return converse(lambda: roles.ask(request)), model


MAKE = MakePlan(setting=SETTING, goal=GOAL)


@pytest.mark.parametrize("answer", ["Step 1: take salt\nStep 2: serve", "List\n1. take salt\n2. serve"])
def test_a_plan_keeps_the_printed_order(answer: str) -> None:
    reply, model = make(MAKE, answer)
    assert reply == PlanMade(steps=STEPS)
    assert contents(model.prompts[0]) == [f"system: {PLANNER_INSTRUCTIONS}", f"user: {SETTING}\n\nGoal: {GOAL}."]


def test_a_planner_sees_the_plan_that_failed_and_what_was_done_under_it() -> None:
    parts = (History(texts=("The action is to burn it.",)), Notes(texts=("salt is in the jar",)))
    _, model = make(MakePlan(setting=SETTING, goal=GOAL, parts=parts, failed=("burn", "serve")), "List\n1. serve")
    assert contents(model.prompts[0])[1] == (
        f"user: {SETTING}\n\nWhat was done so far:\n- The action is to burn it.\n\nNotes that were taken:\n"
        f"- salt is in the jar\n\nGoal: {GOAL}.\n\nThis plan for the goal has failed:\n1. burn\n2. serve\n"
        "Make another plan."
    )


def test_an_unreadable_list_is_asked_for_once_more_with_its_form_and_then_a_failure() -> None:
    reply, model = make(MAKE, "I would take salt.", "List\n1. take salt\n2. serve")
    assert reply == PlanMade(steps=STEPS)
    form = SHAPES["steps"].example(structured=False)
    assert contents(model.prompts[1])[-1] == (
        f"user: I cannot go by that: the plan has no step. Please answer in this form:\n\n{form}"
    )
    assert make(MAKE, "Salt.", "List")[0] == Unanswered(reason="the plan has no step")


def test_a_list_as_json_is_read_alike() -> None:
    assert make(MAKE, '{"steps": ["take salt", "serve"]}', structured=True)[0] == PlanMade(steps=STEPS)


def revise(answer: str | Completion, request: RevisePlan) -> tuple[PlanRevised | Unanswered, Answering]:
    model = Answering(lambda _said: answer)
    roles = Kitchens(Script({}), model)
    return converse(lambda: roles.ask(request)), model


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


def test_a_planner_without_a_plan_reads_that_there_is_none() -> None:
    _, model = revise("1. Serve.", RevisePlan(plan="", lessons=LESSONS[1:]))
    assert contents(model.prompts[0])[1].startswith("user: Current plan:\n\n(none yet)\n\nJob 1\n\nJob B.")


def test_a_request_may_vary_how_a_plan_is_drawn() -> None:
    _, model = revise(
        "1. Serve.", RevisePlan(plan="", lessons=LESSONS, sampling=SamplingOverride(temperature=1.0, top_p=0.9))
    )
    assert model.samplings == [Sampling(temperature=1.0, top_p=0.9, stop=SAMPLING.stop)]
    _, model = revise("1. Serve.", RevisePlan(plan="", lessons=LESSONS))
    assert model.samplings == [SAMPLING]


@pytest.mark.parametrize("answer", ["", "Plan:\n\n", "<think>What should it be", "```\n```"])
def test_no_plan_at_all_is_an_outcome(answer: str) -> None:
    assert revise(answer, RevisePlan(plan="1. Burn.", lessons=LESSONS))[0] == Unanswered(
        reason="the model left out the plan"
    )


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_plan_that_was_cut_off_is_none(finish: str) -> None:
    answer = Completion(text="Plan:\n1. Serve", finish="length" if finish == "length" else "content_filter")
    failed, _ = revise(answer, RevisePlan(plan="1. Burn.", lessons=LESSONS))
    ended = (
        "was cut off before the plan was whole" if finish == "length" else "was stopped by a content filter at the plan"
    )
    assert failed == Unanswered(reason=f"the model {ended}")


def test_a_new_plan_is_asked_for_once_more() -> None:
    def answer(said: list[str]) -> Completion:
        return Completion(text="<think>1. Burn.</think>") if len(said) == 2 else Completion(text="Plan:\n1. Serve.")

    model = Answering(answer)
    request = RevisePlan(plan="1. Burn.", lessons=LESSONS)
    assert converse(lambda: Kitchens(Script({}), model).ask(request)) == PlanRevised(text="1. Serve.")
    asked, again = map(contents, model.prompts)
    assert again[:3] == [*asked, "assistant: (nothing)"]
    assert again[3].startswith("user: I found no plan in that. ")
    assert again[3].endswith("\n\nPlan:\nthe whole plan")


@pytest.mark.parametrize("answer", ["The plan stays as it is.", "Plan: unchanged", "No changes are needed."])
def test_a_plan_may_stay_as_it_is_where_there_is_one(answer: str) -> None:
    assert revise(answer, RevisePlan(plan="1. Burn.", lessons=LESSONS))[0] == PlanRevised(text="1. Burn.")
    failed, model = revise(answer, RevisePlan(plan="", lessons=LESSONS))
    assert failed == Unanswered(reason="the model left out the plan")
    assert len(model.prompts) == 2


def test_where_answers_are_json_the_form_that_is_shown_is_too() -> None:
    model = Answering(lambda _said: "")
    planner = Kitchens(Script({}), model, structured=True)
    converse(lambda: planner.ask(Decompose(setting=SETTING, goal=GOAL)))
    converse(lambda: planner.ask(RevisePlan(plan="", lessons=LESSONS)))
    _, steps, _, plan = (contents(prompt)[-1].partition("form:\n\n")[2] for prompt in model.prompts)
    assert steps.startswith('{"steps":["the first step","the second step"],"order":"')
    assert plan == '{"plan":"the whole plan"}'


def test_a_plan_is_no_longer_than_one_from_a_file_may_be() -> None:
    longest = "ä" * (LONGEST_PLAN // 2)
    request = RevisePlan(plan="1. Burn.", lessons=LESSONS)
    assert revise(f"Plan:\n{longest}\n", request)[0] == PlanRevised(text=longest)
    assert revise(f"Plan:\n{longest}.", request)[0] == Unanswered(
        reason="the plan is too long: expected at most 65,536 bytes, got 65,537"
    )
