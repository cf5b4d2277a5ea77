"""A web page as a reader takes it in: its address, its title, and its nodes in their order."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from quintet.models.sim.webarena.words import web_stems

_NODE = re.compile(
    r"(?P<tabs>\t*)\[(?P<number>\d{1,9})\] (?P<role>[A-Za-z]+) (?P<name>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"(?P<properties>(?: [A-Za-z]+: [^\s\[]+)*)"
)
_PROPERTY = re.compile(r"([A-Za-z]+): (\S+)")
_TABS = re.compile(r"\bTab \d{1,4}(?: \(current\))?: ")
_ADDRESS = re.compile(r"(?:^|\s)URL: (\S+)")
_CUT = re.compile(r"\(cut: \d+ more lines\)")
_ESCAPED = re.compile(r"\\(.)")
_NO_PROPERTIES: Mapping[str, str] = {}

LINKS = frozenset(("link", "button", "tab", "menuitem", "option", "checkbox", "radio", "DisclosureTriangle"))
"""Roles of what can be clicked."""
FIELDS = frozenset(("textbox", "searchbox", "combobox", "spinbutton"))
_CELLS = frozenset(("cell", "gridcell", "rowheader"))


class BrowsedNode(NamedTuple):
    """A node of a page."""

    number: int
    role: str
    name: str
    properties: Mapping[str, str]
    depth: int

    @property
    def stems(self) -> frozenset[str]:
        return web_stems(self.name)


class WebTable(NamedTuple):
    """A table with heads."""

    headers: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    """The places of each row's cells, as many as there are heads."""


@dataclass(frozen=True)
class BrowsedPage:
    """What is seen of a page."""

    url: str
    """As it is shown, without its last slash; empty where it is not."""
    nodes: tuple[BrowsedNode, ...]
    cut: bool
    """Its end is not shown."""

    def __hash__(self) -> int:
        return hash((self.url, len(self.nodes)))

    @cached_property
    def title(self) -> str:
        return next((node.name for node in self.nodes if node.role == "RootWebArea"), "")

    @cached_property
    def heading_stems(self) -> frozenset[str]:
        """The words of its title, its address and its first heading, of what is chosen, and of groups of fields."""
        shown = [node.name for node in self.nodes if node.role == "group" or _is_chosen(node)]
        return web_stems(" ".join((self.title, self.heading, self.url.partition("://")[2].partition("/")[2], *shown)))

    @cached_property
    def heading(self) -> str:
        """The first one."""
        return next((node.name for node in self.nodes if node.role == "heading"), "")

    @cached_property
    def is_search(self) -> bool:
        """It lists what a search found, so its title repeats what was searched for."""
        return bool(web_stems(f"{self.title} {self.heading}") & web_stems("search"))

    @cached_property
    def all_stems(self) -> frozenset[str]:
        """The words of all of it."""
        return self.heading_stems.union(*(node.stems for node in self.nodes))

    @cached_property
    def doors(self) -> tuple[BrowsedNode, ...]:
        """What can be clicked to see something else, each name once."""
        found: dict[str, BrowsedNode] = {}
        for node in self.nodes:
            if _opens(node):
                found.setdefault(node.name, node)
        return tuple(found.values())

    @cached_property
    def nearer_doors(self) -> Mapping[str, BrowsedNode]:
        """By name: what a navigation of the page offers, where the site's own head may offer the same of all pages."""
        places = [place for place, node in enumerate(self.nodes) if node.role == "navigation"]
        below = (self.nodes[each] for place in places for each in self._below(place))
        return {node.name: node for node in below if _opens(node)}

    @cached_property
    def footer(self) -> int:
        """Where the part begins that is below every page."""
        last = (place for place, node in enumerate(self.nodes) if node.role == "contentinfo")
        return next(last, len(self.nodes))

    @cached_property
    def heads_of_columns(self) -> frozenset[int]:
        """The numbers of links in heads of columns, which sort."""
        return frozenset(node.number for before, node in pairwise(self.nodes) if before.role == "columnheader")

    @cached_property
    def rows(self) -> Mapping[int, tuple[int, ...]]:
        """By the place of a cell: the places of the cells of its row."""
        found: dict[int, tuple[int, ...]] = {}
        for place, node in enumerate(self.nodes):
            if node.role == "row":
                cells = tuple(each for each in self._below(place) if self.nodes[each].role in _CELLS)
                for each in self._below(place):
                    found[each] = cells
        return found

    @cached_property
    def tables(self) -> tuple[WebTable, ...]:
        """Those that have heads."""
        found: list[WebTable] = []
        for place, node in enumerate(self.nodes):
            if node.role == "table":
                below = tuple(self._below(place))
                heads = tuple(self.nodes[each].name for each in below if self.nodes[each].role == "columnheader")
                rows = (self.rows.get(each + 1, ()) for each in below if self.nodes[each].role == "row")
                found.append(WebTable(heads, tuple(row for row in rows if len(row) == len(heads) > 0)))
        return tuple(found)

    @cached_property
    def heads(self) -> Mapping[int, str]:
        """By the place of a cell: the head of its column."""
        return {
            place: head
            for table in self.tables
            for row in table.rows
            for place, head in zip(row, table.headers, strict=True)
        }

    def _below(self, place: int) -> Iterator[int]:
        depth = self.nodes[place].depth
        for each in range(place + 1, len(self.nodes)):
            if self.nodes[each].depth <= depth:
                return
            yield each

    def named(self, number: int) -> BrowsedNode | None:
        """The node with a number."""
        return next((node for node in self.nodes if node.number == number), None)


def _is_chosen(node: BrowsedNode) -> bool:
    return node.role == "option" and node.properties.get("selected") == "True"


def _opens(node: BrowsedNode) -> bool:
    """Whether a click shows something else, and changes nothing."""
    if node.role == "button":
        return node.properties.get("expanded") == "False"
    return node.role in LINKS - {"option", "checkbox", "radio"}


@lru_cache(maxsize=4096)
def read_web_page(text: str) -> BrowsedPage | None:
    """The page that a text shows, in lines or as one line; None: it shows none."""
    if not _TABS.search(text):
        return None
    nodes = tuple(_node(*found) for found in _NODE.findall(text))
    address = _ADDRESS.findall(text)
    return BrowsedPage(address[-1].rstrip("/") if address else "", nodes, _CUT.search(text) is not None)


def _node(tabs: str, number: str, role: str, name: str, properties: str) -> BrowsedNode:
    plain = name[1:-1]
    return BrowsedNode(
        int(number),
        role,
        _ESCAPED.sub(r"\1", plain) if "\\" in plain else plain,
        _properties(properties) if properties else _NO_PROPERTIES,
        len(tabs),
    )


@lru_cache(maxsize=1024)
def _properties(written: str) -> Mapping[str, str]:
    return dict(_PROPERTY.findall(written))
