"""Search trees: as a journal has them, as text, and as pictures."""

import asyncio
import re
from contextlib import closing
from pathlib import Path
from pathlib import Path as FilePath
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from quintet.errors import UsageError
from quintet.events import AnyEvent, BranchStopped, NodeGrown, Record, SessionForked
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_of, episode_path
from quintet.reports.tree_picture import FORMATS, check_form, tree_picture
from quintet.reports.trees import SearchTree, StoppedBranch, node_text, read_trees, tree_heading, tree_lines
from quintet.testing.replay import run_episode
from tests.deploy.trees import EPISODE, chain, comb, grow, node, write_events


def trees_of(*said: AnyEvent | Record) -> list[SearchTree]:
    records = [each if isinstance(each, Record) else Record(event=each, incarnation=1) for each in said]
    episode = episode_of(records[0].event.path)

    async def scene() -> list[SearchTree]:
        journal = SqliteJournal(":memory:")
        journal.begin(episode)
        await journal.append(replace(record, incarnation=1) for record in records)
        return read_trees(journal.reader, episode)

    return asyncio.run(scene())


GROWN = run_episode(grow(), "stick")
"""An episode of the method of the tests."""


def shape(tree: SearchTree) -> list[tuple[int, int, str]]:
    return [(node.node, depth, node.standing) for node, depth in tree.walk()]


def test_an_episodes_trees_are_read_the_outer_one_first() -> None:
    outer, inner = trees_of(*GROWN)
    assert (outer.path, inner.path) == ("stick/0/0", "stick/0/0/4")
    assert shape(outer) == [(0, 0, "open"), (1, 1, "chosen"), (4, 2, "pruned"), (2, 1, "open"), (3, 1, "open")]
    assert shape(inner) == [(0, 0, "open"), (1, 1, "open")]
    assert (outer.chosen, outer.pruned, inner.chosen) == ([1], 1, [])
    assert (outer.nodes[1].value, outer.nodes[1].visits, outer.nodes[1].reward) == (0.75, 2, 1.0)


def test_a_stopped_branch_says_how_far_it_came() -> None:
    outer, inner = trees_of(*GROWN)
    assert [(branch.path, branch.node) for branch in outer.stopped] == [("stick/0/0/3/2", 2), ("stick/0/0/3/3", 3)]
    for branch in outer.stopped:
        assert branch.calls["execute"] >= 1
        assert str(branch).startswith(f"branch {branch.node} of stick/0/0/3, at node {branch.node}: calls: ")
        assert "; last action: get " in str(branch)
    assert inner.stopped == []


def test_a_stopped_branch_that_grew_nothing_is_at_the_node_whose_world_it_copied() -> None:
    branch = child(child(EPISODE, 8), 5)
    forked = SessionForked(path=child(branch, 1), session=child(branch, 1), origin=f"{EPISODE}/2/1")
    closed = replace(node(1, 0, standing="pruned"), path=child(EPISODE, 9), session=None)
    (tree,) = trees_of(node(0, None), node(1, 0), forked, closed, BranchStopped(path=branch))
    assert [str(stopped) for stopped in tree.stopped] == [f"branch 5 of {EPISODE}/8, at node 1: nothing came back"]
    (tree,) = trees_of(node(0, None), BranchStopped(path=branch))
    assert [str(stopped) for stopped in tree.stopped] == [f"branch 5 of {EPISODE}/8: nothing came back"]


def test_wherever_a_kill_cut_the_notes_off_what_is_left_is_a_tree() -> None:
    for kept in range(len(GROWN)):
        if any(isinstance(record.event, NodeGrown) for record in GROWN[:kept]):
            for tree in trees_of(*GROWN[:kept]):
                assert len(list(tree.walk())) == len(tree.nodes)


def test_a_node_whose_parent_was_lost_stands_at_the_top() -> None:
    (tree,) = trees_of(node(0, None), node(7, 5), node(8, 7))
    assert shape(tree) == [(0, 0, "open"), (7, 0, "open"), (8, 1, "open")]
    assert [depth for _, depth in trees_of(*chain(300))[0].walk()] == list(range(300))


