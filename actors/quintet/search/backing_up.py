"""What travels along a path: a reward up to the root, and scores down to a leaf."""

from math import prod

from quintet.search.node import Node


def back_up(leaf: Node, reward: float) -> None:
    """Count a visit with this reward at a node and at all its ancestors."""
    for node in leaf.ancestry():
        node.visits += 1
        node.total += reward


def path_score(node: Node) -> float:
    """The product of the scores on a path, in [0, 1]; 1 for the root. Of confidences, the confidence of the path.

    Source: LDM2, section 3.3.
    """
    return prod(step.score for step in node.ancestry() if step.parent is not None)
