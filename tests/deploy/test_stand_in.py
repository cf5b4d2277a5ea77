"""The stand-in through the whole system, in every world with an expert.

How well a method does with a model that slips is measured, not required, so no test says so.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.cli import main
from quintet.environments.textcraft.state import TextCraftState
from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.plugins.catalogue import world
from quintet.runtime.spec import seeded_task

TASKS = {"textcraft": 8, "alfworld": 6, "hotpotqa": 6, "webshop": 6}


def ends(method: str, environment: str, options: Mapping[str, Any], /, **config: Any) -> Mapping[str, EpisodeEnded]:
    settings = {"method": config, "model": options}
    found = evaluate(method, environment, model="sim-fallible", tasks=TASKS[environment], settings=settings)
    assert {end.state for end in found} <= {"solved", "unsolved"}
    return {end.path: end for end in found}


@cache
def without_slips(method: str, environment: str) -> Mapping[str, EpisodeEnded]:
    return ends(method, environment, {"error_rate": 0.0})


@pytest.mark.parametrize("environment", TASKS)
@pytest.mark.parametrize("method", ["react", "adapt"])
def test_without_slips_every_task_is_solved(method: str, environment: str) -> None:
    rewards = {end.reward for end in without_slips(method, environment).values()}
    assert rewards == {1.0} or (environment == "webshop" and min(rewards) > 0.5), "the best purchase that is known"


@pytest.mark.parametrize(
    "method", ["devils_advocate", "lats", "ldm2", "autoplan", "plan_execute", "plan_act", "adaplanner"]
)
def test_trees_memories_trials_and_plans_know_where_they_are(method: str) -> None:
    assert {end.reward for end in without_slips(method, "textcraft").values()} == {1.0}


@pytest.mark.parametrize("method", ["plan_act", "adapt(devils_advocate)", "adaplanner", "adapt(adaplanner)"])
def test_an_answer_that_is_asked_for_apart_is_the_experts_and_a_part_of_a_task_gives_it_by_an_action(
    method: str,
) -> None:
    assert {end.reward for end in without_slips(method, "hotpotqa").values()} == {1.0}


@pytest.mark.parametrize("draw", ["goal", "thing"])
def test_without_recursion_adapt_is_react_at_the_same_budget(draw: str) -> None:
    # No answer depends on the method that asks: the same words are answered alike.
    options = {"error_rate": 0.1, "draw": draw}
    adapt = ends("adapt", "textcraft", options, hand_on="nothing", max_depth=1)
    assert adapt == ends("react", "textcraft", options, max_steps=20)
    assert {end.reward for end in adapt.values()} == {0.0, 1.0}


def test_a_plan_that_names_the_right_actions_turns_slips_off(tmp_path: Path) -> None:
    plan = tmp_path / "plan.md"
    plan.write_text("\n".join(way_of("beehive")), encoding="utf-8")

    def reward(**method: Any) -> float:
        options = {"method": {"max_steps": 20, **method}, "model": {"error_rate": 1.0}}
        (end,) = evaluate("react", "textcraft", model="sim-fallible", tasks=["beehive"], settings=options)
        return end.reward

    assert reward() == 0.0
    assert reward(plan=str(plan)) == 1.0


def way_of(task: str) -> tuple[str, ...]:
    state = world("textcraft").open(seeded_task(0, task, 0))
    return state.expert() or ()


def test_a_world_without_an_expert_has_no_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def knows_nothing(_state: TextCraftState) -> None:
        return None

    monkeypatch.setattr(TextCraftState, "expert", knows_nothing)
    with pytest.raises(UsageError, match=r"sim-strong \(simulated\): expected a world with an expert"):
        evaluate("react", "textcraft", model="sim-strong", tasks=1)


def test_an_unknown_draw_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "react", "textcraft", "--model", "sim-weak", "--set", "model.draw=words"]) == 2
    assert "draw" in capsys.readouterr().err
