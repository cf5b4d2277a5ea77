"""Methods within each other: what they are asked, where their trials begin, and which sessions they leave open."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from quintet.messages.environment import Open, Snapshot
from quintet.messages.execution import Decide, Execute
from quintet.messages.memory import Classified, Classify, Recall, TuplesRecalled
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.parts import History, Inventory, LastAction, Recollection, Reflections, TaskPlan
from quintet.messages.reflection import LookBack
from quintet.messages.solving import Solve, Solved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.adapt.config import AdaptConfig
from quintet.methods.base.method import Method
from quintet.methods.lats.config import LatsConfig
from quintet.methods.lats.lats import Lats
from quintet.methods.plan_execute.config import PlanExecuteConfig
from quintet.methods.plan_execute.plan_execute import PlanExecute
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.methods.reflexion.config import ReflexionConfig
from quintet.methods.reflexion.reflexion import Reflexion
from quintet.methods.try_again.config import TryAgainConfig
from quintet.methods.try_again.try_again import TryAgain
from tests.actors.fakes import GOAL, Answering, Kitchens, Script
from tests.actors.methods.adapt.test_adapt import FAILS, WORKS, plan
from tests.actors.search.kitchen import Cook, Taster

REACT = React(ReactConfig(max_steps=20))
REFLEXION = Reflexion(ReflexionConfig(trials=2), REACT)


def kitchens(acting: Mapping[str, Sequence[str]], plans: Mapping[str, str] | None = None) -> Kitchens:
    planning = Script({goal: [text, text] for goal, text in (plans or {}).items()})
    return Kitchens(Script(acting), planning, reflecting=Answering(lambda _prompt: "Reflection: Salt."))


def adapt(inner: Method[Any], **options: Any) -> Adapt:
    return Adapt(AdaptConfig.model_validate({"max_depth": 2, **options}), inner)


@pytest.mark.parametrize("rollback", [False, True])
def test_trials_at_a_part_of_a_task_begin_where_the_part_does_and_end_when_one_says_it_is_solved(
    rollback: bool,
) -> None:
    acting = {
        GOAL: [*FAILS, *FAILS],
        "a": ["Action: take salt", *WORKS],
        "b": ["Action: take oil", *FAILS, "Action: inventory", *WORKS],
    }
    roles = kitchens(acting, {GOAL: plan("Step 1 AND Step 2", "a", "b")})
    answer = roles.solve(adapt(REFLEXION, rollback=rollback))
    assert isinstance(answer, Solved)
    assert [turn.observation for turn in answer.turns] == ["You take salt.", "You carry: salt"]
    assert [asked.goal for asked in roles.requests(Execute)] == [GOAL, GOAL, "a", "b", "b"]
    assert [asked.goal for asked in roles.requests(LookBack)] == [GOAL, "b"]
    assert roles.actor.sessions == 1


def test_a_full_reward_is_success_at_a_part_of_a_task_too_and_no_reward_is_no_failure() -> None:
    roles = kitchens({GOAL: [*FAILS, *FAILS], "a": ["Action: serve", *FAILS]}, {GOAL: plan("Step 1", "a")})
    answer = roles.solve(adapt(TryAgain(TryAgainConfig(trials=2), REACT), rollback=False))
    assert (answer.reward, answer.done, answer.depth) == (1.0, True, 2)
    assert [asked.subgoal for asked in roles.requests(Solve) if asked.goal == "a"] == [True, True, True]


def test_every_level_has_a_depth_of_its_own() -> None:
    acting = {GOAL: FAILS, "a": FAILS, "b": WORKS}
    plans = {GOAL: plan("Step 1", "a"), "a": plan("Step 1", "b")}
    roles = kitchens(acting, plans)
    answer = roles.solve(PlanExecute(PlanExecuteConfig(rollback=False), adapt(REACT, rollback=False)))
    assert isinstance(answer, Solved)
    assert answer.depth == 2
    asked = [(asked.goal, asked.by, asked.depth) for asked in roles.requests(Solve)]
    assert asked == [("", "", 1), ("a", "adapt", 1), ("a", "react", 1), ("b", "adapt", 2), ("b", "react", 1)]


def test_what_an_outer_method_shows_reaches_the_executor_after_its_demonstrations() -> None:
    roles = kitchens({GOAL: [*FAILS, "Action: take salt", *FAILS]})
    inner = adapt(REACT, max_depth=1, hand_on="inventory")
    roles.solve(Reflexion(ReflexionConfig(trials=2), inner), (TaskPlan(text="1."),))
    shown = [asked.parts[1:] for asked in roles.requests(Execute)]
    carried = Inventory(text="You carry: nothing")
    assert shown == [(TaskPlan(text="1."), carried), (TaskPlan(text="1."), Reflections(texts=("Salt.",)), carried)]


def test_what_is_handed_on_anew_replaces_what_was_handed_on_before() -> None:
    acting = {GOAL: FAILS, "a": ["Action: take salt", *WORKS], "b": FAILS, "c": WORKS}
    plans = {GOAL: plan("Step 1 AND Step 2", "a", "b"), "b": plan("Step 1", "c")}
    roles = kitchens(acting, plans)
    inner = PlanExecute(PlanExecuteConfig(rollback=False, hand_on="last_action"), REACT)
    outer = Adapt(AdaptConfig(max_depth=1, rollback=False, hand_on="last_action"), inner)
    roles.solve(outer)
    handed = [[part for part in asked.parts if isinstance(part, LastAction)] for asked in roles.requests(Execute)]
    assert max(len(parts) for parts in handed) == 1


@pytest.mark.parametrize("workers", [1, 3])
def test_a_roll_out_is_an_attempt_from_the_leaf_that_stays_in_the_tree(workers: int) -> None:
    menu = {
        "": ["wait", "taste", "take salt"],
        "take salt": ["serve"],
        "serve": ["Action: task completed"],
        "wait": ["wait"],
    }
    roles = Kitchens(Cook(menu), reflecting=Taster({"wait": "Mark: 2", "taste": "Mark: 9"}))
    options = {"candidates": 2, "depth": 6, "workers": workers, "order": "rounds"}
    answer = roles.solve(Lats(LatsConfig.model_validate(options), REACT))
    assert isinstance(answer, Solved)
    assert [turn.completion.rpartition(": ")[2] for turn in answer.turns] == ["taste", "take salt", "serve"]
    histories = [part.texts for asked in roles.requests(Execute) for part in asked.parts if isinstance(part, History)]
    assert ("taste: Not bad.",) in histories
    assert all(asked.phase == "candidates" for asked in roles.requests(Decide))
    assert roles.actor.sessions == 1


@pytest.mark.parametrize("order", ["ends", "rounds"])
def test_what_workers_leave_undone_inside_an_inner_method_is_closed(order: str) -> None:
    acting = Cook({"": ["wait", "taste"], "wait": ["wait"], "taste": ["serve"], "serve": ["Action: task completed"]})
    roles = Kitchens(acting, reflecting=Taster({"wait": "Mark: 9", "taste": "Mark: 2"}))
    options = {"candidates": 2, "depth": 6, "workers": 3, "order": order}
    roles.solve(Lats(LatsConfig.model_validate(options), REFLEXION))
    assert roles.requests(Snapshot)
    assert roles.actor.sessions == 1


def test_trials_of_trials_begin_in_the_session_that_each_was_given() -> None:
    acting = {GOAL: ["Action: take salt", *FAILS] * 4}
    roles = kitchens(acting)
    roles.solve(TryAgain(TryAgainConfig(trials=2), REFLEXION))
    opened = [asked.snapshot is None for asked in roles.requests(Open)]
    assert opened == [True, False, True, False]
    assert roles.actor.sessions == 1


class Remembering(Kitchens):
    """A kitchen whose memory knows the type of every goal, and has nothing to recall."""

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        asked: Request[Any] = request
        reply: Message
        if isinstance(asked, Classify):
            reply = Classified(goal_type=len(asked.goal))
        elif isinstance(asked, Recall):
            reply = TuplesRecalled(goal_type=asked.goal_type, tuples=())
        else:
            return await super().ask(request)
        self.asked.append(request)
        return cast("ReplyT", reply)


def test_the_type_of_a_goal_is_asked_for_once_however_many_methods_pursue_it() -> None:
    roles = Remembering(Script({GOAL: FAILS * 2, "a": WORKS}), Script({GOAL: [plan("Step 1", "a")]}))
    roles.solve(adapt(TryAgain(TryAgainConfig(trials=2), REACT), rollback=False), (Recollection(version=1, batches=1),))
    assert [asked.goal for asked in roles.requests(Classify)] == [GOAL, "a"]
    assert [(asked.goal, asked.goal_type) for asked in roles.requests(Recall)] == [(GOAL, len(GOAL))] * 2 + [("a", 1)]
