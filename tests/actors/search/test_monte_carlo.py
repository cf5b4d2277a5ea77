from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.execution import Decide
from quintet.messages.parts import Reflections
from quintet.messages.reflection import LookBack, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.search.expansion import Expander
from quintet.search.monte_carlo import MonteCarlo
from quintet.search.tree_search import TreeSearch
from tests.actors.search.kitchen import ENDLESS, Searched


def mcts(
    menu: Mapping[str, Sequence[str]],
    marks: Mapping[str, str] | None = None,
    *,
    iterations: int = 1,
    depth: int = 3,
    oracle: bool = True,
    **options: Any,
) -> Searched:
    """A Monte Carlo search."""

    async def grow(search: TreeSearch, expander: Expander) -> None:
        await MonteCarlo(search=search, expander=expander, iterations=iterations, exploration=1.0, **options).run()

    return Searched(menu, marks, grow, depth=depth, oracle=oracle)


def visits(found: Searched) -> dict[tuple[str, ...], tuple[int, float]]:
    """By path, how often a node was visited, and what was backed up through it."""
    nodes = [node for node in found.search.tree.nodes if node.visits]
    return {tuple(step.action for step in node.path()[1:]): (node.visits, node.total) for node in nodes}


def test_an_iteration_without_a_roll_out_expands_one_leaf_and_backs_up_its_best_child_s_value() -> None:
    played = mcts(ENDLESS, {"wait": "Mark: 1", "taste": "Mark: 10"})
    assert visits(played) == {(): (1, 1.0), ("taste",): (1, 1.0)}
    assert len(played.roles.requests(Decide)) == 1


def test_a_roll_out_goes_to_the_best_state_down_to_its_depth_and_stays_in_the_tree() -> None:
    played = mcts(ENDLESS, {"wait": "Mark: 1", "taste": "Mark: 10"}, rollout_depth=2)
    assert visits(played) == {(): (1, 1.0), ("taste",): (1, 1.0), ("taste", "taste"): (1, 1.0)}
    assert [(asked.phase, len(asked.history)) for asked in played.roles.requests(Decide)] == [
        ("candidates", 0),
        ("roll-outs", 1),
    ]
    assert [asked.phase for asked in played.roles.requests(Value)] == ["values"] * 2 + ["roll-outs"] * 2
    assert len(played.search.tree.nodes) == 5


def test_the_next_iteration_begins_at_a_child_without_visits() -> None:
    played = mcts(ENDLESS, {"wait": "Mark: 1", "taste": "Mark: 10"}, iterations=2)
    assert [len(asked.history) for asked in played.roles.requests(Decide)] == [0, 1]
    assert visits(played)[("wait",)] == (1, 1.0)


def test_a_reward_is_backed_up_of_a_done_world_only() -> None:
    menu = {"": ["burn", "taste"]}
    marks = {"burn": "Mark: 5", "taste": "Mark: 10"}
    assert visits(mcts(menu, marks))[()] == (1, 0.0)
    assert visits(mcts(menu, marks, oracle=False))[()][1] == pytest.approx(4 / 9)


def test_a_roll_out_that_is_cut_off_may_pass_up_another_figure_than_its_end_s_value() -> None:
    marks = {"wait": "Mark: 1", "taste": "Mark: 10"}
    played = mcts(ENDLESS, marks, depth=2, rollout_depth=2, cut_off=-1.0)
    assert visits(played) == {(): (1, -1.0), ("taste",): (1, -1.0), ("taste", "taste"): (1, -1.0)}
    assert visits(mcts(ENDLESS, marks, rollout_depth=1, cut_off=-1.0))[()] == (1, 0.0)  # there was no roll-out
    assert visits(mcts({"": ["sell"]}, rollout_depth=2, cut_off=-1.0))[()] == (1, 0.5)


