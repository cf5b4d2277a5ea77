from collections.abc import Mapping, Sequence
from functools import partial

import pytest

from quintet.messages.solving import Solved, Unsolved
from quintet.search.best_first import search_best_first
from tests.actors.search.kitchen import ENDLESS, Searched, score

MENU = {"": ["wait", "taste"], "wait": ["burn", "fly"], "taste": ["serve", "wait"], "serve": []}


def searched(
    menu: Mapping[str, Sequence[str]], marks: Mapping[str, str], *, nodes: int = 20, depth: int = 4, workers: int = 1
) -> Searched:
    grow = partial(search_best_first, rank=score, workers=workers)
    return Searched(menu, marks, grow, depth=depth, nodes=nodes)


@pytest.mark.parametrize(
    ("menu", "marks", "expanded"),
    [
        (MENU, {"wait": "Mark: 2", "taste": "Mark: 8"}, [(), ("taste",)]),
        ({**MENU, "wait": ["fly", "swim"]}, {"wait": "Mark: 8", "taste": "Mark: 2"}, [(), ("wait",), ("taste",)]),
    ],
    ids=["the most promising first", "a worse one when a better one leads nowhere"],
)
def test_the_best_open_state_is_expanded_until_a_success(
    menu: Mapping[str, Sequence[str]], marks: Mapping[str, str], expanded: list[tuple[str, ...]]
) -> None:
    found = searched(menu, marks)
    assert isinstance(found.answer, Solved)
    assert found.expanded == expanded


@pytest.mark.parametrize("limit", [{"nodes": 5}, {"depth": 2}])
def test_it_ends_where_nothing_is_open_and_when_there_are_enough_nodes(limit: dict[str, int]) -> None:
    found = searched(ENDLESS, {}, **limit)
    assert isinstance(found.answer, Unsolved)
    assert len(found.expanded) == 3  # of two nodes each


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_expand_different_nodes(workers: int) -> None:
    found = searched(ENDLESS, {}, depth=3, workers=workers)
    assert len(found.expanded) == len(set(found.expanded)) == 7
    assert found.roles.actor.sessions == 1
