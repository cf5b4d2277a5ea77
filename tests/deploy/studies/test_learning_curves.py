"""Success over versions in groups of runs that differ in their seed alone, and t-tests between groups."""

import warnings
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from quintet.config.settings import from_assignments
from quintet.reports.load import RunReport, load_report
from quintet.runs.record import RunRecord
from quintet.studies.arms import prepare_arms, with_seeds
from quintet.studies.definition import find_study
from quintet.studies.learning_curves import (
    TTest,
    curves_content,
    curves_table,
    iterations,
    learning_curve,
    t_test,
)
from quintet.studies.pictures import draw_curves
from tests.deploy.studies import heat


def _record() -> RunRecord:
    settings = from_assignments([f"run.tasks={heat.TASKS}"])
    return prepare_arms(with_seeds(find_study("autoplan-figure3"), 1), [settings])["batch-2-seed-0"].record


def _runs(path: Path, *solved: tuple[int, ...], whole: bool = True) -> list[RunReport]:
    for number, by_version in enumerate(solved):
        heat.write_learning_run(path / str(number), _record(), by_version, whole=whole or number > 0)
    return list(load_report([path / str(number) for number in range(len(solved))]).runs)


def test_a_group_has_its_mean_and_the_deviation_of_a_sample(tmp_path: Path) -> None:
    runs = _runs(tmp_path, (0, 2, 4), (2, 2, 4))
    found = learning_curve("batch 2", runs)
    assert found.shares == {1: (0.0, 0.5), 2: (0.5, 0.5), 3: (1.0, 1.0)}
    assert (found.mean(1), found.mean(3)) == (0.25, 1.0)
    assert found.deviation(1) == pytest.approx(0.35355, abs=1e-5)
    assert found.deviation(2) == 0.0
    assert (found.updates, found.unchanged) == (6, 2)
    table = curves_table([found], iterations(runs))
    assert table.columns == ("", "iteration 1", "iteration 2", "iteration 3", "updates that\nchanged nothing")
    assert table.rows == (("batch 2, 2 runs", "25.0 ± 35.4", "50.0 ± 0.0", "100.0 ± 0.0", "2 of 6"),)


def test_a_version_that_was_measured_in_part_is_left_out_also_of_the_picture(tmp_path: Path) -> None:
    runs = _runs(tmp_path, (2, 2, 4), (2, 4, 4), whole=False)
    found = learning_curve("batch 2", runs)
    assert (found.shares[3], found.deviation(3)) == ((1.0,), None)
    (row,) = curves_table([found], iterations(runs)).rows
    assert row[3] == "100.0 (1 of 2)"
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    draw_curves(axes, [learning_curve("one", runs[:1]), learning_curve("none", [])], iterations(runs))
    assert [list(line.get_xdata()) for line in axes.lines] == [[1, 2], []]


def test_a_group_that_has_not_begun_has_no_figures(tmp_path: Path) -> None:
    found = learning_curve("batch 2", [])
    assert (found.mean(1), found.deviation(1)) == (None, None)
    assert curves_table([found], range(1, 2)).rows == (("batch 2, 0 runs", "-", "0 of 0"),)
    (content,) = curves_content([found], range(1, 2))
    assert content["iterations"] == [{"iteration": 1, "successes": [], "mean": None, "deviation": None}]


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
