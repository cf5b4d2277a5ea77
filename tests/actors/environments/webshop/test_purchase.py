"""The best purchase for a goal, and the fewest actions to one, from any page, of the expert and the naive buyer."""

from itertools import chain
from itertools import product as combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.webshop.catalogue.catalogue import catalogue_of
from quintet.environments.webshop.goals.instructions import WantedOption
from quintet.environments.webshop.purchase import Purchase, actions_to_buy, best_purchase, fewest_choices, first_product
from quintet.environments.webshop.reward.score import option_fits
from quintet.environments.webshop.storefront import Storefront
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED
from tests.actors.environments.webshop.stock import lamps, product
from tests.actors.environments.webshop.test_state import TO_THE_LAMP, after

FRONT = Storefront(lamps(), 2, released=False)
WHITE = Purchase("dimmable lamp", "B0LAMP0002", {"color": "white"})
BUY = ("click[white]", "click[buy now]")
FROM_THE_START = ("search[dimmable lamp]", "click[b0lamp0002]", *BUY)


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ((), FROM_THE_START),
        (TO_THE_LAMP[:1], ("click[b0lamp0002]", *BUY)),
        (("search[mug]",), ("click[back to search]", *FROM_THE_START)),
        (("search[dimmable lamp]", "click[next >]"), ("click[back to search]", *FROM_THE_START)),
        (TO_THE_LAMP, BUY),
        ((*TO_THE_LAMP, "click[white]"), BUY[1:]),
        ((*TO_THE_LAMP, "click[black]"), BUY),
        ((*TO_THE_LAMP, "click[features]"), ("click[< prev]", *BUY)),
        (("search[brass]", "click[b0lamp0001]"), ("click[back to search]", *FROM_THE_START)),
    ],
)
def test_a_purchase_is_made_from_any_page(taken: tuple[str, ...], left: tuple[str, ...]) -> None:
    state = after(*taken)
    assert actions_to_buy(FRONT, state.position, WHITE) == left
    assert [state.step(action).reward for action in left][-1] == 1.0


def test_a_product_on_a_later_page_is_gone_to() -> None:
    brass = Purchase("dimmable lamp", "B0LAMP0001")
    way = ("search[dimmable lamp]", "click[next >]", "click[b0lamp0001]", "click[buy now]")
    assert actions_to_buy(FRONT, after().position, brass) == way
    assert actions_to_buy(FRONT, after(way[0]).position, brass) == way[1:]
    assert actions_to_buy(FRONT, after().position, Purchase("mug", "B0LAMP0001")) is None  # it is not found


def test_the_naive_buyer_searches_the_instruction_and_buys_the_first_product_as_it_is() -> None:
    state = after()
    naive = state.naive()
    assert naive is not None
    assert naive == (f"search[{state.opening.goal}]", "click[b0lamp0002]", "click[buy now]")
    assert [state.step(action).reward for action in naive][-1] == pytest.approx(2 / 3)
    assert first_product(FRONT, "of the") is None


def test_the_wanted_options_are_chosen_and_no_others() -> None:
    assert fewest_choices(SHAMPOO, WANTED) == {"scent": "dark rose", "size": "8 ounce"}
    assert fewest_choices(SHAMPOO, replace(WANTED, options=(WantedOption("lemon"),))) == {"scent": "lemon"}
    assert fewest_choices(SHAMPOO, replace(WANTED, options=())) == {}
    assert fewest_choices(SHAMPOO, replace(WANTED, options=(WantedOption("granite"),))) == {}


def test_the_very_value_comes_before_one_that_scores_the_same() -> None:
    sets = replace(SHAMPOO, options={"size": ("set of 2", "set of 4", "set of 6")})
    assert fewest_choices(sets, replace(WANTED, options=(WantedOption("set of 6"),))) == {"size": "set of 6"}


def test_only_values_that_can_be_clicked_are_chosen() -> None:
    hidden = ("buy now", "features", "< prev", "back to search", "")
    options = {"color": (*hidden, "lemon"), "scent": ("lemon", "mild")}
    buried = replace(SHAMPOO, options=options)
    assert fewest_choices(buried, replace(WANTED, options=tuple(map(WantedOption, hidden)))) == {}
    assert fewest_choices(buried, replace(WANTED, options=(WantedOption("lemon"),))) == {"scent": "lemon"}


_VALUES = st.sampled_from(["lemon", "lemon soap", "soap", "mild", "mild soap", "clear"])


@given(
    options=st.dictionaries(st.sampled_from("abc"), st.lists(_VALUES, min_size=1, max_size=3, unique=True).map(tuple)),
    wanted=st.lists(_VALUES, max_size=3),
)
def test_no_choice_fits_more_or_as_much_with_fewer_values(
    options: dict[str, tuple[str, ...]], wanted: list[str]
) -> None:
    goal = replace(WANTED, options=tuple(map(WantedOption, wanted)))
    chosen = fewest_choices(replace(SHAMPOO, options=options), goal)

    def rank(choice: tuple[str, ...]) -> tuple[int, int]:
        return -sum(any(option_fits(each, value) for value in choice) for each in goal.options), len(choice)

    rows = list(options.values())
    shown = [[value for value in values if value not in chain(*rows[place:])] for place, values in enumerate(rows, 1)]
    every = combinations(*((None, *values) for values in shown))
    best = min(rank(tuple(value for value in choice if value is not None)) for choice in every)
    assert rank(tuple(chosen.values())) == best
    assert all(value in options[name] for name, value in chosen.items())


def test_the_first_search_that_lists_the_product_on_top_is_taken() -> None:
    others = [product(f"B0OTHER{number:03}", "Plain Shampoo Shampoo Shampoo") for number in range(5)]
    alone = catalogue_of([(SHAMPOO, 12.5)])
    among = catalogue_of([*((each, 10.0) for each in others), (SHAMPOO, 12.5)])
    for catalogue, query in ((alone, "shampoo"), (among, "shampoo dark rose 8 ounce")):
        found = best_purchase(catalogue, WANTED)
        assert found is not None
        assert (found.asin, found.query) == (SHAMPOO.asin, query)


def test_a_product_that_is_not_there_or_not_found_has_no_purchase() -> None:
    nameless = product(SHAMPOO.asin, "", query="the")
    assert best_purchase(catalogue_of([(product("B0OTHER000", "Soap"), 1.0)]), WANTED) is None
    other = product("B0OTHER000", "Soap")
    assert best_purchase(catalogue_of([(nameless, 1.0), (other, 1.0)]), replace(WANTED, options=())) is None
