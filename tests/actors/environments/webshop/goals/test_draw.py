import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.webshop.goals.draw import (
    human_goals,
    kept_price,
    shuffled,
    splits,
    synthetic_goals,
)
from quintet.environments.webshop.goals.instructions import (
    NO_LIMIT,
    Goal,
    HumanInstruction,
    SyntheticInstruction,
    WantedOption,
)
from quintet.environments.webshop.products import Product
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED

ASKED = HumanInstruction("i need a shampoo with tea tree.", ("tea tree",), ("lemon",))


def human(price: float, *instructions: HumanInstruction, product: Product = SHAMPOO) -> list[Goal]:
    return list(human_goals([(product, price)], {product.asin: instructions}))


def test_a_human_goal_is_its_instruction_with_a_price_limit() -> None:
    (goal,) = human(12.5, ASKED)
    assert goal == replace(
        WANTED,
        instruction=f"i need a shampoo with tea tree, and price lower than {goal.price_limit:.2f} dollars",
        attributes=("tea tree",),
        options=(WantedOption("lemon"),),
        price_limit=goal.price_limit,
    )


@given(price=st.floats(0.01, 969.99))
def test_a_price_limit_is_one_of_the_second_to_fourth_ten_above_the_price(price: float) -> None:
    (goal,) = human(price, ASKED)
    assert [goal] == human(price, ASKED)
    next_ten = int(price // 10) * 10 + 10
    assert goal.price_limit in {next_ten + 10, next_ten + 20, next_ten + 30}


@pytest.mark.parametrize(("price", "limit"), [(970.0, 990.0), (979.0, 990.0), (980.0, NO_LIMIT), (5000.0, NO_LIMIT)])
def test_the_dearest_products_have_one_limit_or_none(price: float, limit: float) -> None:
    (goal,) = human(price, ASKED)
    assert goal.price_limit == limit
    assert ("and price lower than" in goal.instruction) is (limit != NO_LIMIT)


def test_an_instruction_without_attributes_is_left_out() -> None:
    assert human(12.5, replace(ASKED, instruction_attributes=()), ASKED) == [human(12.5, ASKED, ASKED)[1]]


def test_a_synthetic_goal_is_made_of_each_combination_of_options() -> None:
    instruction = SyntheticInstruction("Find me tea tree shampoo", ("tea tree",))
    goals = list(synthetic_goals([(SHAMPOO, 12.5)], {SHAMPOO.asin: instruction}))
    limit = goals[0].price_limit
    assert [goal.instruction for goal in goals] == [
        f"Find me tea tree shampoo with scent: {scent}, and size: {size}, and price lower than {limit:.2f} dollars"
        for scent in ("lemon", "dark rose")
        for size in ("8 ounce", "16 ounce (pack of 2)")
    ]
    (plain,) = synthetic_goals([(replace(SHAMPOO, options={}), 12.5)], {SHAMPOO.asin: instruction})
    assert (plain.options, plain.instruction[:35]) == ((), "Find me tea tree shampoo, and price")
    assert goals[3].options == (WantedOption("dark rose", "scent"), WantedOption("16 ounce (pack of 2)", "size"))


def test_goals_have_the_released_order() -> None:
    goals = [replace(WANTED, instruction=str(number)) for number in range(12)]
    # What `random.seed(233); random.shuffle(goals)` makes of twelve.
    assert [int(goal.instruction) for goal in shuffled(goals)] == [5, 9, 0, 1, 4, 7, 6, 3, 8, 2, 11, 10]


@pytest.mark.parametrize(
    ("number", "sizes"),
    [
        (1, {"test": 1, "adapt": 1}),
        (5, {"test": 2, "eval": 1, "train": 2, "adapt": 2, "adapt-dev": 1}),
        (500, {"test": 200, "eval": 100, "train": 200, "adapt": 100, "adapt-dev": 40}),
        (1500, {"test": 600, "eval": 300, "train": 600, "adapt": 100, "adapt-dev": 40}),
        (1501, {"test": 500, "eval": 1000, "train": 1, "adapt": 100, "adapt-dev": 40}),
    ],
)
def test_long_lists_have_the_released_splits_and_short_ones_three_parts(number: int, sizes: dict[str, int]) -> None:
    found = splits({str(place): WANTED for place in range(number)})
    assert {name: len(goals) for name, goals in found.items()} == sizes
    order = [int(name) for split in ("test", "eval", "train") for name in found.get(split, {})]
    assert order == list(range(number))


def test_a_ranged_price_is_one_price_of_the_range_drawn_once_for_all() -> None:
    ranged = replace(SHAMPOO, price_range=(10.0, 20.0))
    price = kept_price(ranged)
    assert 10.0 < price < 20.0
    assert kept_price(ranged) == price
    assert kept_price(replace(ranged, asin="B0OTHER000")) != price
    assert kept_price(SHAMPOO) == 12.5
