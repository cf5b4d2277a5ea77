"""UCT: which leaf to expand next, by the rewards backed up. Workers in flight count as visits, so that they spread."""

from math import inf, log, sqrt

from quintet.search.node import Node


def uct(node: Node, weight: float) -> float:
    """The upper confidence bound of a child: mean + weight * sqrt(2 ln N / n).

    Args:
        node: n is its visits, N its parent's; a worker in flight counts in both, and not in the mean.
        weight: of exploration, at least 0.

    Returns:
        Infinite for a child without visits.

    Source: LATS, section 4.2, with the 2 of its code; workers in flight as in WU-UCT (Liu et al., 2020). Differs: the
    code divides a mean by the visits once more, and ranks a child without visits by its value alone.
    """
    assert node.parent is not None
    visits = node.visits + node.in_flight
    if not visits:
        return inf
    return node.mean + weight * sqrt(2 * log(node.parent.visits + node.parent.in_flight) / visits)


def select(root: Node, weight: float) -> Node | None:
    """Go down from the root to an open leaf, each time to the child of the highest bound.

    Equal children are ordered by score, then by number. A child below which nothing is open is passed over.

    Returns:
        None if nothing is open: everything is expanded, done, pruned, or in flight.
    """
    if not root.openings:
        return None
    node = root
    while not node.is_open:
        node = max(
            (child for child in node.children if child.openings),
            key=lambda child: (uct(child, weight), child.score, -child.number),
        )
    return node


def depart(leaf: Node) -> None:
    """A worker sets out to expand a leaf; no other gets it."""
    leaf.set_open(False)
    for node in leaf.ancestry():
        node.in_flight += 1


def arrive(leaf: Node) -> None:
    """The worker is back."""
    for node in leaf.ancestry():
        node.in_flight -= 1


def back_up(leaf: Node, reward: float) -> None:
    """Count a visit with this reward at a node and at all its ancestors."""
    for node in leaf.ancestry():
        node.visits += 1
        node.total += reward
