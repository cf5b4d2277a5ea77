"""Every goal of the made-up shop can be reached, by a purchase that is checked."""

import pytest
from msgspec.structs import replace

from quintet.environments.webshop.catalogue.catalogue import catalogue_of
from quintet.environments.webshop.data import check_goals
from quintet.environments.webshop.goals.instructions import WantedOption
from quintet.environments.webshop.purchase import fewest_choices
from quintet.environments.webshop.reward.score import nouns_by_words, score_purchase
from quintet.environments.webshop.shop.open import Shop, open_shop
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED


def test_a_goal_that_no_purchase_satisfies_is_found_with_its_best_score() -> None:
    goals = {
        "good": WANTED,
        "bad": replace(WANTED, options=(WantedOption("lemon"), WantedOption("granite"))),
        "dear": replace(WANTED, price_limit=10.0),
        "gone": replace(WANTED, asin="B0GONE0000"),
    }
    shop = Shop("1", catalogue_of([(SHAMPOO, 12.5)]), {"test": goals, "adapt": goals})
    found = {each.task: each.score and each.score.reward for each in check_goals(shop, nouns_by_words)}
    assert found == {"good": 1.0, "bad": pytest.approx(4 / 5), "dear": pytest.approx(4 / 5), "gone": None}


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["human", "synthetic"])
def test_every_goal_of_the_made_up_shop_is_reached_and_by_no_shorter_purchase(shape: str) -> None:
    shop = open_shop(goals=shape)  # type: ignore[arg-type]
    products = [(shop.catalogue.product(n), shop.catalogue.price(n)) for n in range(len(shop.catalogue))]
    for checked in check_goals(shop, nouns_by_words):
        assert checked.score is not None
        assert checked.purchase is not None
        assert checked.score.reward == 1.0
        goal = shop.goal(checked.task)
        for product, price in products:
            if price > goal.price_limit or product.query != goal.query:
                continue
            options = fewest_choices(product, goal)
            if len(options) < len(checked.purchase.options):
                score = score_purchase(product, goal, options, price, nouns=nouns_by_words)
                assert score.reward < 1.0, f"{checked.task}: {product.asin} with {options} is shorter"
