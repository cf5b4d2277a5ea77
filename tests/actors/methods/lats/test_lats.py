from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.execution import Decide
from quintet.messages.reflection import LookBack, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.lats.config import LatsConfig
from quintet.methods.lats.lats import Lats
from quintet.methods.search.config import SearchConfig
from quintet.methods.search.search import Search
from quintet.roles.turn_text import ENDED
from tests.actors.fakes import Kitchens
from tests.actors.search.kitchen import ENDLESS, expanded, kitchens

MENU = {"": ["wait", "taste"], "wait": ["burn", "wait"], "taste": ["wait", "serve"]}
MARKS = {"wait": "Mark: 8", "taste": "Mark: 4", "burn": "Mark: 9"}


def played(
    menu: Mapping[str, Sequence[str]] = MENU, marks: Mapping[str, str] = MARKS, **config: Any
) -> tuple[Kitchens, Solved | Unsolved]:
    roles = kitchens(menu, marks)
    values = {"candidates": 2, "depth": 4, "rollout_depth": 4, **config}
    return roles, roles.solve(Lats(LatsConfig.model_validate(values)))


def test_it_rolls_out_looks_back_on_the_failure_and_then_tries_the_other_way() -> None:
    roles, answer = played()
    assert isinstance(answer, Solved)
    assert expanded(roles) == [(), ("wait",), ("taste",)]
    (look_back,) = roles.requests(LookBack)
    assert [turn.observation for turn in look_back.turns] == ["", "It is burnt."]
    assert roles.actor.sessions == 1


def test_a_look_back_is_told_the_reward_that_no_turn_shows() -> None:
    roles, _ = played({"": ["sell", "wait"], "wait": ["sell"]}, {}, iterations=2)
    (look_back,) = roles.requests(LookBack)
    assert [turn.observation for turn in look_back.turns] == [ENDED]
    assert look_back.reason == "the task ended with a reward of 0.50 of 1"


@pytest.mark.parametrize("order", ["ends", "rounds"])
def test_several_workers_find_it_too(order: str) -> None:
    roles, answer = played(order=order, workers=3)
    assert isinstance(answer, Solved)
    assert roles.actor.sessions == 1


def test_the_iterations_bound_the_search() -> None:
    roles, answer = played(ENDLESS, {}, iterations=2)
    assert isinstance(answer, Unsolved)
    assert [state for state in expanded(roles) if not state] == [()]
    assert len(expanded(roles)) == 4 + 3  # from the root, and from the root's other child


def test_options_reach_the_parts_that_they_are_about() -> None:
    roles, _ = played(ENDLESS, {}, iterations=1, root_candidates=4, samples=3, rollout_depth=1, reflections=0)
    assert [request.n for request in roles.requests(Decide)] == [4]
    assert {request.samples for request in roles.requests(Value)} == {3}
    assert roles.requests(LookBack) == []


def test_a_tree_that_is_chosen_at_random_makes_the_same_calls_and_reads_no_mark() -> None:
    by_marks = [
        expanded(played(ENDLESS, {"wait": mark}, values="shuffled", iterations=3)[0])
        for mark in ("Mark: 1", "Mark: 10")
    ]
    assert by_marks[0] == by_marks[1]
    roles, _ = played(ENDLESS, {}, values="shuffled", iterations=1, rollout_depth=1)
    assert len(roles.requests(Value)) == 2
    assert played(ENDLESS, {}, values="none", iterations=1)[0].requests(Value) == []


def test_without_roll_outs_and_reflections_it_is_the_search_called_mcts() -> None:
    options: dict[str, Any] = {"candidates": 2, "depth": 3}
    without: dict[str, Any] = {"value_weight": 1, "rollout_depth": 0, "cut_off": "value", "reflections": 0}
    lats = kitchens(ENDLESS, MARKS)
    lats.solve(Lats(LatsConfig(**options, **without, iterations=5)))
    search = kitchens(ENDLESS, MARKS)
    search.solve(Search(SearchConfig(**options, order="mcts", nodes=10)))
    assert expanded(lats) == expanded(search)
    assert len(expanded(lats)) == 5
