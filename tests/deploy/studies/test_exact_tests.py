"""The exact tests, against scipy and by counting."""

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from quintet.studies.exact_tests import holm, sign_flip_test, smallest_difference


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 20))
@example(5_100, 4_900, 0)
def test_with_one_epoch_it_is_mcnemars_exact_test(only_ours: int, only_theirs: int, alike: int) -> None:
    found = sign_flip_test([1] * only_ours + [-1] * only_theirs + [0] * alike)
    discordant = only_ours + only_theirs
    theirs = binomtest(only_ours, discordant).pvalue if discordant else 1.0
    assert found == pytest.approx(float(theirs), rel=1e-9)


@given(st.lists(st.integers(-3, 3), max_size=8))
def test_it_counts_all_ways_to_flip_the_signs(differences: list[int]) -> None:
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    share = sum(abs(each) >= abs(sum(differences)) for each in sums) / len(sums)
    assert sign_flip_test(differences) == pytest.approx(share)


@given(
    st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), min_size=1, max_size=12),
    st.one_of(st.floats(0, 1, exclude_max=True), st.sampled_from([0.01, 0.05])),
)
def test_holms_correction_rejects_what_his_step_down_procedure_rejects(p_values: list[float], level: float) -> None:
    left = set(range(len(p_values)))
    while left:
        smallest = min(left, key=p_values.__getitem__)
        if len(left) * p_values[smallest] > level:
            break
        left.remove(smallest)
    assert {place for place, p in enumerate(holm(p_values)) if p > level} == left


@given(st.integers(0, 8), st.integers(0, 30))
def test_the_smallest_difference_is_that_of_the_fewest_successes_that_are_significant(noise: int, alike: int) -> None:
    one_way, other = noise // 2, noise - noise // 2
    tasks = noise + alike
    significant = [added for added in range(alike + 1) if sign_flip_test([1] * (one_way + added) + [-1] * other) < 0.05]
    expected = (significant[0] + one_way - other) / tasks if significant else None
    assert smallest_difference([1, -1] * one_way + [1] * (noise % 2) + [0] * alike, tasks) == expected


def test_six_tasks_are_the_fewest_that_show_a_difference_and_epochs_of_a_task_count_as_one() -> None:
    assert smallest_difference([0] * 5, 5) is None
    assert smallest_difference([0] * 6, 6) == 1.0
    assert smallest_difference([0] * 100, 100) == 0.06
    assert smallest_difference([1, -1] * 10 + [0] * 80, 100) == 0.13, "33 pairs that differ, 23 of them one way"
    assert sign_flip_test([1] * 23 + [-1] * 10) < 0.05 < sign_flip_test([1] * 22 + [-1] * 10)
    whole, single = [3, -3] * 5, [1, -1] * 15
    assert (smallest_difference(whole + [0] * 90, 300) or 0) > (smallest_difference(single + [0] * 70, 300) or 0)
