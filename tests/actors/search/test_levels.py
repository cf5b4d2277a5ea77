from collections.abc import Mapping, Sequence
from operator import attrgetter

import pytest

from quintet.messages.execution import Decide
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.search.frontier import Rank
from quintet.search.levels import search_levels
from quintet.search.tree_search import TreeSearch
from tests.actors.fakes import Kitchens
from tests.actors.search.kitchen import Coroutine, expander, kitchens

TWO = ["wait", "taste"]
path_score: Rank = attrgetter("path_score")
ENDLESS = {"": [*TWO, "take salt"], "wait": TWO, "taste": TWO, "take salt": TWO}


class Levels:
    """A search by levels."""

    search: TreeSearch

    def __init__(
        self,
        menu: Mapping[str, Sequence[str]],
        marks: Mapping[str, str] | None = None,
        *,
        width: int = 2,
        depth: int = 3,
        keep_done: bool = False,
        workers: int = 4,
    ) -> None:
        self.roles: Kitchens = kitchens(menu, marks)

        async def work(episode: Episode) -> Solved | Unsolved:
            self.search = TreeSearch(episode, max_depth=depth, rank=path_score, oracle=True)
            await search_levels(
                self.search,
                expander(episode, candidates=3),
                width=width,
                rank=path_score,
                keep_done=keep_done,
                workers=workers,
            )
            return await self.search.conclude()

        self.answer = self.roles.solve(Coroutine(work))

    @property
    def expanded(self) -> list[int]:
        """How many nodes of each level were expanded."""
        depths = [len(asked.history) for asked in self.roles.requests(Decide)]
        return [depths.count(depth) for depth in range(max(depths) + 1)]


@pytest.mark.parametrize("width", [1, 2, 3, 9])
def test_no_level_has_more_than_its_width(width: int) -> None:
    played = Levels(ENDLESS, width=width, depth=4)
    assert played.expanded == [1, min(width, 3), min(width, 6), min(width, 12)]


def test_the_best_of_a_level_go_on_and_the_others_are_pruned() -> None:
    played = Levels(ENDLESS, {"wait": "Mark: 1", "taste": "Mark: 9", "take salt": "Mark: 5"}, depth=2)
    standings = {node.action: node.standing for node in played.search.tree.nodes if node.depth == 1}
    assert standings == {"wait": "pruned", "taste": "chosen", "take salt": "open"}
    assert played.roles.actor.sessions == 1


def test_children_are_numbered_by_their_parents_however_many_workers_there_are() -> None:
    trees = [Levels(ENDLESS, workers=workers).search.tree for workers in (1, 2, 9)]
    shapes = [[(node.parent and node.parent.number, node.action) for node in tree.nodes] for tree in trees]
    assert shapes[0] == shapes[1] == shapes[2]


def test_a_done_node_takes_no_place_unless_it_is_kept() -> None:
    menu = {**ENDLESS, "": ["burn", "wait", "taste"]}
    marks = {"burn": "Mark: 10", "wait": "Mark: 5", "taste": "Mark: 4"}
    assert Levels(menu, marks, depth=2).expanded == [1, 2]
    assert Levels(menu, marks, depth=2, keep_done=True).expanded == [1, 1]


def test_a_beam_whose_best_paths_are_done_ends() -> None:
    played = Levels({**ENDLESS, "": ["burn", "wait"]}, {"burn": "Mark: 10"}, width=1, keep_done=True)
    assert played.expanded == [1]
    assert played.answer.done


def test_a_success_ends_the_search() -> None:
    played = Levels({**ENDLESS, "": ["serve", "wait"]}, {"serve": "Mark: 1"}, width=1)
    assert isinstance(played.answer, Solved)
    assert played.expanded == [1]
