"""Common sense about households: the usual places of things. The order of a search, with it and without."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

CLOSED = frozenset({"cabinet", "drawer", "fridge", "microwave", "safe"})
"""Kinds of places that have doors, so that looking into them takes two actions."""

_ANYWHERE = (
    "countertop diningtable desk sidetable dresser coffeetable shelf bed sofa armchair tvstand ottoman cart sinkbasin "
    "toilet bathtubbasin stoveburner coffeemachine garbagecan laundryhamper toaster towelholder handtowelholder "
    "toiletpaperhanger fridge microwave safe drawer cabinet"
)
"""Places to search for any object: first those that hold much and are open."""

_USUAL: Mapping[str, str] = {
    "apple bread egg lettuce potato tomato": "countertop diningtable fridge sinkbasin garbagecan microwave",
    "bowl cup glassbottle mug plate winebottle": (
        "countertop diningtable shelf sinkbasin coffeemachine fridge microwave cabinet sidetable"
    ),
    "kettle pan pot": "stoveburner countertop diningtable sinkbasin shelf cabinet",
    "butterknife fork knife ladle spatula spoon": "countertop diningtable sinkbasin drawer",
    "peppershaker saltshaker": "countertop diningtable shelf cabinet drawer sidetable",
    "dishsponge papertowelroll": "countertop sinkbasin toilet garbagecan cart shelf drawer cabinet",
    "soapbar soapbottle spraybottle toiletpaper": (
        "toilet countertop sinkbasin bathtubbasin garbagecan toiletpaperhanger cart shelf cabinet drawer"
    ),
    "cloth handtowel towel": (
        "countertop bathtubbasin sinkbasin towelholder handtowelholder toilet cart shelf dresser laundryhamper drawer "
        "cabinet"
    ),
    "candle tissuebox": "countertop toilet sidetable coffeetable shelf cart dresser desk drawer",
    "alarmclock book cd cellphone creditcard keychain laptop pen pencil watch": (
        "desk sidetable dresser coffeetable bed sofa diningtable armchair shelf tvstand ottoman countertop drawer "
        "garbagecan safe"
    ),
    "box newspaper remotecontrol statue vase": (
        "coffeetable sofa armchair diningtable sidetable dresser tvstand shelf desk ottoman countertop drawer"
    ),
    "pillow": "bed sofa armchair ottoman",
    "desklamp": "desk sidetable dresser shelf diningtable coffeetable drawer",
}
"""By objects: where they usually are, the likeliest first."""

_LIKELY = {thing: places.split() for things, places in _USUAL.items() for thing in things.split()}


def likely_kinds(room: Iterable[str], thing: str, shown: Sequence[str] | None = None) -> list[str]:
    """The kinds of places in a room, in the order in which one looks for a thing.

    Args:
        room: its places, as the room lists them.
        thing: its kind.
        shown: for one without common sense, the kinds of places where texts show such things; then as the room lists
            them. None: common sense.
    """
    there = dict.fromkeys(place.split()[0] for place in room)
    order = shown if shown is not None else (*_LIKELY.get(thing, ()), *_ANYWHERE.split())
    return list(dict.fromkeys((*(kind for kind in order if kind in there), *there)))


def of_kind(room: Iterable[str], kind: str) -> list[str]:
    """The places of a kind, by number."""
    return sorted((place for place in room if place.split()[0] == kind), key=lambda place: int(place.split()[1]))


def likely_places(
    room: tuple[str, ...], thing: str, admits: Callable[[str], bool], shown: tuple[str, ...] | None = None
) -> list[str]:
    """The places in a room that are admitted, in the order in which one looks for a thing; see `likely_kinds`."""
    return [place for place in _search_order(room, thing, shown) if admits(place)]


@lru_cache(maxsize=4096)
def _search_order(room: tuple[str, ...], thing: str, shown: tuple[str, ...] | None) -> tuple[str, ...]:
    if shown is not None:
        return tuple(sorted(room, key=lambda place: _rank(place.split()[0], shown)))
    return tuple(place for kind in likely_kinds(room, thing) for place in of_kind(room, kind))


def _rank(kind: str, shown: tuple[str, ...]) -> int:
    return shown.index(kind) if kind in shown else len(shown)
