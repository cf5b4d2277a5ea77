from hypothesis import given
from hypothesis import strategies as st

from quintet.search.frontier import Frontier, best
from quintet.search.node import Node, Tree
from tests.actors.search.trees import grown


def value(node: Node) -> float:
    return node.value or 0.0


def popped(frontier: Frontier) -> list[Node]:
    taken: list[Node] = []
    while (node := frontier.pop()) is not None:
        taken.append(node)
    return taken


@given(grown())
def test_the_best_open_node_comes_first_and_every_one_comes_once(tree: Tree) -> None:
    frontier = Frontier(value)
    for node in tree.nodes:
        frontier.add(node)
    expected = sorted((node for node in tree.nodes if node.is_open), key=lambda node: (-value(node), node.number))
    assert popped(frontier) == expected


@given(grown())
def test_in_breadth_no_node_comes_before_one_that_lies_higher(tree: Tree) -> None:
    frontier = Frontier(lambda node: -node.depth)
    for node in reversed(tree.nodes):
        frontier.add(node)
    order = [(node.depth, node.number) for node in popped(frontier)]
    assert order == sorted(order)


def test_a_node_that_was_pruned_while_it_waited_does_not_come() -> None:
    tree = Tree(max_depth=3)
    frontier = Frontier(value)
    first, second = (tree.grow(tree.root, action=name, value=1.0) for name in "ab")
    frontier.add(first)
    frontier.add(second)
    tree.prune(first)
    assert popped(frontier) == [second]


@given(grown(), st.integers(0, 8))
def test_a_beam_keeps_at_most_n_and_none_that_is_worse_than_one_it_drops(tree: Tree, n: int) -> None:
    kept = best(tree.nodes, n, value)
    dropped = [node for node in tree.nodes if node not in kept]
    assert len(kept) == min(n, len(tree.nodes))
    assert kept == sorted(kept, key=lambda node: node.number)
    worst = min(((value(node), -node.number) for node in kept), default=(0.0, 0))
    assert not kept or all((value(node), -node.number) < worst for node in dropped)


@given(grown(), st.integers(0, 8), st.randoms())
def test_a_beam_does_not_depend_on_the_order_in_which_nodes_are_given(tree: Tree, n: int, random: object) -> None:
    assert best(reversed(tree.nodes), n, value) == best(tree.nodes, n, value)
