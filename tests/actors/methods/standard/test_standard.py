import re

import pytest

from quintet.messages.execution import Execute
from quintet.messages.parts import Demonstrations, TaskPlan
from quintet.messages.solving import Solved
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.methods.standard.standard import Standard
from quintet.plugins.prompts import find_prompts
from tests.actors.fakes import GOAL, Kitchens, Script, contents

EXAMPLE = "Goal: take salt.\nThought: Salt is near.\nAction: take salt\nObservation: You take salt."


def test_the_executor_acts_without_thoughts_after_examples_without_thoughts() -> None:
    model = Script({GOAL: ["Action: serve", "Action: task completed"]})
    roles = Kitchens(model)
    solved = roles.solve(
        Standard(ReactConfig(max_steps=9, patience=2)),
        given=(TaskPlan(text="Thought: no example."),),
        shown=(Demonstrations(text=EXAMPLE),),
    )
    assert isinstance(solved, Solved)
    assert [(asked.max_calls, asked.patience, asked.thoughts) for asked in roles.requests(Execute)] == [(9, 2, False)]
    shown = contents(model.prompts[0])[0]
    assert "Goal: take salt.\nAction: take salt\nObservation: You take salt." in shown
    assert "Thought: no example." in shown
    assert "Salt is near" not in shown


def test_all_but_the_thoughts_is_reacts() -> None:
    assert Standard.worlds == React.worlds
    assert Standard.options is ReactConfig
    config = ReactConfig(demonstrations="task")
    assert Standard(config).demonstrations({"task type": "heat"}) == ("heat-1", "heat-2")


@pytest.mark.parametrize("world", Standard.worlds)
def test_its_instructions_are_reacts_but_for_the_form_and_ask_for_no_thought(world: str) -> None:
    ours, reacts = (find_prompts(method, world).text("execute") for method in (Standard, React))
    forms = re.compile(r"Write each answer as .*?Action: one action\n", re.DOTALL)
    assert forms.sub("", ours) == forms.sub("", reacts)
    assert "hought" not in ours
