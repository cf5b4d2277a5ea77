"""T-tests, against scipy's own."""

import warnings

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from quintet.studies.t_tests import NO_SCIPY, TTest, t_test

SHARES = st.lists(st.integers(0, 23).map(lambda solved: solved / 23), min_size=2, max_size=8)


@given(SHARES, SHARES)
def test_a_p_value_is_that_of_students_test(ours: list[float], theirs: list[float]) -> None:
    assume(len(set(ours)) > 1 or len(set(theirs)) > 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a group that does not vary; ours must not
        expected = float(ttest_ind(ours, theirs).pvalue)
    assert t_test(ours, theirs).p == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("ours", "theirs", "why"),
    [
        ([0.5] * 5, [0.5] * 5, "no variance, equal"),
        ([0.0] * 5, [1.0] * 5, "no variance, unequal"),
        ([0.5], [0.1, 0.2], "fewer than 2 runs"),
        ([], [], "fewer than 2 runs"),
    ],
)
def test_a_test_that_does_not_exist_has_a_reason(ours: list[float], theirs: list[float], why: str) -> None:
    assert t_test(ours, theirs) == TTest(None, why)


def test_without_scipy_there_are_no_p_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_name: str) -> None:
        return None

    monkeypatch.setattr("quintet.studies.t_tests.find_spec", nothing)
    assert t_test([0.1, 0.2], [0.3, 0.4]) == TTest(None, NO_SCIPY)
