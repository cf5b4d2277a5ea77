from collections.abc import Sequence

from protocols.models import Sampling
from protocols.planning import AllOf, Decompose, Decomposed, MakePlan, PlanFailed, PlanMade, PlanStep
from tests.actors.fakes import GOAL, PLANNER_INSTRUCTIONS, SETTING, Kitchens, Script, contents, converse

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
    assert model.samplings == [Sampling(temperature=0.7, stop=("###",))]


def test_empty_answer_is_an_outcome_not_an_exception() -> None:
    reply, _ = plan([""], Decompose(setting=SETTING, goal=GOAL))
    assert reply == PlanFailed(reason="the plan has no step")


def test_a_plan_keeps_the_printed_order() -> None:
    roles = Kitchens(Script({}), Script({GOAL: ["Step 1: take salt\nStep 2: serve"]}))
    reply = converse(lambda: roles.planner.ask(MakePlan(setting=SETTING, goal=GOAL)))
    assert reply == PlanMade(steps=STEPS)
