"""Best-first search: the open node of the highest rank is expanded next, by several workers."""

from functools import partial

from quintet.search.expansion import Child, Expander
from quintet.search.frontier import Frontier, Rank
from quintet.search.node import Node
from quintet.search.selection import arrive, depart
from quintet.search.tree_search import TreeSearch
from quintet.search.workers import Workers


async def search_best_first(
    search: TreeSearch, expander: Expander, *, rank: Rank, workers: int = 1, spread: bool = False
) -> None:
    """Search until a success by the oracle, the most nodes, or nothing is open.

    Args:
        workers: how many nodes are expanded at once. Above 1, time decides the order of their ends, which is journaled.
        spread: whether they are expanded on several hosts.
    """
    frontier = Frontier(rank)
    frontier.add(search.tree.root)

    def next_leaf() -> Node | None:
        leaf = None if search.is_full else frontier.pop()
        if leaf is not None:
            depart(leaf)
        return leaf

    async def expand(leaf: Node) -> tuple[Child, ...]:
        return await expander.expand(search.point(leaf))

    async def take(leaf: Node, children: tuple[Child, ...]) -> bool:
        arrive(leaf)
        for node in await search.add(leaf, children):
            frontier.add(node)
        return search.has_succeeded

    await Workers(
        branches=partial(search.episode.branches, spread=spread),
        jobs=next_leaf,
        work=expand,
        take=take,
        discard=search.discard,
        workers=workers,
    ).run()
