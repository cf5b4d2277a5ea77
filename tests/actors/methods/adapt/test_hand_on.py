"""What ADaPT hands on in a shop: the open page and the product to everyone, what failed to the planner alone."""

import pytest
from pydantic import ValidationError

from quintet.messages.execution import Execute
from quintet.messages.parts import OpenPage
from quintet.messages.planning import Decompose
from quintet.messages.solving import Solved
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.plan_execute.config import PlanExecuteConfig
from quintet.ports.world import Outcome
from tests.actors.fakes import GOAL, SETTING, Kitchen, KitchenState
from tests.actors.methods.adapt.test_adapt import FAILS, Play, plan

RESULTS = "[Back to Search]\n[B0TEA5N3HC]\nTea"
ITEM = "[< Prev]\nTea\n[Buy Now]"
PAGES = {"search[tea]": RESULTS, "search[oil]": "[Back to Search]\n[Next >]", "click[b0tea5n3hc]": ITEM}
DONE = "Action: task completed"


def _step(state: KitchenState, action: str) -> Outcome:
    answer = PAGES.get(action, "You have clicked red." if action == "click[red]" else "Invalid action!")
    return Outcome(observation=answer, reward=0.0, done=False, rejected=answer == "Invalid action!")


@pytest.fixture(autouse=True)
def _shop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KitchenState, "step", _step)
    monkeypatch.setattr(Kitchen, "opens_on_page", True)


def pages(play: Play) -> dict[str, list[tuple[str, str]]]:
    """The pages and products that the executor was shown, by goal."""
    return {
        request.goal: [(part.text, part.product) for part in request.parts if isinstance(part, OpenPage)]
        for request in play.roles.requests(Execute)
    }


def test_a_step_sees_the_page_that_those_before_it_left_open_and_the_product_that_they_opened() -> None:
    acting = {
        GOAL: FAILS,
        "find": ["Action: search[tea]", DONE],
        "open": ["Action: click[b0tea5n3hc]", "Action: click[red]", "Action: click[blue]", DONE],
        "buy": [DONE],
    }
    play = Play(
        acting, {GOAL: plan("(Step 1 AND Step 2 AND Step 3)", "find", "open", "buy")}, hand_on="page", rollback=True
    )
    assert isinstance(play.answer, Solved)
    assert pages(play) == {GOAL: [], "find": [], "open": [(RESULTS, "")], "buy": [(ITEM, "B0TEA5N3HC")]}


@pytest.mark.parametrize("hand_on", ["page", "last_action"])
def test_the_page_that_the_task_opened_on_is_shown_until_a_later_one_is_handed_on(hand_on: str) -> None:
    acting = {GOAL: FAILS, "find": ["Action: search[tea]", DONE], "open": FAILS}
    plans = {GOAL: plan("(Step 1 AND Step 2)", "find", "open"), "open": "No."}
    play = Play(acting, plans, hand_on=hand_on, rollback=True)
    executed = {request.goal: request.setting for request in play.roles.requests(Execute)}
    assert executed == {GOAL: SETTING, "find": SETTING, "open": ""}
    shown = [prompt.messages()[1].content for prompt in play.planning.prompts]
    assert [(SETTING in text, RESULTS in text) for text in shown] == [(True, False), (False, True), (False, True)]


def test_a_new_search_forgets_the_product() -> None:
    acting = {
        GOAL: FAILS,
        "open": ["Action: click[b0tea5n3hc]", DONE],
        "find": ["Action: search[oil]", DONE],
        "buy": [DONE],
    }
    play = Play(
        acting, {GOAL: plan("(Step 1 AND Step 2 AND Step 3)", "open", "find", "buy")}, hand_on="page", rollback=True
    )
    assert pages(play)["buy"] == [(PAGES["search[oil]"], "")]


def test_the_planner_is_shown_the_page_and_what_was_tried_without_success() -> None:
    acting = {
        GOAL: FAILS,
        "find": ["Action: search[tea]", DONE],
        "match": ["Action: click[b0tea5n3hc]", "Action: task failed"],
        "list": FAILS,
        "last": [DONE],
    }
    plans = {GOAL: plan("(Step 1 AND (Step 2 OR Step 3))", "find", "match", "list"), "list": plan("Step 1", "last")}
    play = Play(acting, {**plans, "match": "No."}, hand_on="page", rollback=True)
    asked = {request.goal: request for request in play.roles.requests(Decompose)}
    assert {goal: (request.parts, request.failed) for goal, request in asked.items()} == {
        GOAL: ((), (GOAL,)),
        "match": ((OpenPage(text=RESULTS),), (GOAL, "match")),
        "list": ((OpenPage(text=RESULTS),), (GOAL, "match", "list")),
    }
    shown = play.planning.prompts[-1].messages()[-1].content
    assert f"The page that is open now:\n{RESULTS}" in shown
    assert shown.endswith(f"These were tried without success:\n- {GOAL}\n- match\n- list")


def test_a_page_is_handed_on_only_where_failures_are_taken_back() -> None:
    for options in (AdaptConfig, PlanExecuteConfig):
        with pytest.raises(ValidationError, match="expected rollback = true with it, got false"):
            options.model_validate({"hand_on": "page", "rollback": False})


@pytest.mark.parametrize(("depth", "goals"), [(2, ["a"]), (1, [GOAL])])
def test_planned_first_the_task_itself_is_not_attempted_unless_it_may_not_be_decomposed(
    depth: int, goals: list[str]
) -> None:
    play = Play({GOAL: FAILS, "a": [DONE]}, {GOAL: plan("Step 1", "a")}, plan_first=True, max_depth=depth)
    assert (play.goals, [request.failed for request in play.roles.requests(Decompose)]) == (goals, [()] * (depth - 1))
