"""Intervals, against scipy and the figures that were published with the method."""

from collections.abc import Callable
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from quintet.reports.intervals import difference, mean, rate


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_rates_interval_is_wilsons(case: tuple[int, int]) -> None:
    successes, of = case
    theirs = binomtest(successes, of).proportion_ci(method="wilson")
    ours = rate([1.0] * successes + [0.0] * (of - successes))
    assert ours == pytest.approx((successes / of, float(theirs.low), float(theirs.high)), abs=1e-12)


@pytest.mark.parametrize(
    ("both", "only_ours", "only_theirs", "neither", "low", "high"),
    [(36, 12, 2, 0, 0.0569, 0.3404), (36, 14, 0, 0, 0.1528, 0.4167)],
)
def test_a_difference_has_newcombes_interval(
    both: int, only_ours: int, only_theirs: int, neither: int, low: float, high: float
) -> None:
    ours = [1.0] * (both + only_ours) + [0.0] * (only_theirs + neither)
    theirs = [1.0] * both + [0.0] * only_ours + [1.0] * only_theirs + [0.0] * neither
    found = difference(ours, theirs)
    assert found.value == pytest.approx((only_ours - only_theirs) / len(ours))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_a_difference_lies_in_its_interval_and_turns_around_with_its_arms(pairs: list[tuple[float, float]]) -> None:
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    there, back = difference(ours, theirs), difference(theirs, ours)
    assert -1 - 1e-9 <= there.low <= there.value <= there.high <= 1 + 1e-9
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low), abs=1e-9)


def test_arms_that_agree_on_few_tasks_are_not_certain_to_be_equal() -> None:
    found = difference([0.0] * 11, [0.0] * 11)
    assert found.low < -0.2
    assert found.high > 0.2


@pytest.mark.parametrize("of", [rate, mean])
def test_a_rate_or_a_mean_without_tasks_is_an_error(of: Callable[[list[float]], object]) -> None:
    with pytest.raises(ValueError, match="expected at least one task"):
        of([])


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=40))
def test_a_means_interval_is_students(values: list[float]) -> None:
    found = mean(values)
    low, high = t.interval(0.95, len(values) - 1, fmean(values), stdev(values) / len(values) ** 0.5 or 1e-300)
    assert found.interval == pytest.approx((max(0.0, float(low)), float(high)), rel=1e-6, abs=1e-6)


def test_a_mean_of_one_task_or_without_scipy_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        return None

    assert mean([3.0]) == (3.0, None)
    monkeypatch.setattr("quintet.reports.intervals.find_spec", nothing)
    assert mean([1.0, 3.0]) == (2.0, None)
