"""What a page lists: products, posts, messages and rows, each with its link and all that is said of it."""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.words import web_stems

_HOLDERS = frozenset(("row", "article", "listitem"))
_NAMES = "heading"
_NO_WORDS = frozenset(("button", "columnheader"))


class WebItem(NamedTuple):
    """One of several of its kind on a page."""

    begin: int
    end: int
    """Places of its nodes; the end is none of them."""
    link: BrowsedNode | None
    """What opens it."""
    stems: frozenset[str]
    """The words of all of it, without its buttons."""

    def nodes(self, page: BrowsedPage) -> tuple[BrowsedNode, ...]:
        """All that is said of it."""
        return page.nodes[self.begin : self.end]


@lru_cache(maxsize=1024)
def items_on(page: BrowsedPage) -> tuple[WebItem, ...]:
    """What a page lists, in its order; a thing in another is none of its own."""
    found: list[WebItem] = []
    place = 0
    while place < len(page.nodes):
        end = _end(page, place)
        if end is None:
            place += 1
        else:
            found.append(_item(page, place, end))
            place = end
    return tuple(found)


def item_with(page: BrowsedPage, node: BrowsedNode) -> WebItem | None:
    """The item that a node stands in."""
    return next((item for item in items_on(page) if node in item.nodes(page)), None)


def _end(page: BrowsedPage, place: int) -> int | None:
    """Where the item that begins here ends; None: none begins here."""
    node, below = page.nodes[place], place + 1
    if node.role in _HOLDERS:
        end = next((each for each in range(below, len(page.nodes)) if page.nodes[each].depth <= node.depth), None)
        end = len(page.nodes) if end is None else end
        return end if _says_something(page.nodes[below:end]) else None
    if node.role != _NAMES or below == len(page.nodes) or page.nodes[below].role != "link":
        return None
    if page.nodes[below].depth <= node.depth:
        return None
    after = range(below, len(page.nodes))
    return next((each for each in after if _is_beyond(page.nodes[each], node)), len(page.nodes))


def _says_something(nodes: tuple[BrowsedNode, ...]) -> bool:
    return any(node.name.strip() and node.role not in _NO_WORDS for node in nodes) and not any(
        node.role == "columnheader" for node in nodes
    )


def _is_beyond(node: BrowsedNode, heading: BrowsedNode) -> bool:
    return node.depth < heading.depth or (node.role in (_NAMES, "navigation") and node.depth <= heading.depth)


def _item(page: BrowsedPage, begin: int, end: int) -> WebItem:
    nodes = page.nodes[begin:end]
    links = [node for node in nodes if node.role == "link" and node.name.strip()]
    named = [node for before, node in pairwise(nodes) if node in links and before.role == _NAMES]
    said = " ".join(node.name for node in nodes if node.role not in _NO_WORDS)
    return WebItem(begin, end, next(iter((*named, *links)), None), web_stems(said))
