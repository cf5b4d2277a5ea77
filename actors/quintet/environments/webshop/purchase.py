"""Purchases, and the actions that make them from any page."""

from collections.abc import Mapping

from msgspec import Struct

from quintet.environments.webshop import pages
from quintet.environments.webshop.pages import ShopPosition
from quintet.environments.webshop.storefront import Storefront


class Purchase(Struct, frozen=True):
    """A purchase, and a search that finds the product."""

    query: str
    asin: str
    options: Mapping[str, str] = {}
    """The values to choose by option."""


def first_product(front: Storefront, query: str) -> Purchase | None:
    """The first product that a search finds, as it is; None: it finds nothing."""
    hits = front.catalogue.search(query.lower())
    return Purchase(query, front.catalogue.product(hits[0]).asin) if hits else None


def actions_to_buy(front: Storefront, now: ShopPosition, purchase: Purchase) -> tuple[str, ...] | None:
    """The fewest actions that make a purchase from a position; None: its search does not find the product."""
    buy = _buy(now.chosen if now.asin == purchase.asin else (), purchase)
    if now.asin == purchase.asin:
        return buy if now.page == "item" else (_click(pages.PREVIOUS), *buy)
    at = front.page_of(purchase.query, purchase.asin)
    if at is None:
        return None
    if now.page == "results" and now.query == purchase.query.lower() and now.number <= at:
        way = [_click(pages.NEXT_PAGE)] * (at - now.number)
    else:
        back = [] if now.page == "search" else [_click(pages.BACK_TO_SEARCH)]
        way = [*back, f"search[{purchase.query}]", *[_click(pages.NEXT_PAGE)] * (at - 1)]
    return (*way, _click(purchase.asin), *buy)


def _buy(chosen: tuple[tuple[str, str], ...], purchase: Purchase) -> tuple[str, ...]:
    missing = (value for option in purchase.options.items() if option not in chosen for value in option[1:])
    return (*map(_click, missing), _click(pages.BUY_NOW))


def _click(label: str) -> str:
    return f"click[{label.lower()}]"
