"""How far an attempt in the shop has come: what was found, chosen and bought."""

from collections.abc import Iterator

from quintet.models.sim.webshop.pages import ItemPage, ResultsPage
from quintet.models.sim.webshop.shopping import Shopping

_MOST_OF_IT = 0.99
"""The most that something counts which does not reach the goal."""


def reaches_goal(shop: Shopping) -> bool:
    """Whether what the goal asks for has happened. A purchase is one, however well it fits."""
    seen, here = shop.seen, shop.seen.here
    match shop.goal.purpose:
        case "search":
            return isinstance(seen.page, ResultsPage) and bool(seen.queries)
        case "find":
            return shop.settles()
        case "shortlist":
            open_now = isinstance(seen.page, ItemPage) and here in seen.products
            by_title = here in seen.listed and shop.buyer.of_listing(seen.listed[here]).fits
            return open_now and (by_title or shop.fit(here).fits)
        case "match":
            open_now = isinstance(seen.page, ItemPage) and shop.target() in ("", here)
            return open_now and shop.fit(here).fits
        case "buy" | "shop":
            return seen.bought is not None


def progress_of(shop: Shopping) -> float:
    """How far the attempt has come, in [0, 1]; 1: all that was wanted is reached, by the reader's own judgement."""
    if reaches_goal(shop):
        return 1.0 if shop.goal.purpose not in ("buy", "shop") else _worth(shop)
    shares = [share for _, share in parts(shop)]
    return min(_MOST_OF_IT, sum(shares) / len(shares))


def _worth(shop: Shopping) -> float:
    """How well a purchase fits; a product that the reader does not know is taken to fit."""
    bought = shop.seen.bought
    if bought is None or bought not in shop.seen.products:
        return 1.0
    fit, left = shop.fit(bought), len(shop.to_choose())
    if fit.fits and not left:
        return 1.0
    all_of_it = len(shop.goal.wanted.words) + 1
    return min(_MOST_OF_IT, max(0, all_of_it - len(fit.missing) - left - (not fit.price)) / all_of_it)


def parts(shop: Shopping) -> Iterator[tuple[str, float]]:
    """The parts of shopping in words, each with how far it is done."""
    seen, best = shop.seen, shop.best()
    yield "search for products", float(bool(seen.listed or seen.products))
    yield "find a product that fits", 0.0 if best is None else shop.fit(best).share if not shop.fit(best).fits else 1.0
    meant = shop.buyer.meant(seen.here, seen.products[seen.here]) if shop.chooses and seen.here in seen.products else {}
    yield from ((f"choose {value}", float(value in seen.chosen)) for value in meant.values())
    yield "buy it", float(seen.bought is not None)
