"""Search level by level: all states of a level are expanded at once, and the best of the next level are kept."""

from asyncio import Semaphore

from quintet.search.expansion import Child, Expander, Point
from quintet.search.frontier import Rank, best
from quintet.search.node import Node
from quintet.search.tree_search import TreeSearch


async def search_levels(
    search: TreeSearch,
    expander: Expander,
    *,
    width: int,
    rank: Rank,
    keep_done: bool,
    workers: int = 1,
    spread: bool = False,
) -> None:
    """Search until a success by the oracle, the greatest depth, or a level with nothing to expand.

    Children are numbered in the order of their parents, whichever was expanded first: nothing is decided by time.

    Args:
        width: how many nodes of a level are kept, at least 1; the others are pruned.
        keep_done: whether a done node takes a place in its level and in later ones, as long as it is among the best;
            else the open nodes have all places.
        workers: how many nodes are expanded at once.
        spread: whether they are expanded on several hosts.
    """
    level, done = [search.tree.root], list[Node]()
    gate = Semaphore(workers)

    async def expand(point: Point) -> tuple[Child, ...]:
        async with gate:
            return await expander.expand(point)

    while level and not search.is_full and not search.has_succeeded:
        async with search.episode.branches(spread=spread) as group:
            begun = [group.start(expand, search.point(node)) for node in level]
        grown: list[Node] = []
        for parent, branch in zip(level, begun, strict=True):
            grown += await search.add(parent, branch.result())
        kept = best([node for node in (*done, *grown) if node.is_open or (node.done and keep_done)], width, rank)
        level, done = [node for node in kept if node.is_open], [node for node in kept if node.done]
        await search.prune(node for node in grown if node.is_open and node not in kept)
