"""Which open nodes come next: a queue of them, or the best of a level."""

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import TypeAlias

from quintet.search.node import Node

Rank: TypeAlias = Callable[[Node], float]
"""How good a node is: one number, more is better. The root is ranked too, and has neither value nor confidence."""


class Frontier:
    """A queue of nodes, the best first; among equals the lowest number.

    Args:
        rank: one number, more is better; a tuple is none. It is read once, when a node is added. The root's value and
            confidence are None; `node.score` is then 0. With the negated depth, nodes come breadth first.
    """

    def __init__(self, rank: Rank) -> None:
        self._rank = rank
        self._heap: list[tuple[float, int, Node]] = []

    def add(self, node: Node) -> None:
        """Queue a node."""
        heappush(self._heap, (-self._rank(node), node.number, node))

    def pop(self) -> Node | None:
        """Take the best node that is still open; None if there is none."""
        while self._heap:
            node = heappop(self._heap)[-1]
            if node.is_open:
                return node
        return None


def best(nodes: Iterable[Node], n: int, rank: Rank) -> list[Node]:
    """The best `n` nodes in the order of their numbers; among equals those with the lowest."""
    kept = sorted(nodes, key=lambda node: (-rank(node), node.number))[:n]
    return sorted(kept, key=lambda node: node.number)
