from msgspec.structs import replace

from quintet.environments.webshop.catalogue.write import catalogue_of
from quintet.environments.webshop.goals.goal import WantedOption
from quintet.environments.webshop.shop.shop import Shop
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED

SHOP = Shop(
    "1",
    catalogue_of([(SHAMPOO, 12.5)]),
    {
        "test": {
            "human-0": WANTED,
            "human-1": replace(WANTED, options=()),
            "human-2": replace(WANTED, options=tuple(map(WantedOption, "abcd"))),
        },
        "adapt": {"human-0": WANTED},
    },
)


def test_a_goal_has_the_category_of_its_product_and_a_number_of_options() -> None:
    assert [SHOP.metadata(task) for task in SHOP.tasks("test")] == [
        {"category": "beauty", "options": "2"},
        {"category": "beauty", "options": "0"},
        {"category": "beauty", "options": "3+"},
    ]
