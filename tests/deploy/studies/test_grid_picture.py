"""The picture of a grid: small multiples."""

import re
from pathlib import Path

from quintet.reports.load import load_report
from quintet.runs.study_folder import StudyFolder
from quintet.studies.cells import study_matrix
from quintet.studies.definition import recorded_study
from quintet.studies.grid import Grid
from quintet.studies.grid_picture import grid_figure
from quintet.studies.pictures import draw_picture
from tests.deploy.studies.compared import TASKS, went
from tests.deploy.studies.grids import grid, write_grid

AXES = {
    "method": ["react", "standard"],
    "environment": {"craft": {"run.tasks": list(TASKS)}, "dev": {"run": {"tasks": list(TASKS), "split": "dev"}}},
    "model": ["sim-weak", "sim-strong"],
}


def _grid(folder: StudyFolder) -> Grid:
    return Grid(recorded_study(folder), study_matrix(folder, load_report([folder.path]).runs))


def test_worlds_stand_side_by_side_and_models_below_each_other_with_a_point_for_each_method(tmp_path: Path) -> None:
    arms = {"react+craft+sim-weak": went(1, 1, -1, -1), "standard+craft+sim-weak": went(1, 1, 1, -1)}
    study = grid(
        grid=AXES,
        common={"environment.name": "textcraft"},
        seeds=0,
        leave_out=[{"environment": "dev", "model": "sim-strong"}],
    )
    folder = write_grid(tmp_path / "study", study, arms)
    figure = grid_figure(_grid(folder))
    assert [(small.get_title(), small.get_visible()) for small in figure.axes] == [
        ("craft, sim-weak", True),
        ("dev, sim-weak", True),
        ("craft, sim-strong", True),
        ("", False),
    ]
    begun, *waiting = figure.axes
    (points, _, _) = begun.containers[0]
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([50.0, 75.0], [0, 1])
    assert [text.get_text() for text in begun.get_yticklabels()] == ["react", "standard"]
    assert [len(small.containers[0][0].get_xdata()) for small in waiting[:2]] == [0, 0]
    draw_picture(recorded_study(folder), load_report([folder.path]), tmp_path / "grid.svg")
    drawn = (tmp_path / "grid.svg").read_text()
    assert re.search(r"<!-- .*\(simulated\) -->", drawn)


def test_a_grid_of_one_axis_is_one_picture(tmp_path: Path) -> None:
    folder = write_grid(tmp_path, grid(grid={"method": ["react", "standard"]}, seeds=0), {"react": went(1, 1, 1, 1)})
    (small,) = grid_figure(_grid(folder)).axes
    assert [text.get_text() for text in small.get_yticklabels()] == ["react", "standard"]