def test_the_first_success_ends_a_search_with_an_oracle_only() -> None:
    menu = {**ENDLESS, "": ["serve", "wait"]}
    played = mcts(menu, iterations=3)
    assert isinstance(played.answer, Solved)
    assert len(played.roles.requests(Decide)) == 1
    assert len(mcts(menu, iterations=3, oracle=False).roles.requests(Decide)) == 3


def test_a_leaf_that_leads_nowhere_is_pruned_and_backs_up_nothing() -> None:
    played = mcts({"": ["wait", "taste"], "wait": ["fly"], "taste": ["fly"]}, {"wait": "Mark: 10"}, iterations=5)
    assert visits(played)[("wait",)] == (2, 1.0)  # once as the best child, once as a dead end
    assert {node.standing for node in played.search.tree.nodes[1:]} == {"pruned"}
    assert isinstance(played.answer, Unsolved)


FAILING = {"": ["burn", "wait"], "wait": ["burn", "taste"], "taste": ["sell", "wait"]}
"""Its first two failures are alike."""


def test_the_first_failures_that_differ_are_looked_back_on_and_later_prompts_show_what_was_learnt() -> None:
    played = mcts(FAILING, iterations=5, depth=5, reflections=2)
    asked = played.roles.requests(LookBack)
    assert [(request.reason, len(request.turns), request.earlier) for request in asked] == [
        ("the task ended without success", 1, ()),
        ("the task ended with a reward of 0.50 of 1", 3, ("Not again.",)),
    ]
    once, twice = (Reflections(texts=("Not again.",) * times) for times in (1, 2))
    shown = [[each in request.parts for each in (once, twice)] for request in played.roles.requests(Decide)]
    assert shown == [[False, False], [True, False], [True, False], [False, True], [False, True]]
    assert twice in played.roles.requests(Value)[-1].parts
    assert len(mcts(FAILING, iterations=5, depth=5, reflections=1).roles.requests(LookBack)) == 1


def test_a_failure_of_which_no_later_iteration_would_learn_is_not_looked_back_on() -> None:
    assert mcts(FAILING, iterations=1, reflections=1).roles.requests(LookBack) == []
    assert len(mcts(FAILING, iterations=2, reflections=1).roles.requests(LookBack)) == 1
    assert mcts({"": ["burn", "sell"]}, iterations=2, reflections=1).roles.requests(LookBack) == []  # nothing is open


def test_an_end_at_the_greatest_depth_is_a_failure_and_one_of_a_short_roll_out_is_none() -> None:
    (asked,) = mcts(ENDLESS, iterations=2, depth=2, rollout_depth=2, reflections=1).roles.requests(LookBack)
    assert (asked.reason, len(asked.turns)) == ("out of actions", 2)
    assert mcts(ENDLESS, iterations=2, depth=4, rollout_depth=2, reflections=1).roles.requests(LookBack) == []


def test_without_an_oracle_nobody_says_that_a_done_world_is_a_failure() -> None:
    played = mcts(ENDLESS | {"": ["burn", "wait"]}, oracle=False, iterations=2, reflections=1)
    assert played.roles.requests(LookBack) == []


def test_a_reflection_that_cannot_be_read_is_left_out() -> None:
    played = mcts({"": ["burn", "wait"], "wait": ["burn"]}, {"reflection": ""}, iterations=2, reflections=2)
    assert len(played.roles.requests(LookBack)) == 1
    assert all(request.parts == played.search.episode.parts for request in played.roles.requests(Decide))


@pytest.mark.parametrize("order", ["ends", "rounds"])
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_leaf_is_expanded_once_and_nothing_stays_open_or_in_flight(order: str, workers: int) -> None:
    played = mcts(ENDLESS, iterations=9, depth=4, rollout_depth=2, workers=workers, order=order)
    histories = [asked.history for asked in played.roles.requests(Decide)]
    nodes = played.search.tree.nodes
    assert len(histories) == sum(1 for node in nodes if node.children)
    assert all(node.in_flight == 0 for node in nodes)
    assert nodes[0].visits == 9
    assert played.roles.actor.sessions == 1
