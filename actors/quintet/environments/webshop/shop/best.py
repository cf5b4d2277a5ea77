"""The best purchase for a goal: of the product that it was written about, with the fewest choices of options."""

from collections.abc import Mapping

from quintet.environments.webshop.catalogue.catalogue import Catalogue
from quintet.environments.webshop.goals.goal import Goal
from quintet.environments.webshop.pages import buttons, item_page
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.purchase import Purchase
from quintet.environments.webshop.reward.matching import option_fits

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
