from functools import cache
from itertools import islice, pairwise

from msgspec.structs import asdict

from quintet.environments.webshop.generator.products import MADE_UP, MadeUpProduct, made_up_products
from quintet.environments.webshop.generator.tables import CONTRADICTIONS
from quintet.environments.webshop.products import Product


@cache
def some(number: int = 300, seed: int = 0) -> tuple[MadeUpProduct, ...]:
    return tuple(islice(made_up_products(seed), number))


def texts(product: Product) -> str:
    return " ".join((product.title, *product.bullets, product.description)).lower()


def test_a_longer_list_begins_with_a_shorter_one_and_another_seed_makes_another_shop() -> None:
    assert some(30) == some()[:30]
    assert not {each.product.title for each in some()} >= {each.product.title for each in some(30, seed=1)}


def test_ids_differ_and_are_told_from_official_ones() -> None:
    ids = [each.product.asin for each in some()]
    assert len({*ids}) == len(ids)
    assert all(asin.startswith(MADE_UP) and len(asin) == 10 and asin.upper() == asin for asin in ids)


def test_every_attribute_of_a_product_is_said_on_its_pages() -> None:
    for each in some():
        assert all(name in texts(each.product) for name in each.product.attributes)
        assert not any(pair <= {*each.product.attributes} for pair in CONTRADICTIONS)


def test_neighbors_of_a_kind_are_near_duplicates_that_differ_in_one_thing() -> None:
    alike = [
        (one.product, other.product)
        for one, other in pairwise(some())
        if one.kind is other.kind and one.product.price_range == other.product.price_range
    ]
    assert len(alike) > 60
    for one, other in alike:
        first, second = asdict(one), asdict(other)
        facts = [name for name in ("options", "attributes") if first[name] != second[name]]
        assert len(facts) <= 2  # two siblings of one product may differ from it in different things


def test_products_have_up_to_three_options_and_a_price_or_a_range_of_prices() -> None:
    assert {len(each.product.options) for each in some()} == {0, 1, 2, 3}
    ranged = [each.product.price_range for each in some() if each.product.price_range[0] < each.product.price_range[1]]
    assert 15 < len(ranged) < 90
    for each in some():
        low, high = each.product.price_range
        assert 0 < low <= high
        assert each.product.price_text == (f"${low}" if low == high else f"${low} to ${high}")
