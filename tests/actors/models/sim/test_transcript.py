import pytest

from quintet.messages.prompts import system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.transcript import goals_in, plan_in, plan_steps, step_about, without_opening

PLAN = "1. Go.\n2) Come back: go to <place>."


@pytest.mark.parametrize("heading", ["A plan for tasks of this kind:", "The plan that was followed:", "Plan:"])
def test_a_plan_stands_under_a_heading_that_calls_it_one(heading: str) -> None:
    assert plan_in((system(f"Do this.\n\n{heading}\n\n{PLAN}\n"), user("Goal: x."))) == PLAN


@pytest.mark.parametrize("text", ["", "Keep to the plan.", "A plan: go.", "You plan for an agent.\n\nSteps:\n\n1. Go."])
def test_without_a_heading_there_is_none(text: str) -> None:
    assert plan_in((system(text), user(f"Plan:\n\n{PLAN}"))) == ""


@pytest.mark.parametrize("world", ["alfworld", "textcraft"])
def test_no_prompt_of_ours_is_taken_for_a_plan(world: str) -> None:
    for folders in (React.prompt_folders, Adapt.prompt_folders, AutoPlan.prompt_folders):
        prompts = Prompts(folders, world)
        assert not any(plan_in((system(prompts.text(name)),)) for name in prompts.names)


def test_steps_are_numbered_lines() -> None:
    assert plan_steps(f"First:\n{PLAN}\nEnd.") == ((1, "Go."), (2, "Come back: go to <place>."))
    assert plan_steps("") == ()


def test_a_step_of_a_plan_is_found_by_its_subject() -> None:
    assert [step_about(PLAN, subject) for subject in (r"\bgo\b", "back", "(?!)")] == [1, 2, None]


def test_goals_are_read_a_line_each_without_final_dots() -> None:
    assert goals_in("Goal: craft a stick.\nGoal : find a cup\nno goal: here") == ["craft a stick", "find a cup"]


@pytest.mark.parametrize(
    "said", ["click it", "I click it", "I will click it", "Let me click it", "now I want to click it"]
)
def test_an_action_is_read_without_the_words_before_it(said: str) -> None:
    assert without_opening(said) == "click it"
