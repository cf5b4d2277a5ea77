"""Compares addresses as the released URL evaluator does: `GOLD in PRED`."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

ALTERNATIVES = " |OR| "


class _Address(NamedTuple):
    place: str
    """Host and path."""
    query: Mapping[str, list[str]]


def url_matches(reference: str, url: str) -> bool:
    """Whether an address is one that a task may end on.

    It is if it contains host and path of an alternative, and each key of any alternative's query with one of the values
    that the alternatives have for it. Schemes, fragments and a slash at the very end make no difference.

    Args:
        reference: real addresses, with ` |OR| ` between alternatives.
        url: the real address where the task ended.

    Source: WebArena's released URL evaluator, where the query's keys too are those of all alternatives.
    """
    ended = _read(url)
    wanted = [_read(alternative) for alternative in reference.split(ALTERNATIVES)]
    values: defaultdict[str, set[str]] = defaultdict(set)
    for each in wanted:
        for key, allowed in each.query.items():
            values[key].update(allowed)
    at_place = any(each.place in ended.place for each in wanted)
    return at_place and all(allowed.intersection(ended.query.get(key, ())) for key, allowed in values.items())


def _read(url: str) -> _Address:
    try:
        parts = urlsplit(url.strip().rstrip("/"))
        return _Address(parts.netloc + parts.path, parse_qs(parts.query))
    except ValueError:
        # Such as `http://[`: no page has this address.
        return _Address(url, {})
