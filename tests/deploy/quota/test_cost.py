"""Costs are added up."""

from decimal import Decimal

from quintet.ports.model import Usage
from quintet.quota.cost import NOTHING, Cost, total
from quintet.quota.prices import Price

PRICE = Price(Decimal(4), Decimal(1), Decimal(20))


def test_the_sum_of_costs_has_a_price_only_if_every_one_has() -> None:
    priced, free = Cost.of(Usage(prompt_tokens=100, completion_tokens=10), PRICE), Cost.of(Usage(prompt_tokens=5), None)
    assert priced == Cost(1, 100, 10, 100 * 4_000 + 10 * 20_000)
    assert total([priced, priced]) == Cost(2, 200, 20, 1_200_000)
    assert total([priced, free]) == Cost(2, 105, 10, None)
    assert total([]) == NOTHING


def test_a_difference_is_what_was_added() -> None:
    one, other = Cost(1, 100, 10, 500, 2, 30), Cost(2, 7, 3, 1, 4, 5)
    assert one + other - other == one


def test_tokens_and_usd_are_for_display() -> None:
    assert (Cost(1, 100, 10, 2_500_000).tokens, Cost(1, 100, 10, 2_500_000).usd) == (110, 0.0025)
    assert Cost(1, 1, 1, None).usd is None
