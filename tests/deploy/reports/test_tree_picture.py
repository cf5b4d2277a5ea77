"""Search trees as pictures."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from quintet.errors import UsageError
from quintet.reports.tree_picture import FORMATS, check_form, tree_picture
from quintet.reports.trees import SearchTree, StoppedBranch
from tests.deploy.trees import EPISODE, chain, comb, node

SVG = "{http://www.w3.org/2000/svg}"
TREE = SearchTree(
    EPISODE,
    [node(0, None), replace(node(1, 0, standing="chosen"), reward=1.0), node(2, 0, standing="pruned"), node(3, 1)],
    [StoppedBranch(EPISODE, node=1)],
)


def drawn(*trees: SearchTree) -> ElementTree.Element:
    return ElementTree.fromstring(tree_picture(trees, "a run", ".svg"))


def test_every_node_is_a_circle_with_a_tooltip_and_every_edge_a_line() -> None:
    svg = drawn(TREE)
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
    svg = drawn(SearchTree(EPISODE, [node(0, None), valued, replace(node(2, 0), confidence=0.25)]))
    labels = [group.findtext(f"{SVG}text") for group in svg.findall(f"{SVG}g")]
    assert labels == ["0 root", "1 look 0.50 × 2", "2 look 0.25"]


@pytest.mark.parametrize("nodes", [chain(1), chain(30), comb(30)])
def test_no_two_nodes_lie_at_one_place_and_all_lie_inside(nodes: list[object]) -> None:
    svg = drawn(SearchTree(EPISODE, nodes), TREE)  # type: ignore[arg-type]
    places = [(float(circle.get("cx", "")), float(circle.get("cy", ""))) for circle in svg.iter(f"{SVG}circle")]
    assert len(set(places)) == len(places) == len(nodes) + 4
    assert all(0 < x < float(svg.get("width", "")) and 0 < y < float(svg.get("height", "")) for x, y in places)


def test_a_label_ends_before_the_branches_to_its_children_and_its_action_is_cut_late() -> None:
    craft = "craft 1 campfire using 3 stick, 1 coals, 3 logs and more of them all, then look around, then wait"
    parent = replace(node(1, 0, craft), value=0.67, visits=1)
    svg = drawn(SearchTree(EPISODE, [node(0, None), parent, node(2, 1, "看" * 99), node(3, 1)]))
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
    assert len(list(drawn(tree).iter(f"{SVG}circle"))) == 2
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
