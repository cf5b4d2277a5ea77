from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.environment import Task
from quintet.messages.execution import Decide
from quintet.messages.reflection import Choose, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.search.config import SearchConfig
from quintet.methods.search.search import Search
from quintet.ports.world import Outcome, World
from tests.actors.fakes import Kitchen, Kitchens, KitchenState
from tests.actors.search.kitchen import ENDLESS, kitchens

MENU = {
    "": ["wait", "taste"],
    "wait": ["taste", "burn"],
    "taste": ["wait", "serve"],
    "burn": [],
    "serve": [],
}
MARKS = {"wait": "Mark: 7", "taste": "Mark: 4", "burn": "Mark: 1"}


def searched(
    menu: Mapping[str, Sequence[str]] = MENU,
    marks: Mapping[str, str] = MARKS,
    world: World | None = None,
    **config: Any,
) -> tuple[Kitchens, Solved | Unsolved]:
    roles = kitchens(menu, marks, world)
    values = {"candidates": 2, "depth": 3, **config}
    return roles, roles.solve(Search(SearchConfig.model_validate(values)))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("order", ["best", "breadth", "beam", "mcts"])
@pytest.mark.parametrize("scores", ["values", "votes"])
def test_every_order_finds_the_supper_that_is_served(order: str, scores: str, workers: int) -> None:
    roles, answer = searched(order=order, scores=scores, workers=workers)
    assert isinstance(answer, Solved)
    assert answer.last_action == "serve"
    assert roles.actor.sessions == 1


def test_values_ask_for_marks_and_votes_for_choices() -> None:
    roles, _ = searched(samples=2)
    assert {request.samples for request in roles.requests(Value)} == {2}
    assert roles.requests(Choose) == []
    roles, _ = searched(scores="votes", samples=2)
    assert {request.samples for request in roles.requests(Choose)} == {2}
    assert roles.requests(Value) == []


def test_candidates_are_drawn_at_the_temperature_and_told_of_their_siblings_if_asked_to() -> None:
    roles, _ = searched(temperature=0.3)
    first = roles.requests(Decide)[0]
    assert first.sampling is not None
    assert (first.sampling.temperature, first.n, first.with_confidence) == (0.3, 2, False)
    roles, _ = searched(siblings=True)
    assert [request.instead_of for request in roles.requests(Decide)][:2] == [(), ("wait",)]


def test_where_all_candidates_agree_the_tree_is_a_line_that_asks_for_no_value() -> None:
    menu = {"": ["wait"], "wait": ["taste"], "taste": ["serve"]}
    roles, answer = searched(menu, branch="disagreement")
    assert isinstance(answer, Solved)
    assert (len(roles.requests(Decide)), roles.requests(Value)) == (3, [])


def test_the_budget_bounds_the_nodes() -> None:
    roles, answer = searched(ENDLESS, nodes=4, depth=9)
    assert isinstance(answer, Unsolved)
    assert len(roles.requests(Decide)) == 2


class Stingy(Kitchen):
    """A kitchen in which nothing is earned before supper is served."""

    def open(self, task: Task) -> KitchenState:
        return StingyState()


class StingyState(KitchenState):
    def step(self, action: str) -> Outcome:
        outcome = super().step(action)
        return outcome if outcome.done else replace(outcome, reward=0.0)


@pytest.mark.parametrize("order", ["best", "breadth", "beam", "mcts"])
def test_what_is_earned_before_the_end_decides_nothing(order: str) -> None:
    asked = [
        [request.history for request in searched(world=world, order=order, depth=2)[0].requests(Decide)]
        for world in (Kitchen(), Stingy())
    ]
    assert asked[0] == asked[1]
    assert any("taste" in turn.completion for history in asked[0] for turn in history)
