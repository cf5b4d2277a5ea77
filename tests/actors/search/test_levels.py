from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

import pytest

from quintet.messages.solving import Solved
from quintet.search.frontier import Rank
from quintet.search.levels import search_levels
from tests.actors.search.kitchen import TWO, Searched

path_score: Rank = attrgetter("path_score")
ENDLESS = {"": [*TWO, "take salt"], "wait": TWO, "taste": TWO, "take salt": TWO}


def levels(
    menu: Mapping[str, Sequence[str]],
    marks: Mapping[str, str] | None = None,
    *,
    depth: int = 3,
    width: int = 2,
    keep_done: bool = False,
    workers: int = 4,
) -> Searched:
    """A search by levels."""
    grow = partial(search_levels, width=width, rank=path_score, keep_done=keep_done, workers=workers)
    return Searched(menu, marks, grow, depth=depth, rank=path_score, candidates=3)


def by_level(found: Searched) -> list[int]:
    """How many nodes of each level were expanded."""
    return [*Counter(map(len, found.expanded)).values()]


@pytest.mark.parametrize("width", [1, 2, 3, 9])
def test_no_level_has_more_than_its_width(width: int) -> None:
    played = levels(ENDLESS, width=width, depth=4)
    assert by_level(played) == [1, min(width, 3), min(width, 6), min(width, 12)]


def test_the_best_of_a_level_go_on_and_the_others_are_pruned() -> None:
    played = levels(ENDLESS, {"wait": "Mark: 1", "taste": "Mark: 9", "take salt": "Mark: 5"}, depth=2)
    standings = {node.action: node.standing for node in played.search.tree.nodes if node.depth == 1}
    assert standings == {"wait": "pruned", "taste": "chosen", "take salt": "open"}
    assert played.roles.actor.sessions == 1


def test_children_are_numbered_by_their_parents_however_many_workers_there_are() -> None:
    trees = [levels(ENDLESS, workers=workers).search.tree for workers in (1, 2, 9)]
    shapes = [[(node.parent and node.parent.number, node.action) for node in tree.nodes] for tree in trees]
    assert shapes[0] == shapes[1] == shapes[2]


def test_a_done_node_takes_no_place_unless_it_is_kept() -> None:
    menu = {**ENDLESS, "": ["burn", "wait", "taste"]}
    marks = {"burn": "Mark: 10", "wait": "Mark: 5", "taste": "Mark: 4"}
    assert by_level(levels(menu, marks, depth=2)) == [1, 2]
    assert by_level(levels(menu, marks, depth=2, keep_done=True)) == [1, 1]


def test_a_beam_whose_best_paths_are_done_ends() -> None:
    played = levels({**ENDLESS, "": ["burn", "wait"]}, {"burn": "Mark: 10"}, width=1, keep_done=True)
    assert by_level(played) == [1]
    assert played.answer.done


def test_a_success_ends_the_search() -> None:
    played = levels({**ENDLESS, "": ["serve", "wait"]}, {"serve": "Mark: 1"}, width=1)
    assert isinstance(played.answer, Solved)
    assert by_level(played) == [1]
