from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.search.backing_up import back_up
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
