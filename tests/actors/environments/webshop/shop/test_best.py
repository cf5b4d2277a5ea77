from itertools import chain
from itertools import product as combinations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.webshop.catalogue.write import catalogue_of
from quintet.environments.webshop.goals.goal import WantedOption
from quintet.environments.webshop.reward.matching import option_fits
from quintet.environments.webshop.shop.best import best_purchase, fewest_choices
from tests.actors.environments.webshop.reward.purchases import SHAMPOO, WANTED
from tests.actors.environments.webshop.stock import product


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
