"""Search trees as a picture: SVG, or a page of HTML with the picture and a table. Both open without a network."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from rich.cells import cell_len

from quintet.errors import UsageError
from quintet.events import NodeGrown
from quintet.reports.trees import SearchTree, action_text, node_facts, node_text, tree_heading

FORMATS: Final = (".svg", ".html")

_EDGE, _ROW, _MARGIN = 64, 20, 20
"""Pixels: between the longest label of a depth and the nodes of the next, between two leaves, and around everything."""
_CELL: Final = 7
"""Pixels: at least the width of a character of 11 pixels in a monospaced font; wide ones have two cells."""
_LABEL: Final = 56
"""Characters of an action in the picture; a tooltip has all of it."""
_LEGEND: Final = (
    "After an action: its value, else its confidence, and its visits. Green: chosen. Grey: pruned. Ring: full reward."
)
_STYLE: Final = """
svg { font: 11px monospace; background: white }
text { fill: #222 } .heading { font-weight: bold } .stopped { fill: #a33 }
path { fill: none; stroke: #bbb } path.chosen { stroke: #2a7; stroke-width: 3 }
circle { fill: #69c; stroke: #357 } .pruned circle { fill: #ddd; stroke: #bbb } .pruned text { fill: #999 }
.chosen circle { fill: #2a7; stroke: #174 } circle.rewarded { stroke: #e90; stroke-width: 3 }
table { border-collapse: collapse; font: 13px sans-serif } td, th { border: 1px solid #ccc; padding: 2px 6px }
"""
_NO_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML document may contain."""


def tree_picture(trees: Sequence[SearchTree], title: str, form: str) -> str:
    """The document."""
    svg = _svg(trees, title)
    if form == ".svg":
        svg.set("xmlns", "http://www.w3.org/2000/svg")
        return ElementTree.tostring(svg, encoding="unicode") + "\n"
    page = Element("html", lang="en")
    head = SubElement(page, "head")
    SubElement(head, "meta", charset="utf-8")
    _text(head, "title", title)
    body = SubElement(page, "body")
    _text(body, "h1", title)
    body.append(svg)
    for tree in trees:
        _add_table(body, tree)
    return "<!DOCTYPE html>\n" + ElementTree.tostring(page, encoding="unicode", method="html") + "\n"


def check_form(file: Path) -> str:
    """The format that a file's name asks for; a `UsageError` if it is none of `FORMATS`."""
    if file.suffix not in FORMATS:
        raise UsageError(f"--tree: expected a file named {' or '.join(f'*{form}' for form in FORMATS)}, got {file}")
    return file.suffix


def _svg(trees: Sequence[SearchTree], title: str) -> Element:
    svg = Element("svg", role="img")
    _text(svg, "title", title)
    _text(svg, "style", _STYLE)
    _text(svg, "text", _LEGEND, x=_MARGIN, y=_MARGIN)
    bottom, right = _MARGIN + 2.0 * _ROW, float(_MARGIN + _width(_LEGEND))
    for tree in trees:
        _text(svg, "text", tree_heading(tree), x=_MARGIN, y=bottom, **{"class": "heading"})
        labels = {number: _label(node) for number, node in tree.nodes.items()}
        places = _places(tree, labels, bottom + _ROW)
        svg.extend(_edges(tree, places))
        for number, (x, y) in places.items():
            svg.append(_node(tree.nodes[number], labels[number], tree.path_confidences.get(number), x, y))
        bottom = max(y for _, y in places.values()) + _ROW
        right = max(right, *(x + _width(labels[number]) for number, (x, _) in places.items()))
        for branch in tree.stopped:
            stopped = f"stopped: {branch}"
            _text(svg, "text", stopped, x=_MARGIN, y=bottom, **{"class": "stopped"})
            right = max(right, _MARGIN + _width(stopped))
            bottom += _ROW
        bottom += _ROW
    svg.set("width", f"{right + _MARGIN:g}")
    svg.set("height", f"{bottom:g}")
    return svg


def _places(tree: SearchTree, labels: Mapping[int, str], top: float) -> dict[int, tuple[float, float]]:
    """By node, where it lies: right of the labels above it, leaves below each other, a parent amid its children."""
    nodes = [(node.node, depth) for node, depth in tree.walk()]
    heights: dict[int, float] = {}
    widths: defaultdict[int, int] = defaultdict(int)
    for number, depth in nodes:
        widths[depth] = max(widths[depth], _width(labels[number]) + _EDGE)
    lefts = list(accumulate((widths[depth] for depth in range(len(widths))), initial=_MARGIN))
    for number, _ in nodes:
        if not tree.children[number]:
            heights[number] = top + _ROW * len(heights)
    for number, _ in reversed(nodes):
        if children := tree.children[number]:
            heights[number] = (heights[children[0]] + heights[children[-1]]) / 2
    return {number: (lefts[depth], heights[number]) for number, depth in nodes}


def _edges(tree: SearchTree, places: dict[int, tuple[float, float]]) -> Iterator[Element]:
    edges = [(number, child) for number, children in tree.children.items() for child in children]
    for number, child in sorted(edges, key=lambda edge: tree.nodes[edge[1]].standing == "chosen"):  # those on top
        (x, y), (to_x, to_y) = places[number], places[child]
        bend = to_x - _EDGE / 4
        edge = Element("path", d=f"M{x:g} {y:g}H{to_x - _EDGE * 3 / 4:g}L{bend:g} {to_y:g}H{to_x:g}")
        if tree.nodes[child].standing == "chosen":
            edge.set("class", "chosen")
        yield edge


def _label(node: NodeGrown) -> str:
    facts = node_facts(node)
    known = [facts[name] for name in ("value", "confidence") if name in facts][:1]
    known += [f"× {facts[name]}" for name in ("visits",) if name in facts]
    return " ".join([str(node.node), action_text(node, _LABEL), *known])


def _width(text: str) -> int:
    """Pixels, with the distance of a label from its node."""
    return 8 + _CELL * cell_len(text)


def _node(node: NodeGrown, label: str, path: float | None, x: float, y: float) -> Element:
    group = Element("g", {"class": node.standing})
    _text(group, "title", node_text(node, path, len(node.action)))
    circle = SubElement(group, "circle", cx=f"{x:g}", cy=f"{y:g}", r="5")
    if node.reward >= 1:
        circle.set("class", "rewarded")
    _text(group, "text", label, x=x + 8, y=y - 4)
    return group


def _add_table(body: Element, tree: SearchTree) -> None:
    _text(body, "h2", tree_heading(tree))
    for branch in tree.stopped:
        _text(body, "p", f"stopped: {branch}")
    names = ("value", "confidence", "path", "visits", "reward")
    table = SubElement(body, "table")
    row = SubElement(table, "tr")
    for name in ("node", "parent", "action", *names, "standing"):
        _text(row, "th", name)
    for node in tree.nodes.values():
        facts = node_facts(node, tree.path_confidences.get(node.node))
        row = SubElement(table, "tr")
        parent = "" if node.parent is None else str(node.parent)
        for cell in (str(node.node), parent, node.action, *(facts.get(name, "") for name in names), node.standing):
            _text(row, "td", cell)


def _text(above: Element, tag: str, text: str, **attributes: object) -> None:
    element = SubElement(above, tag, {name: str(value) for name, value in attributes.items()})
    element.text = _NO_XML.sub("\ufffd", text)
