"""The order of a list: which of its items a superlative means, and which control of the page puts it first."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from quintet.models.sim.webarena.listing import WebItem, items_on
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.ranks import WebRank
from quintet.models.sim.webarena.words import web_stems

_MONEY = re.compile(r"\$ ?(\d[\d,]*(?:\.\d+)?)")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TIME = re.compile(r"[A-Z][a-z]{2} \d{1,2}, \d{4}(?:, \d\d:\d\d)?|\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d")
_TIMES = ("%b %d, %Y, %H:%M", "%b %d, %Y", "%m/%d/%Y", "%Y-%m-%d")
_BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001 (pages say no time zone)
_BY_TIME = web_stems("new newest date created old oldest recent")
_BY_VALUE = web_stems("top best popular highest")
_VOTES = web_stems("votes points score likes")
_OF_ORDER = web_stems("by sort ascending descending most first")
_BY = re.compile(r"(?:(?:sort |order )?by|most)\b", re.IGNORECASE)
_PRICE = web_stems("price")
_TURNS = web_stems("descending ascending")
_CONTROLS = frozenset(("link", "option", "tab", "radio"))


def sorts(node: BrowsedNode, rank: WebRank) -> bool:
    """Whether a control puts a list into the order of a superlative, or into its reverse."""
    stems = node.stems
    if node.role not in _CONTROLS or not stems:
        return False
    by = _BY_TIME if rank.of_time else rank.measure | _BY_VALUE if rank.measure & _VOTES else rank.measure
    opposite = web_stems("old oldest") if rank.highest else web_stems("new newest")
    if rank.of_time and stems & opposite:
        return False
    return bool(stems & by) and (stems <= by | _OF_ORDER)


def is_sorter(node: BrowsedNode) -> bool:
    """Whether a control only puts a list into some order."""
    if node.role not in _CONTROLS or not node.stems:
        return False
    return node.stems <= _BY_TIME | _BY_VALUE | _OF_ORDER or _BY.match(node.name) is not None


def turns(node: BrowsedNode) -> bool:
    """Whether a control reverses the order."""
    return node.role in ("link", "button") and bool(node.stems & _TURNS)


@lru_cache(maxsize=1024)
def valued_items(page: BrowsedPage, rank: WebRank) -> tuple[tuple[float, WebItem], ...]:
    """The items of a page that say what a superlative compares, with it, in the order of the page."""
    found = ((_value(item, page, rank), item) for item in items_on(page))
    return tuple((value, item) for value, item in found if value is not None)


def in_wrong_order(page: BrowsedPage, rank: WebRank) -> bool:
    """Whether a list is sorted, and the meant item stands at its end."""
    values = [value for value, _ in valued_items(page, rank)]
    rises = values == sorted(values)
    falls = values == sorted(values, reverse=True)
    return rises != falls and (rises if rank.highest else falls)


def meant_item(page: BrowsedPage, rank: WebRank) -> WebItem | None:
    """The item that a superlative means, of those in view."""
    items = sorted(valued_items(page, rank), key=lambda each: -each[0] if rank.highest else each[0])
    return items[rank.place][1] if len(items) > rank.place else None


def _value(item: WebItem, page: BrowsedPage, rank: WebRank) -> float | None:
    texts = [node.name for node in item.nodes(page)]
    if rank.of_time:
        times = (time for text in texts for time in times_in(text))
        return next(((time - _BEGINNING).total_seconds() for time in times), None)
    if rank.measure == _PRICE:
        sums = (_MONEY.search(text) for text in texts)
        return next((_number(found[1]) for found in sums if found), None)
    return next(_figures(item, page, rank), None)


def _figures(item: WebItem, page: BrowsedPage, rank: WebRank) -> Iterator[float]:
    """Figures beside the words of what is compared, or in the column of that name."""
    for place in range(item.begin, item.end):
        node = page.nodes[place]
        said = web_stems(f"{page.heads.get(place, '')} {node.name}")
        if said & rank.measure and (found := _FIGURE.search(node.name)):
            yield _number(found[0])


def times_in(text: str) -> Iterator[datetime]:
    """The moments that a text names."""
    for found in _TIME.finditer(text):
        for form in _TIMES:
            try:
                yield datetime.strptime(found[0], form)  # noqa: DTZ007 (pages say no time zone)
                break
            except ValueError:
                continue


def _number(text: str) -> float:
    return float(text.replace(",", ""))
