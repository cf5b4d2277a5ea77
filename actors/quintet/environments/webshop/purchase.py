"""Purchases: the best for a goal, and the actions that make one from any page."""

from collections.abc import Mapping

from msgspec import Struct

from quintet.environments.webshop import pages
from quintet.environments.webshop.catalogue.catalogue import Catalogue
from quintet.environments.webshop.goals.instructions import Goal
from quintet.environments.webshop.pages import ShopPosition, buttons, item_page
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.reward.score import option_fits
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


_ON_FIRST_PAGE = 3
"""The products that the first page of results shows at any setting of the papers."""


def best_purchase(catalogue: Catalogue, goal: Goal) -> Purchase | None:
    """The best purchase of the goal's product, with the search that lists it first or nearly so.

    None: the product is not there, or no search that was tried finds it.
    """
    number = catalogue.number(goal.asin)
    if number is None:
        return None
    product = catalogue.product(number)
    options = fewest_choices(product, goal)
    best: tuple[int, str] | None = None
    for query in _searches(product, options):
        hits = catalogue.search(query.lower())
        if number in hits and (best is None or hits.index(number) < best[0]):
            best = hits.index(number), query
        if best is not None and best[0] < _ON_FIRST_PAGE:
            break
    return None if best is None else Purchase(best[1], goal.asin, options)


def fewest_choices(product: Product, goal: Goal) -> Mapping[str, str]:
    """The smallest choice of options that fits as many of the wanted ones as any does.

    Of values that can be clicked: not of one that a button or a later option's value of the same name hides.
    """
    clickable = buttons(item_page(product, ()))
    asked = {wanted.value for wanted in goal.options}
    best: dict[frozenset[int], Mapping[str, str]] = {frozenset(): {}}
    for name, values in product.options.items():
        without = dict(best)
        # The very words first: the score takes `set of 2` for `set of 6`, a customer does not.
        for value in sorted(values, key=lambda value: value not in asked):
            if not value or clickable[value] != name:
                continue
            fits = {place for place, wanted in enumerate(goal.options) if option_fits(wanted, value)}
            for reached, choice in without.items():
                more = reached | fits
                if more not in best or len(choice) + 1 < len(best[more]):
                    best[more] = {**choice, name: value}
    return best[min(best, key=lambda reached: (-len(reached), len(best[reached])))]


def _searches(product: Product, options: Mapping[str, str]) -> tuple[str, ...]:
    """Short ones first, since of equally good searches the first is taken."""
    first = product.bullets[0] if product.bullets else ""
    chosen = " ".join(options.values())
    everything = " ".join((product.title, first, *(value for values in product.options.values() for value in values)))
    return product.query, f"{product.query} {chosen}", product.title, f"{product.title} {chosen}", everything
