from collections.abc import Mapping, Sequence

import pytest

from quintet.messages.execution import Decide
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.search.best_first import search_best_first
from quintet.search.tree_search import TreeSearch
from tests.actors.fakes import Kitchens
from tests.actors.search.kitchen import Coroutine, expander, kitchens

MENU = {"": ["wait", "taste"], "wait": ["burn", "fly"], "taste": ["serve", "wait"], "serve": []}


def searched(
    menu: Mapping[str, Sequence[str]], marks: Mapping[str, str], *, nodes: int = 20, depth: int = 4, workers: int = 1
) -> tuple[Kitchens, Solved | Unsolved]:
    roles = kitchens(menu, marks)

    async def work(episode: Episode) -> Solved | Unsolved:
        search = TreeSearch(episode, max_depth=depth, max_nodes=nodes, rank=lambda node: node.score, oracle=True)
        await search_best_first(search, expander(episode), rank=lambda node: node.score, workers=workers)
        return await search.conclude()

    return roles, roles.solve(Coroutine(work))


def expanded(roles: Kitchens) -> list[list[str]]:
    """The nodes that were expanded, by their paths."""
    return [[turn.completion.rpartition(": ")[2] for turn in asked.history] for asked in roles.requests(Decide)]


def test_the_most_promising_state_is_expanded_first_and_a_success_ends_the_search() -> None:
    roles, answer = searched(MENU, {"wait": "Mark: 2", "taste": "Mark: 8"})
    assert isinstance(answer, Solved)
    assert expanded(roles) == [[], ["taste"]]


def test_it_goes_back_to_a_worse_state_when_a_better_one_leads_nowhere() -> None:
    roles, answer = searched({**MENU, "wait": ["fly", "swim"]}, {"wait": "Mark: 8", "taste": "Mark: 2"})
    assert isinstance(answer, Solved)
    assert expanded(roles) == [[], ["wait"], ["taste"]]


def test_it_ends_where_nothing_is_open_and_when_there_are_enough_nodes() -> None:
    endless = {"": ["wait", "taste"], "wait": ["wait", "taste"], "taste": ["wait", "taste"]}
    roles, answer = searched(endless, {}, nodes=5)
    assert isinstance(answer, Unsolved)
    assert len(roles.requests(Decide)) == 3  # of two nodes each
    roles, answer = searched(endless, {}, depth=2)
    assert isinstance(answer, Unsolved)
    assert len(roles.requests(Decide)) == 3  # the root and its children


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_expand_different_nodes(workers: int) -> None:
    endless = {"": ["wait", "taste"], "wait": ["wait", "taste"], "taste": ["wait", "taste"]}
    roles, _ = searched(endless, {}, depth=3, workers=workers)
    paths = expanded(roles)
    assert len(paths) == 7
    assert len({tuple(path) for path in paths}) == 7
    assert roles.actor.sessions == 1
