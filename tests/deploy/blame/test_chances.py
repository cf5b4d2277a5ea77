"""Whether a fall of a chance is proven: by Fisher's exact test."""

from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from quintet.blame.chances import FEWEST_TIMES, LEVEL, Chance, enough, fall_test, fell, least_fall


@st.composite
def chances(draw: st.DrawFn) -> Chance:
    n = draw(st.integers(1, 30))
    return Chance(draw(st.integers(0, n)), n)


@given(chances(), chances())
def test_the_p_value_is_that_of_scipy(before: Chance, after: Chance) -> None:
    table: Any = [[before.solved, before.n - before.solved], [after.solved, after.n - after.solved]]
    assert fall_test(before, after) == pytest.approx(fisher_exact(table, alternative="greater").pvalue)


@pytest.mark.parametrize("times", [3, 8, 20])
def test_where_the_chance_is_the_same_a_fall_is_proven_at_most_as_often_as_the_level_says(times: int) -> None:
    for chance in (0.05, 0.3, 0.5, 0.9):
        of = [comb(times, solved) * chance**solved * (1 - chance) ** (times - solved) for solved in range(times + 1)]
        alarms = sum(
            of[before] * of[after]
            for before in range(times + 1)
            for after in range(times + 1)
            if fell(Chance(before, times), Chance(after, times))
        )
        assert alarms <= LEVEL


def test_without_a_continuation_nothing_is_proven_and_there_is_no_estimate() -> None:
    assert fall_test(Chance(), Chance(0, 8)) == 1
    assert Chance().estimate is None
    assert Chance().share == 0


def test_so_many_continuations_prove_what_fewer_do_not() -> None:
    times = enough(0.5, 0.25)
    assert times is not None
    assert fell(Chance(round(0.5 * times), times), Chance(round(0.25 * times), times))
    assert not any(fell(Chance(round(0.5 * each), each), Chance(round(0.25 * each), each)) for each in range(2, times))
    assert enough(0.5, 0.5) is None, "there is nothing to prove"


def test_more_continuations_prove_smaller_falls() -> None:
    assert not fell(Chance(FEWEST_TIMES - 1, FEWEST_TIMES - 1), Chance(0, FEWEST_TIMES - 1))
    assert least_fall(FEWEST_TIMES) == 1
    assert least_fall(8) == 0.5
    assert least_fall(20) == 0.25