@given(st.dictionaries(st.integers(), st.none() | st.integers(-2, 12), max_size=12))
def test_every_node_is_walked_once_whatever_the_parents_are(parents: dict[int, int | None]) -> None:
    tree = SearchTree(EPISODE, [replace(node(0, 0), node=number, parent=above) for number, above in parents.items()])
    assert sorted(node.node for node, _ in tree.walk()) == sorted(parents)


def test_confidences_are_multiplied_along_a_path_until_a_state_is_judged() -> None:
    (tree,) = trees_of(
        node(0, None),
        replace(node(1, 0), confidence=0.5),
        replace(node(2, 1), confidence=0.25),
        replace(node(3, 1), confidence=0.5, value=0.5),
        replace(node(4, 3), confidence=0.5),
        node(5, 1),
        replace(node(7, 6), confidence=0.5),
    )
    assert tree.path_confidences == {0: 1.0, 1: 0.5, 2: 0.125}


def test_trees_of_one_level_have_the_order_of_their_requests() -> None:
    inner = [replace(node(0, None), path=child(tree, 1), tree=tree) for tree in (child(EPISODE, 10), child(EPISODE, 9))]
    assert [tree.path for tree in trees_of(*inner, node(0, None))] == [EPISODE, child(EPISODE, 9), child(EPISODE, 10)]


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        (chain(2), "expected an episode with a search tree: 'beehive/0/0', got cake/0/0"),
        ([], "expected an episode with a search tree, got a run of which none has one"),
    ],
)
def test_an_episode_without_a_tree_names_those_that_have_one(
    tmp_path: FilePath, nodes: list[NodeGrown], said: str
) -> None:
    path = write_events(tmp_path / "run", nodes)
    with closing(JournalReader.open(path / "journal.sqlite")) as reader, pytest.raises(UsageError, match=said):
        read_trees(reader, episode_path("cake", 0, 0))


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


SVG = "{http://www.w3.org/2000/svg}"
TREE = SearchTree(
    EPISODE,
    [node(0, None), replace(node(1, 0, standing="chosen"), reward=1.0), node(2, 0, standing="pruned"), node(3, 1)],
    [StoppedBranch(EPISODE, node=1)],
)


def pictured(*trees: SearchTree) -> ElementTree.Element:
    return ElementTree.fromstring(tree_picture(trees, "a run", ".svg"))


def test_every_node_is_a_circle_with_a_tooltip_and_every_edge_a_line() -> None:
    svg = pictured(TREE)
    groups = svg.findall(f"{SVG}g")
    assert sorted((group.get("class"), group.findtext(f"{SVG}title")) for group in groups) == [
        ("chosen", "1 look  (reward 1, chosen)"),
        ("open", "0 root"),
        ("open", "3 look"),
        ("pruned", "2 look  (pruned)"),
    ]
    assert [path.get("class") for path in svg.findall(f"{SVG}path")] == [None, None, "chosen"]
    assert [circle.get("class") for circle in svg.iter(f"{SVG}circle")].count("rewarded") == 1
    legend, *texts = [text.text for text in svg.findall(f"{SVG}text")]
    assert "Green: chosen." in (legend or "")
    assert texts == [
        "tree beehive/0/0: 4 nodes, 1 pruned, 1 branch stopped; chosen: 1",
        "stopped: branch 0 of beehive/0, at node 1: nothing came back",
    ]


def test_a_label_has_the_value_or_else_the_confidence_and_the_visits() -> None:
    valued = replace(node(1, 0), value=0.5, confidence=0.25, visits=2)
    svg = pictured(SearchTree(EPISODE, [node(0, None), valued, replace(node(2, 0), confidence=0.25)]))
    labels = [group.findtext(f"{SVG}text") for group in svg.findall(f"{SVG}g")]
    assert labels == ["0 root", "1 look 0.50 × 2", "2 look 0.25"]


