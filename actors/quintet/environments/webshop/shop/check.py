"""Checks a shop: whether each goal can be reached, by the best purchase and its score."""

from collections.abc import Iterator

from msgspec import Struct

from quintet.environments.webshop.purchase import Purchase
from quintet.environments.webshop.reward.score import Nouns, PurchaseScore, score_purchase
from quintet.environments.webshop.shop.best import best_purchase
from quintet.environments.webshop.shop.shop import Shop


class CheckedGoal(Struct, frozen=True):
    """A goal, and the best purchase for it."""

    task: str
    split: str
    purchase: Purchase | None
    """None: no search that was tried finds its product."""
    score: PurchaseScore | None


def check_goals(shop: Shop, nouns: Nouns) -> Iterator[CheckedGoal]:
    """Check every goal once, in order."""
    seen: set[str] = set()
    for split in shop.splits:
        for task, goal in shop.goals[split].items():
            if task in seen:
                continue
            seen.add(task)
            purchase = best_purchase(shop.catalogue, goal)
            number = shop.catalogue.number(goal.asin)
            if purchase is None or number is None:
                yield CheckedGoal(task, split, None, None)
                continue
            product, price = shop.catalogue.product(number), shop.catalogue.price(number)
            score = score_purchase(product, goal, purchase.options, price, nouns=nouns)
            yield CheckedGoal(task, split, purchase, score)
