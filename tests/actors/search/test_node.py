from math import prod

import pytest
from hypothesis import given

from quintet.messages.execution import Turn
from quintet.search.node import Tree
from tests.actors.search.trees import DEPTH, grown, open_leaves


def test_a_node_knows_its_way_from_the_root() -> None:
    tree = Tree(max_depth=3)
    turns = [Turn(completion=f"Action: {name}", observation="ok") for name in "ab"]
    first = tree.grow(tree.root, action="a", turn=turns[0])
    second = tree.grow(first, action="b", turn=turns[1])
    assert [node.number for node in second.path()] == [0, 1, 2]
    assert second.turns == tuple(turns)
    assert (tree.root.turns, second.depth) == ((), 2)


def test_a_done_world_a_greatest_depth_and_a_pruned_leaf_are_not_expanded() -> None:
    tree = Tree(max_depth=2)
    inner = tree.grow(tree.root, action="a")
    deepest, done, pruned = tree.grow(inner, action="b"), tree.grow(tree.root, action="c", done=True), inner
    tree.prune(other := tree.grow(tree.root, action="d"))
    assert [node.is_open for node in (tree.root, inner, deepest, done, pruned, other)] == [False] * 6
    assert (other.standing, deepest.standing) == ("pruned", "open")


def test_a_reward_is_read_of_a_done_world_alone() -> None:
    tree = Tree(max_depth=2)
    assert tree.grow(tree.root, action="a", reward=0.5).final_reward is None
    assert tree.grow(tree.root, action="b", reward=0.5, done=True).final_reward == 0.5


@given(grown())
def test_every_node_knows_whether_there_are_open_leaves_below_it(tree: Tree) -> None:
    for node in tree.nodes:
        assert node.openings == node.is_open + sum(bool(open_leaves(child)) for child in node.children)
        assert node.is_open == (not node.children and not node.done and node.standing == "open" and node.depth < DEPTH)


@given(grown())
def test_a_path_s_score_is_the_product_of_its_steps_scores(tree: Tree) -> None:
    assert tree.root.path_score == 1
    for node in tree.nodes[1:]:
        assert node.path_score == pytest.approx(prod(step.score for step in node.path()[1:]))


def test_without_values_the_confidences_of_actions_are_multiplied() -> None:
    tree = Tree(max_depth=3)
    inner = tree.grow(tree.root, action="a", confidence=0.5)
    assert tree.grow(inner, action="b", confidence=0.4).path_score == pytest.approx(0.2)


@given(grown())
def test_numbers_are_places_in_the_order_of_growing(tree: Tree) -> None:
    assert [node.number for node in tree.nodes] == list(range(len(tree.nodes)))
    for node in tree.nodes[1:]:
        assert node.parent is not None
        assert node in node.parent.children
        assert node.parent.number < node.number
        assert node.depth == node.parent.depth + 1 == len(node.path()) - 1
