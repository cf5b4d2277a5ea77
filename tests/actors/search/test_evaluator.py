from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.parts import Reflections
from quintet.messages.reflection import Choose, Value
from quintet.methods.base.episode import Episode
from quintet.roles.turn_text import turn_of
from quintet.search.evaluator import LeafState, StateEvaluator
from tests.actors.fakes import Kitchens
from tests.actors.search.kitchen import inside, kitchens

WAIT, SERVE = (turn_of(action, "") for action in ("wait", "serve"))
STATES = [LeafState((WAIT,), done=False, confidence=0.25), LeafState((SERVE,), done=True, confidence=0.75)]
PARTS = (Reflections(texts=("Hurry.",)),)


def evaluated(marks: Mapping[str, str], **options: Any) -> tuple[Kitchens, tuple[float | None, ...]]:
    roles = kitchens({}, marks)
    return roles, inside(
        roles, lambda episode: StateEvaluator(episode=episode, **options).evaluate(STATES, PARTS, "guesses")
    )


def test_marks_are_asked_for_with_the_parts_and_scaled() -> None:
    roles, values = evaluated({"wait": "Mark: 1", "serve": "Mark: 10"}, scores="values", samples=2)
    assert values == (0.0, 1.0)
    asked = roles.requests(Value)
    assert [(request.turns, request.parts, request.samples, request.phase) for request in asked] == [
        ((WAIT,), PARTS, 2, "guesses"),
        ((SERVE,), PARTS, 2, "guesses"),
    ]


def test_a_done_world_whose_reward_may_be_read_is_not_marked() -> None:
    states = [*STATES, LeafState((WAIT,), done=True, confidence=1.0, reward=0.5)]
    roles = kitchens({}, {"wait": "Mark: 10"})

    async def evaluate(episode: Episode) -> tuple[float | None, ...]:
        return await StateEvaluator(episode=episode, scores="values", oracle=True, weight=0.5).evaluate(states, (), "")

    assert inside(roles, evaluate) == (0.625, 0.0, 0.5)
    assert [request.turns for request in roles.requests(Value)] == [(WAIT,)]


def test_a_mark_that_cannot_be_read_is_0() -> None:
    assert evaluated({"wait": "So so.", "serve": "Mark: 99"}, scores="values")[1] == (0.0, 0.0)


def test_a_mark_is_mixed_with_the_share_of_the_candidates() -> None:
    values = evaluated({"wait": "Mark: 1", "serve": "Mark: 10"}, scores="values", weight=0.5)[1]
    assert list(values) == pytest.approx([0.125, 0.875])


def test_shuffled_marks_cost_the_same_calls_and_do_not_depend_on_the_states() -> None:
    roles, values = evaluated({"wait": "Mark: 1", "serve": "Mark: 10"}, scores="values", source="shuffled")
    others, other_values = evaluated({"wait": "Mark: 7", "serve": "So so."}, scores="values", source="shuffled")
    assert values == other_values
    assert len(roles.requests(Value)) == len(others.requests(Value)) == 2


def test_shuffled_marks_of_one_node_say_nothing_of_those_of_the_next() -> None:
    roles = kitchens({})

    async def evaluate(episode: Episode) -> set[tuple[float | None, ...]]:
        shuffled = StateEvaluator(episode=episode, scores="values", source="shuffled")
        return {await shuffled.evaluate(STATES, (), "values") for _ in range(8)}

    assert len(inside(roles, evaluate)) > 4


def test_without_a_source_nothing_is_asked_and_the_share_alone_counts() -> None:
    roles, values = evaluated({}, scores="values", source="none", weight=0.5)
    assert (values, roles.requests(Value)) == ((0.125, 0.375), [])


def test_votes_become_shares_and_the_ends_are_named() -> None:
    roles, values = evaluated({"choice": "Choice: 2"}, scores="votes", samples=3)
    assert values == (0.0, 1.0)
    (asked,) = roles.requests(Choose)
    assert (asked.options, asked.ended, asked.samples) == (((WAIT,), (SERVE,)), (2,), 3)


def test_votes_that_cannot_be_read_leave_all_states_equal() -> None:
    assert evaluated({"choice": "Both."}, scores="votes")[1] == (0.5, 0.5)


def test_one_state_needs_no_vote() -> None:
    roles = kitchens({})

    async def evaluate(episode: Episode) -> tuple[float | None, ...]:
        return await StateEvaluator(episode=episode, scores="votes").evaluate(STATES[:1], (), "values")

    assert inside(roles, evaluate) == (1.0,)
    assert roles.requests(Choose) == []


def test_with_confidences_nothing_is_evaluated() -> None:
    roles, values = evaluated({}, scores="confidences")
    assert (values, roles.requests(Value)) == ((None, None), [])


@given(st.integers(1, 10), st.floats(0, 1), st.sampled_from(["model", "shuffled", "none"]))
def test_values_lie_in_the_unit_interval(mark: int, weight: float, source: str) -> None:
    _, values = evaluated({"wait": f"Mark: {mark}"}, scores="values", weight=weight, source=source)
    assert all(value is not None and 0 <= value <= 1 for value in values)