@pytest.mark.parametrize("nodes", [chain(1), chain(30), comb(30)])
def test_no_two_nodes_lie_at_one_place_and_all_lie_inside(nodes: list[object]) -> None:
    svg = pictured(SearchTree(EPISODE, nodes), TREE)  # type: ignore[arg-type]
    places = [(float(circle.get("cx", "")), float(circle.get("cy", ""))) for circle in svg.iter(f"{SVG}circle")]
    assert len(set(places)) == len(places) == len(nodes) + 4
    assert all(0 < x < float(svg.get("width", "")) and 0 < y < float(svg.get("height", "")) for x, y in places)


def test_a_label_ends_before_the_branches_to_its_children_and_its_action_is_cut_late() -> None:
    craft = "craft 1 campfire using 3 stick, 1 coals, 3 logs and more of them all, then look around, then wait"
    parent = replace(node(1, 0, craft), value=0.67, visits=1)
    svg = pictured(SearchTree(EPISODE, [node(0, None), parent, node(2, 1, "看" * 99), node(3, 1)]))
    groups = {
        (text := group.findtext(f"{SVG}text") or "").split()[0]: (group, text) for group in svg.findall(f"{SVG}g")
    }
    assert groups["1"][1] == f"1 {craft[:55]}… 0.67 × 1"
    assert (groups["1"][0].findtext(f"{SVG}title") or "").startswith(f"1 {craft}  (value 0.67")
    found = 0
    for group, text in groups.values():
        label = group.find(f"{SVG}text")
        assert label is not None
        end = float(label.get("x", "")) + 6.62 * cell_len(text)  # of a character of 11 pixels in DejaVu Sans Mono
        assert end < float(svg.get("width", ""))
        x, y = (group.find(f"{SVG}circle").get(name) for name in ("cx", "cy"))  # type: ignore[union-attr]
        slopes = [re.fullmatch(rf"M{x} {y}H([\d.]+)L.*", path.get("d", "")) for path in svg.findall(f"{SVG}path")]
        begins = [float(slope[1]) for slope in slopes if slope]
        found += len(begins)
        assert all(end < begin for begin in begins)
    assert found == 3


@given(st.text())
def test_any_text_of_a_world_or_a_model_leaves_the_documents_whole(action: str) -> None:
    tree = SearchTree(EPISODE, [node(0, None), node(1, 0, action)])
    assert len(list(pictured(tree).iter(f"{SVG}circle"))) == 2
    page = tree_picture([tree], action, ".html")
    assert page.count("<circle") == 2
    assert page.count("<table>") == 1


def test_a_page_has_the_picture_and_a_table_and_needs_no_network() -> None:
    page = tree_picture([TREE], "a & b", ".html").replace("<td></td>", "<td />")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<tr>") == 1 + 4
    assert "<td>1</td><td>0</td><td>look</td><td /><td /><td /><td /><td>1</td><td>chosen</td>" in page
    assert not re.search(r"https?://|src=|href=", page)
    assert "<title>a &amp; b</title>" in page
    nodes = [
        node(0, None),
        replace(node(1, 0, "<script>x</script>&"), confidence=0.5),
        replace(node(2, 1), confidence=0.5),
    ]
    page = tree_picture([SearchTree(EPISODE, nodes)], "a run", ".html")
    assert re.findall("<t[hd]>(path|0.25)</t[hd]>", page) == ["path", "0.25"], "the confidence of a path"
    assert "<script" not in page
    assert "&lt;script&gt;x&lt;/script&gt;&amp;" in page


@pytest.mark.parametrize("name", ["tree.png", "tree", "tree.SVG", ".svg"])
def test_a_file_of_another_kind_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"--tree: expected a file named \*\.svg or \*\.html, got "):
        check_form(Path(name))
    assert [check_form(Path(f"tree{form}")) for form in FORMATS] == list(FORMATS)
