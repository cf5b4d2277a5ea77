"""Success over versions, in groups of runs that differ in their seed alone."""

from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.reports.load import RunReport, load_report
from quintet.runs.record import RunRecord
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import find_study
from quintet.studies.learning_curves import curves_content, curves_table, iterations, learning_curve
from quintet.studies.pictures import draw_curves
from tests.deploy.studies import heat


def _record() -> RunRecord:
    settings = from_assignments([f"run.tasks={heat.TASKS}"])
    return prepare_arms(find_study("autoplan-figure3"), [settings], seeds=1)["batch-2-seed-0"].record


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


def test_a_version_that_was_measured_in_part_is_left_out(tmp_path: Path) -> None:
    runs = _runs(tmp_path, (2, 2, 4), (2, 4, 4), whole=False)
    found = learning_curve("batch 2", runs)
    assert found.shares[3] == (1.0,)
    assert found.deviation(3) is None
    (row,) = curves_table([found], iterations(runs)).rows
    assert row[3] == "100.0 (1 of 2)"


def test_a_group_that_has_not_begun_has_no_figures(tmp_path: Path) -> None:
    found = learning_curve("batch 2", [])
    assert (found.mean(1), found.deviation(1)) == (None, None)
    assert curves_table([found], range(1, 2)).rows == (("batch 2, 0 runs", "-", "0 of 0"),)
    (content,) = curves_content([found], range(1, 2))
    assert content["iterations"] == [{"iteration": 1, "successes": [], "mean": None, "deviation": None}]


def test_versions_that_were_not_measured_are_left_out_of_the_picture(tmp_path: Path) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    runs = _runs(tmp_path, (2, 2, 4), whole=False)
    axes = figure.subplots()
    draw_curves(axes, [learning_curve("one", runs), learning_curve("none", [])], iterations(runs))
    assert [list(line.get_xdata()) for line in axes.lines] == [[1, 2], []]
