"""What travels up a path: the reward of its end."""

from quintet.search.node import Node


def back_up(leaf: Node, reward: float) -> None:
    """Count a visit with this reward at a node and at all its ancestors."""
    for node in leaf.ancestry():
        node.visits += 1
        node.total += reward
