from quintet.environments.webshop.generator.tables import (
    CONTRADICTIONS,
    attribute_words,
    option_values,
    product_kinds,
)
from quintet.environments.webshop.goals.instructions import WantedOption
from quintet.environments.webshop.reward.score import option_fits


def test_the_kinds_are_sixty_in_twelve_categories() -> None:
    kinds = product_kinds()
    assert len({kind.query for kind in kinds}) == 60
    for first in range(0, 60, 12):
        assert len({kind.category for kind in kinds[first : first + 12]}) == 12


def test_a_kind_names_known_attributes_and_values() -> None:
    for kind in product_kinds():
        assert {*kind.attributes} <= {*attribute_words()}
        assert len({*kind.attributes}) >= 8
        assert {*kind.options.values()} <= {*option_values()}
        assert all(asked.count("*") == 1 for asked in kind.asked)
        assert kind.price[0] < kind.price[1]


def test_every_attribute_and_list_of_values_is_of_some_kind() -> None:
    assert {*attribute_words()} == {name for kind in product_kinds() for name in kind.attributes}
    assert {*option_values()} == {name for kind in product_kinds() for name in kind.options.values()}
    assert {name for pair in CONTRADICTIONS for name in pair} <= {*attribute_words()}


def test_a_shop_says_an_attribute_by_its_name_and_a_customer_has_words_for_it() -> None:
    for name, words in attribute_words().items():
        assert len(words.said) >= 2
        assert [said for said in words.said if name not in said.lower()] == []
        assert words.before or words.after


def test_every_value_fits_when_a_goal_of_either_shape_asks_for_it() -> None:
    # The released score takes the `mint` of `peppermint` for a color, which then is not what a synthetic goal asks for.
    for kind in product_kinds():
        for name, values in kind.options.items():
            for value in option_values()[values]:
                assert value == value.strip().replace("/", " | ").lower()  # as the official files give them
                assert option_fits(WantedOption(value), value)
                assert option_fits(WantedOption(value, name), value)
