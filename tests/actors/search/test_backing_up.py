from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.search.backing_up import back_up, path_score
from quintet.search.node import Tree
from tests.actors.search.trees import grown


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


@given(grown())
def test_a_path_s_score_is_the_product_of_its_steps_scores(tree: Tree) -> None:
    assert path_score(tree.root) == 1
    for node in tree.nodes[1:]:
        assert node.parent is not None
        assert path_score(node) == pytest.approx(path_score(node.parent) * node.score)


def test_without_values_the_confidences_of_actions_are_multiplied() -> None:
    tree = Tree(max_depth=3)
    inner = tree.grow(tree.root, action="a", confidence=0.5)
    assert path_score(tree.grow(inner, action="b", confidence=0.4)) == pytest.approx(0.2)
