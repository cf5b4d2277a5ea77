"""Which things of a list are sought: by the words that are said of them, by their days, and by a superlative."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

from quintet.models.sim.webarena.listing import WebItem, items_on
from quintet.models.sim.webarena.ordering import in_wrong_order, meant_item, sorts, times_in, turns, valued_items
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.periods import Period
from quintet.models.sim.webarena.picture import WebPicture, plain_name
from quintet.models.sim.webarena.ranks import WebRank
from quintet.models.sim.webarena.words import web_stems


@lru_cache(maxsize=1024)
def said_of_links(page: BrowsedPage) -> Mapping[int, frozenset[str]]:
    """By the number of a link that opens something in a list: the words of all that is said of it there."""
    return {item.link.number: item.stems for item in items_on(page) if item.link is not None}


@lru_cache(maxsize=1024)
def dated_items(page: BrowsedPage, period: Period) -> tuple[bool, tuple[WebItem, ...]]:
    """Whether a page lists things with days, and those of them that are of a period."""
    dated = [(day, item) for item in items_on(page) if (day := _day_of(item, page)) is not None]
    return bool(dated), tuple(item for day, item in dated if period.has(day.date()))


def _day_of(item: WebItem, page: BrowsedPage) -> datetime | None:
    times = (time for node in item.nodes(page) for time in times_in(node.name))
    return next(times, None)


def sorters(page: BrowsedPage, rank: WebRank, seen: WebPicture) -> list[BrowsedNode]:
    """What puts the list into order, if none of it was used on the way here; links before options."""
    found = [node for node in page.nodes if sorts(node, rank) and node.properties.get("selected") != "True"]
    if is_ordered(page, rank, seen):
        return [node for node in page.nodes if in_wrong_order(page, rank) and turns(node)]
    return sorted(found, key=lambda node: node.role != "link")


def is_ordered(page: BrowsedPage, rank: WebRank, seen: WebPicture) -> bool:
    """Whether the way here put the list into order, or nothing on the page does."""
    return was_ordered(rank, seen) or not any(sorts(node, rank) for node in page.nodes)


def was_ordered(rank: WebRank, seen: WebPicture) -> bool:
    """Whether a list was put into the order of a superlative."""
    return any(_sorts_by_name(deed.role, deed.name, rank) for deed in seen.trail)


def meant_on(page: BrowsedPage, rank: WebRank, seen: WebPicture) -> WebItem | None:
    """What a superlative means on a list that is in order; None: it is not in order, or is none."""
    ready = len(valued_items(page, rank)) > 1 and is_ordered(page, rank, seen) and not in_wrong_order(page, rank)
    return meant_item(page, rank) if ready else None


def was_picked(rank: WebRank, seen: WebPicture, named: frozenset[str]) -> bool:
    """Whether the last click opened what the superlative means, on a page of what is named or on the way from one."""
    last = seen.last
    before = None if last is None or last.typed else seen.pages.get(last.url)
    if last is None or before is None:
        return False
    item = meant_item(before, rank)
    followed = frozenset[str]().union(*(web_stems(deed.name) for deed in seen.trail if not deed.typed))
    meant = item is not None and item.link is not None and plain_name(item.link.name) == last.name
    return meant and named <= before.heading_stems | followed


def _sorts_by_name(role: str, name: str, rank: WebRank) -> bool:
    return sorts(BrowsedNode(0, role, name, {}, 0), rank)
