import pytest

from quintet.messages.environment import Step
from quintet.messages.execution import Act, Claim, Execute
from quintet.messages.parts import Demonstrations
from quintet.messages.planning import Decompose
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.methods.standard.standard import Standard
from quintet.parsing.decisions import read_decision
from quintet.plugins.prompts import find_prompts
from tests.actors.fakes import DEMONSTRATIONS, GOAL, INSTRUCTIONS, SETTING, Kitchens, Script, contents
from tests.actors.methods.over_react import ADAPTS, as_in


def test_the_executor_is_asked_once_with_the_whole_budget() -> None:
    roles = Kitchens(Script({GOAL: ["Action: take salt", "Action: serve", "Action: task completed"]}))
    solved = roles.solve(React(ReactConfig(max_steps=9, patience=2)))
    assert isinstance(solved, Solved)
    assert (solved.reward, solved.done, solved.claimed, solved.depth) == (1.0, True, True, 1)
    assert [(asked.max_calls, asked.patience) for asked in roles.requests(Execute)] == [(9, 2)]
    assert roles.requests(Decompose) == []


def test_giving_up_names_the_reason_and_keeps_the_reward() -> None:
    roles = Kitchens(Script({GOAL: ["Action: taste", "Action: fly", "Action: fly"]}))
    unsolved = roles.solve(React(ReactConfig(patience=2)))
    assert isinstance(unsolved, Unsolved)
    assert (unsolved.reward, unsolved.reason, unsolved.claimed) == (0.5, "too many rejected actions in a row", None)


def test_the_model_sees_demonstrations_and_task_and_no_inventory() -> None:
    model = Script({GOAL: ["Action: task failed"]})
    roles = Kitchens(model)
    roles.solve(React(ReactConfig()))
    opening = [f"system: {INSTRUCTIONS}\n\n{DEMONSTRATIONS}", f"user: {SETTING}\n\nGoal: {GOAL}."]
    assert contents(model.prompts[0]) == opening
    assert roles.requests(Step) == []


def test_the_default_budget_is_adapt_s_depth_times_its_executor_s_budget_in_every_world_of_its_paper() -> None:
    for world in ADAPTS:
        values, adapt = React.worlds[world], as_in(Adapt, world)
        assert adapt.inner is not None
        assert values["max_steps"] == adapt.config.max_depth * adapt.inner.config.max_steps


@pytest.mark.parametrize(
    ("world", "name"), [("textcraft", "demonstrations"), ("alfworld", "skills"), ("hotpotqa", "skills")]
)
def test_the_demonstrations_are_in_the_form_that_is_asked_for(world: str, name: str) -> None:
    text = find_prompts(React, world).text(name)
    turns = ["Thought:" + rest for rest in text.split("Thought:")[1:]]
    read = [read_decision(turn) for turn in turns]
    assert all(isinstance(decision, Act | Claim) and decision.thought for decision in read)
    assert [turn.count("Action:") for turn in turns] == [1] * len(turns)
    claims = [decision.completed for decision in read if isinstance(decision, Claim)]
    assert sorted(set(claims)) == [False, True]


def test_one_that_may_not_claim_is_offered_no_claim_shown_none_and_asked_for_none() -> None:
    example = "Goal: take salt.\nThought: Salt!\nAction: take salt\nObservation: You take salt."
    claiming = Demonstrations(text=f"{example}\nThought: I have it.\nAction: task completed")
    for method in (React, Standard):
        model = Script({GOAL: ["Action: serve"]})
        roles = Kitchens(model)
        solved = roles.solve(method(ReactConfig(claims=False)), shown=(claiming,))
        assert isinstance(solved, Solved)
        assert (solved.claimed, len(model.prompts)) == (None, 1)
        assert "task completed" not in contents(model.prompts[0])[0]


@pytest.mark.parametrize("world", React.worlds)
@pytest.mark.parametrize("method", [React, Standard])
def test_the_claims_are_left_out_of_the_instructions(method: type[React], world: str) -> None:
    offered = find_prompts(method, world).text("execute")
    left = method(ReactConfig(claims=False)).reword(offered)
    assert "task completed" not in left
    assert "task failed" not in left
    assert len(offered.splitlines()) - len(left.splitlines()) == 2
    assert method(ReactConfig()).reword(offered) == offered
