"""The alternatives of an OR at once, each on a copy of the world: the first that is solved goes on."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.environment import CloseBranch, Fork
from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.config import AdaptConfig
from tests.actors.fakes import GOAL
from tests.actors.methods.adapt.test_adapt import FAILS, WORKS, Play, plan

ROLLBACK = pytest.mark.parametrize("rollback", [False, True])


def play(
    order: str, acting: Mapping[str, Sequence[str]], plans: Mapping[str, str] | None = None, **config: Any
) -> Play:
    """An episode whose executor fails at the goal, which is then decomposed by `order` into `a`, `b`, ..."""
    steps = [name for name in "abcdefgh" if f"Step {'abcdefgh'.index(name) + 1}" in order]
    acting = {GOAL: FAILS, **acting}
    options: dict[str, Any] = {"max_depth": 2, "or": "parallel", **config}
    return Play(acting, {GOAL: plan(order, *steps), **(plans or {})}, **options)


def turns(number: int, *last: str) -> list[str]:
    """So many actions, and then these answers."""
    return ["Action: wait"] * number + [*last]


def actions(played: Play) -> list[str]:
    """The actions that the answer says were taken."""
    return [turn.completion.rpartition("Action: ")[2] for turn in played.answer.turns]


@ROLLBACK
def test_the_first_that_is_solved_goes_on_and_the_others_are_stopped(rollback: bool) -> None:
    acting = {"a": turns(9, *WORKS), "b": ["Action: take oil", *WORKS], "c": turns(9, *WORKS)}
    played = play("Step 1 OR Step 2 OR Step 3", acting, rollback=rollback)
    assert isinstance(played.answer, Solved)
    assert (played.answer.claimed, played.answer.depth, actions(played)) == (True, 2, ["take oil"])
    assert played.goals == [GOAL, "a", "b", "c"]
    assert len(played.acting.prompts) < len([GOAL]) + 10 + 2 + 10
    assert played.roles.actor.sessions == 1


@ROLLBACK
def test_every_alternative_starts_from_the_same_point_and_the_winners_world_goes_on(rollback: bool) -> None:
    acting = {
        "a": ["Action: take salt", *WORKS],
        "b": ["Action: take rice", *turns(5, *WORKS)],
        "c": ["Action: take oil", *WORKS],
        "d": WORKS,
    }
    order = "Step 1 AND (Step 2 OR Step 3) AND Step 4"
    played = play(order, acting, rollback=rollback, hand_on="inventory")
    assert isinstance(played.answer, Solved)
    shown = [played.shown_before(goal) for goal in "bcd"]
    assert shown == ["You carry: salt", "You carry: salt", "You carry: salt, oil"]
    assert played.roles.actor.sessions == 1


@ROLLBACK
def test_if_none_is_solved_the_last_ones_world_goes_on(rollback: bool) -> None:
    acting = {
        "a": ["Action: take oil", "Action: taste", *turns(5, *FAILS)],
        "b": ["Action: take salt", *FAILS],
        "c": WORKS,
    }
    played = play("Step 1 OR Step 2", acting, rollback=rollback)
    assert isinstance(played.answer, Unsolved)
    assert (played.answer.claimed, played.answer.reward) == (False, 0.0)
    assert actions(played) == ["take salt"]
    assert played.roles.actor.sessions == 1


@ROLLBACK
def test_what_the_others_earned_does_not_count(rollback: bool) -> None:
    acting = {"a": ["Action: taste", *FAILS], "b": turns(5, *WORKS)}
    played = play("Step 1 OR Step 2", acting, rollback=rollback)
    assert isinstance(played.answer, Solved)
    assert played.answer.reward == 0.0


def test_a_world_that_is_done_without_success_ends_its_own_alternative_alone() -> None:
    acting = {"a": ["Action: burn", *FAILS], "b": turns(3, "Action: take oil", *WORKS)}
    played = play("Step 1 OR Step 2", acting)
    assert isinstance(played.answer, Solved)
    assert (played.answer.done, played.goals) == (False, [GOAL, "a", "b"])
    assert played.roles.actor.sessions == 1


def test_if_none_is_solved_a_world_that_is_done_ends_the_episode() -> None:
    acting = {"a": turns(3, *FAILS), "b": ["Action: burn", *FAILS], "c": turns(2, *FAILS), "d": WORKS}
    played = play("(Step 1 OR Step 2 OR Step 3) AND Step 4", acting)
    assert isinstance(played.answer, Unsolved)
    assert (played.answer.done, actions(played)) == (True, ["burn"])
    assert "d" not in played.goals
    assert played.roles.actor.sessions == 1


def test_a_world_that_is_done_with_success_ends_the_episode() -> None:
    acting = {"a": turns(9, *WORKS), "b": ["Action: serve", *WORKS], "c": WORKS}
    played = play("(Step 1 OR Step 2) AND Step 3", acting)
    assert isinstance(played.answer, Solved)
    assert (played.answer.done, played.answer.reward, actions(played)) == (True, 1.0, ["serve"])
    assert played.roles.actor.sessions == 1


@ROLLBACK
def test_alternatives_nest_and_what_a_stopped_one_opened_is_closed(rollback: bool) -> None:
    """`a` fails and is decomposed into an OR of its own, in which it is when `b` is solved."""
    acting = {
        "a": FAILS,
        "x": turns(30, *WORKS),
        "y": ["Action: take salt", *FAILS],
        "z": turns(30, *WORKS),
        "b": turns(12, *WORKS),
    }
    plans = {"a": plan("Step 1 OR ((Step 2 OR Step 3) AND Step 4)", "x", "y", "z", "w"), "y": "?"}
    played = play(
        "Step 1 OR Step 2", acting, plans, max_depth=4, rollback=rollback, inner={"max_steps": 40, "patience": 40}
    )
    assert isinstance(played.answer, Solved)
    assert {"x", "y", "z"} < set(played.goals)
    assert len(played.roles.requests(Fork)) >= 6
    assert played.roles.actor.sessions == 1


@ROLLBACK
def test_the_winner_s_own_subtasks_go_on_in_its_world(rollback: bool) -> None:
    acting = {
        "a": FAILS,
        "x": ["Action: take salt", *WORKS],
        "y": turns(9, *WORKS),
        "z": WORKS,
        "b": turns(20, *WORKS),
    }
    plans = {"a": plan("(Step 1 OR Step 2) AND Step 3", "x", "y", "z")}
    played = play(
        "Step 1 OR Step 2", acting, plans, max_depth=3, rollback=rollback, inner={"max_steps": 30, "patience": 30}
    )
    assert isinstance(played.answer, Solved)
    assert (played.answer.depth, actions(played)) == (3, ["take salt"])
    assert played.roles.actor.sessions == 1


def test_sequential_is_the_default_and_then_nothing_is_forked_for_an_or() -> None:
    acting = {GOAL: FAILS, "a": WORKS}
    played = Play(acting, {GOAL: plan("Step 1 OR Step 2", "a", "b")}, max_depth=2)
    assert AdaptConfig().alternatives == "sequential"
    assert played.roles.requests(Fork) == []
    assert played.roles.requests(CloseBranch) == []
    assert [request.goal for request in played.roles.requests(Execute)] == [GOAL, "a"]
