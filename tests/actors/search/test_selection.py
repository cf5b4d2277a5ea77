from collections import Counter, defaultdict
from math import inf, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.search.node import Node, Tree
from quintet.search.selection import arrive, back_up, depart, select, uct
from tests.actors.search.trees import grown, open_leaves


def two_children() -> tuple[Tree, Node, Node]:
    tree = Tree(max_depth=5)
    return tree, tree.grow(tree.root, action="a", value=0.2), tree.grow(tree.root, action="b", value=0.9)


def test_the_bound_is_the_published_one() -> None:
    tree, first, second = two_children()
    for reward in (1.0, 0.0):
        back_up(first, reward)
    back_up(second, 1.0)
    assert uct(first, 1.0) == pytest.approx(0.5 + sqrt(2 * log(3) / 2))
    assert uct(second, 0.5) == pytest.approx(1.0 + 0.5 * sqrt(2 * log(3)))
    assert tree.root.visits == 3


def test_a_child_without_visits_comes_first_and_of_several_the_one_of_the_highest_value() -> None:
    tree, first, second = two_children()
    assert uct(first, 1.0) == inf
    assert select(tree.root, 1.0) is second
    back_up(second, 1.0)
    assert select(tree.root, 1.0) is first


def test_among_equals_the_lowest_number_is_taken() -> None:
    tree = Tree(max_depth=5)
    children = [tree.grow(tree.root, action=name, value=0.5) for name in "abc"]
    assert select(tree.root, 1.0) is children[0]


def test_a_worker_in_flight_counts_as_a_visit_without_a_reward() -> None:
    tree, first, second = two_children()
    back_up(first, 1.0)
    back_up(second, 1.0)
    inner, other = tree.grow(first, action="c", value=0.1), tree.grow(first, action="d", value=0.1)
    before = uct(first, 1.0)
    depart(inner)
    assert uct(first, 1.0) < before
    assert uct(second, 1.0) > before
    assert select(tree.root, 1.0) is second
    assert select(first, 1.0) is other
    arrive(inner)
    assert uct(first, 1.0) == before


@given(grown(), st.integers(1, 12), st.floats(0, 2))
def test_no_two_workers_get_one_leaf_and_all_get_one_while_any_is_open(tree: Tree, workers: int, weight: float) -> None:
    expected = len(open_leaves(tree.root))
    taken: list[Node] = []
    while len(taken) < workers and (leaf := select(tree.root, weight)) is not None:
        assert not leaf.children
        depart(leaf)
        taken.append(leaf)
    assert len(taken) == len(set(taken)) == min(workers, expected)
    assert tree.root.in_flight == len(taken)
    for leaf in taken:
        arrive(leaf)
    assert all(node.in_flight == 0 for node in tree.nodes)


@given(grown(), st.lists(st.tuples(st.integers(0, 99), st.floats(-1, 1)), max_size=30), st.floats(0, 2))
def test_selection_is_a_function_of_the_tree(tree: Tree, rewards: list[tuple[int, float]], weight: float) -> None:
    for number, reward in rewards:
        back_up(tree.nodes[number % len(tree.nodes)], reward)
    chosen = select(tree.root, weight)
    assert select(tree.root, weight) is chosen
    assert chosen is None or chosen.is_open
    assert (chosen is None) == (not open_leaves(tree.root))


@given(grown(), st.lists(st.tuples(st.integers(0, 99), st.floats(-1, 1)), max_size=30))
def test_a_node_s_visits_are_its_own_and_its_children_s(tree: Tree, rewards: list[tuple[int, float]]) -> None:
    own: Counter[int] = Counter()
    totals: defaultdict[int, float] = defaultdict(float)
    for number, reward in rewards:
        node = tree.nodes[number % len(tree.nodes)]
        own[node.number] += 1
        for above in node.ancestry():
            totals[above.number] += reward
        back_up(node, reward)
    for node in tree.nodes:
        assert node.visits == own[node.number] + sum(child.visits for child in node.children)
        assert node.total == pytest.approx(totals[node.number])
        assert -1 <= node.mean <= 1
