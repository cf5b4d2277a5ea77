from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.webshop.goals.goal import Goal, WantedOption
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.reward.nouns import nouns_by_words
from quintet.environments.webshop.reward.score import PurchaseScore, score_purchase, type_of_purchase
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED

CHOSEN = {"scent": "dark rose", "size": "8 ounce"}


_PARTS = (WantedOption("pack of 2"), WantedOption("16 ounce"))


def bought(
    product: Product = SHAMPOO, goal: Goal = WANTED, options: Mapping[str, str] = CHOSEN, price: float = 12.5
) -> PurchaseScore:
    return score_purchase(product, goal, options, price, nouns=nouns_by_words)


@pytest.mark.parametrize(
    ("score", "reward"),
    [
        (bought(), 1.0),
        (bought(options={}), 3 / 5),
        (bought(options={"size": "8 ounce"}), 4 / 5),
        (bought(price=20.0), 1.0),
        (bought(price=20.01), 4 / 5),
        (bought(product=replace(SHAMPOO, attributes=())), 3 / 5),
        (bought(product=replace(SHAMPOO, attributes=()), options={}, price=99.0), 0.0),
        (bought(goal=replace(WANTED, options=()), options={}), 1.0),
        (bought(goal=replace(WANTED, attributes=("sulfate free", "gluten free"))), 4 / 5),
        # One option satisfies several, and an attribute may lie across two bullets, as in the released code.
        (bought(goal=replace(WANTED, options=_PARTS), options={"size": "16 ounce (pack of 2)"}), 1.0),
        (bought(replace(SHAMPOO, bullets=("for long", "hair")), replace(WANTED, attributes=("long hair",))), 1.0),
    ],
)
def test_every_term_that_matches_counts_the_same(score: PurchaseScore, reward: float) -> None:
    assert score.reward == pytest.approx(reward)
    assert set(score.figures) == {"type", "attributes", "price", *["options"] * (score.options is not None)}


@pytest.mark.parametrize("where", ["title", "description", "bullets"])
def test_an_attribute_is_found_in_the_texts_of_a_product_that_does_not_list_it(where: str) -> None:
    bare = replace(SHAMPOO, attributes=(), description="", bullets=())
    said = "For Oily Scalp"
    product = replace(bare, bullets=(said,)) if where == "bullets" else replace(bare, **{where: f"Shampoo {said}"})
    goal = replace(WANTED, attributes=("oily scalp", "tea tree"))
    assert bought(product=product, goal=goal).attributes == 1 / 2


@pytest.mark.parametrize(
    ("shared", "query", "product_category", "expected"),
    [
        (3, "other", "other", 1.0),  # 3 / 11 > 0.2
        (2, "other", "other", 0.5),  # 2 / 11
        (2, "kettle", "other", 1.0),
        (2, "other", "Kettles › x › Home", 1.0),
        (2, "other", "x › Home", 0.5),
        (2, "other", "Home › Home", 0.5),
        (1, "kettle", "Home › Kettles", 0.1),  # 1 / 11 < 0.1 counts more than the same query
        (0, "kettle", "Home › Kettles", 0.0),
    ],
)
def test_the_type_depends_on_query_categories_and_shared_nouns(
    shared: int, query: str, product_category: str, expected: float
) -> None:
    title = [f"noun{letter}" for letter in "abcdefghijk"]
    goal = replace(WANTED, title=" ".join(title), query="kettle", product_category="Home › Kettles")
    product = replace(
        SHAMPOO, title=" ".join(["thing", *title[:shared]]), query=query, product_category=product_category
    )
    assert type_of_purchase(product, goal, nouns_by_words) == expected


def test_a_goal_whose_title_has_no_noun_shares_a_fifth() -> None:
    goal = replace(WANTED, title="2 in 1", query="kettle", product_category="other")
    assert type_of_purchase(SHAMPOO, goal, nouns_by_words) == 0.5
    assert type_of_purchase(SHAMPOO, replace(goal, query="shampoo"), nouns_by_words) == 1.0


_WORDS = st.sampled_from(["tea tree", "cruelty free", "long lasting", "essential oils", "vegan", "8 ounce", "rose"])


@given(
    has=st.lists(_WORDS),
    asked=st.lists(_WORDS, min_size=1),
    wanted=st.lists(_WORDS, max_size=3),
    chosen=st.dictionaries(st.sampled_from(["scent", "size"]), _WORDS),
    price=st.floats(0.01, 40),
    title=st.lists(st.sampled_from(["shampoo", "hair", "oil", "hose", "garden", "comb"]), max_size=4).map(" ".join),
)
def test_a_score_is_in_range_and_rises_with_every_term_that_matches(
    has: list[str], asked: list[str], wanted: list[str], chosen: dict[str, str], price: float, title: str
) -> None:
    product = replace(SHAMPOO, attributes=tuple(has), title=title)
    goal = replace(WANTED, attributes=tuple(asked), options=tuple(map(WantedOption, wanted)))
    score = bought(product, goal, chosen, price)
    assert 0.0 <= score.reward <= 1.0
    assert all(0.0 <= figure <= 1.0 for figure in score.figures.values())
    more = replace(product, attributes=(*has, *asked))
    for better in (
        bought(more, goal, chosen, price),
        bought(product, goal, chosen | dict(zip(("a", "b", "c"), wanted, strict=False)), price),
        bought(product, goal, chosen, min(price, goal.price_limit)),
    ):
        assert better.reward >= score.reward
    assert bought(more, goal, dict(zip(map(str, range(3)), wanted, strict=False)), 1.0).reward == score.type
