"""Search trees as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.messages.paths import child
from quintet.reports.tree_text import node_text, tree_heading, tree_lines
from quintet.reports.trees import SearchTree, StoppedBranch
from tests.deploy.trees import EPISODE, chain, comb, node


def drawn(*nodes: object, stopped: tuple[StoppedBranch, ...] = ()) -> list[str]:
    return [line.text for line in tree_lines([SearchTree(EPISODE, nodes, stopped)])]  # type: ignore[arg-type]


def test_siblings_are_branches_and_an_only_child_lies_right_below_its_parent() -> None:
    nodes = [
        node(0, None),
        node(1, 0, "open drawer", standing="chosen"),
        node(2, 0, "wait", standing="pruned"),
        node(3, 1, "take mug"),
        node(4, 3, "go to desk"),
        node(5, 3, "heat mug"),
    ]
    assert drawn(*nodes) == [
        "tree beehive/0/0: 6 nodes, 1 pruned; chosen: 1",
        "0 root",
        "├─ 1 open drawer  (chosen)",
        "│  3 take mug",
        "│  ├─ 4 go to desk",
        "│  └─ 5 heat mug",
        "└─ 2 wait  (pruned)",
    ]


def test_a_node_says_all_that_is_known_of_it() -> None:
    known = replace(
        node(3, 1, "take\nmug"), value=0.5, confidence=0.25, adjusted=True, visits=1200, reward=1.0, standing="chosen"
    )
    facts = "value 0.50, confidence 0.25 normalised, visits 1,200, reward 1, chosen"
    assert node_text(known) == f"3 take mug  ({facts})"
    assert node_text(replace(known, value=0.0)).startswith("3 take mug  (value 0.00, ")
    assert node_text(node(3, 1, "")) == "3 (no action)"


def test_the_confidence_of_a_path_stands_beside_another_one_of_the_action() -> None:
    nodes = [node(0, None), replace(node(1, 0), confidence=0.25), replace(node(2, 1), confidence=0.25)]
    assert drawn(*nodes)[1:] == [
        "0 root",
        "1 look  (confidence 0.25)",
        "2 look  (confidence 0.25, path 0.062)",
    ]


def test_a_long_action_and_a_deep_node_are_cut() -> None:
    assert node_text(node(1, 0, "x" * 500)) == f"1 {'x' * 79}…"
    lines = drawn(*comb(200))
    assert len(lines) == 401
    assert max(len(line) for line in lines) < 80


def test_branches_that_were_stopped_are_listed_below() -> None:
    branch = StoppedBranch(EPISODE, node=1)
    assert drawn(node(0, None), stopped=(branch,))[-1] == "stopped: branch 0 of beehive/0, at node 1: nothing came back"
    assert tree_heading(SearchTree(EPISODE, [node(0, None)], [branch])).endswith(": 1 node, 1 branch stopped")
    assert tree_heading(SearchTree(EPISODE, chain(2), [branch] * 2)).endswith(": 2 nodes, 2 branches stopped")


@given(st.lists(st.integers(0, 30), min_size=1, max_size=30), st.text(min_size=1))
@pytest.mark.parametrize("top", [None, 99])
def test_every_node_has_one_line(top: int | None, parents: list[int], action: str) -> None:
    nodes = [node(0, top), *(node(number, min(above, number - 1), action) for number, above in enumerate(parents, 1))]
    lines = drawn(*nodes)
    assert len(lines) == 1 + len(nodes)
    assert not any("\n" in line or "\r" in line for line in lines)


def test_a_stopped_branch_takes_one_line_whatever_its_last_action() -> None:
    branch = StoppedBranch(child(EPISODE, 1), action="go\n0 root\n" + 500 * "y")
    (line,) = drawn(node(0, None), stopped=(branch,))[2:]
    assert line == f"stopped: branch 1 of {EPISODE}: last action: go 0 root {69 * 'y'}…"
