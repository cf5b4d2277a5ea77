"""A study as a matrix of cells, and its runs pooled over seeds."""

import json
from pathlib import Path

from msgspec.structs import replace

from quintet.reports.load import load_report
from quintet.runs.study_folder import StudyFolder
from quintet.studies.cells import StudyMatrix, study_matrix
from quintet.studies.definition import find_study, recorded_study
from quintet.studies.seeds import pool_seeds
from tests.command import command
from tests.deploy.samples import Went
from tests.deploy.studies import heat
from tests.deploy.studies.compared import went
from tests.deploy.studies.grids import grid, write_grid


def _matrix(folder: StudyFolder) -> StudyMatrix:
    return study_matrix(folder, load_report([folder.path]).runs)


def test_a_cell_has_its_levels_its_state_its_runs_and_success_pooled_over_seeds(tmp_path: Path) -> None:
    folder = write_grid(
        tmp_path,
        grid(),
        {
            "react+sim-weak-seed-0": went(1, 1, -1, -1),
            "react+sim-weak-seed-1": went(1, -1, -1, 1),
            "standard+sim-weak-seed-0": went(1, 0, 1, 1),
            "standard+sim-weak-seed-1": went(1, 1, 1, 1),
            "react+sim-strong-seed-1": {"beehive": Went(), "cake": Went()},
        },
    )
    found = _matrix(folder)
    assert found.axes == {"method": ("react", "standard"), "model": ("sim-weak", "sim-strong")}
    cells = {cell.levels: cell for cell in found.cells}
    assert {levels: (cell.state, cell.ended, cell.faulted, cell.episodes) for levels, cell in cells.items()} == {
        ("react", "sim-weak"): ("done", 8, 0, 8),
        ("react", "sim-strong"): ("unfinished", 2, 0, 8),
        ("standard", "sim-weak"): ("faulted", 7, 1, 8),
        ("standard", "sim-strong"): ("not begun", 0, 0, 0),
    }
    react = cells["react", "sim-weak"]
    assert react.success is not None
    assert react.success.value == 0.5, "the mean over tasks of 1, 1/2, 0 and 1/2"
    assert react.success.high - react.success.low > 0.6, "four tasks, not eight: a task's seeds are one observation"
    assert (react.folders, react.seeds) == (
        {seed: folder.arm_path(f"react+sim-weak-seed-{seed}") for seed in (0, 1)},
        (0, 1),
    )
    assert (cells["standard", "sim-strong"].success, cells["standard", "sim-strong"].folders) == (None, {})


def test_arms_over_a_setting_are_a_matrix_too(tmp_path: Path) -> None:
    study, runs = replace(find_study("errors"), seeds=2), ("react-0.1-seed-0", "react-0.1-seed-1")
    folder = write_grid(tmp_path, study, {run: {"beehive": Went()} for run in runs}, "run.tasks=beehive")
    found = _matrix(folder)
    assert found.axes["error rate"] == ("0", "0.02", "0.05", "0.1", "0.2", "0.3")
    (begun,) = [cell for cell in found.cells if cell.state != "not begun"]
    assert (begun.levels, begun.state) == (("react", "0.1"), "done")


def test_an_arm_that_somebody_named_by_its_seed_is_no_repetition_of_another(tmp_path: Path) -> None:
    arms = {"react": {"method.name": "react"}, "react-seed-1": {"method.name": "react", "run.seed": 1}}
    folder = write_grid(tmp_path, grid(arms=arms, grid={}, seeds=0), dict.fromkeys(arms, went(1, 1, 1, -1)))
    cells = study_matrix(folder, load_report([tmp_path]).runs).cells
    assert [(cell.name, cell.seeds, cell.episodes) for cell in cells] == [("react", (0,), 4), ("react-seed-1", (1,), 4)]


def test_runs_that_differ_by_more_than_their_seed_are_not_pooled_and_it_is_said_what_to_set(tmp_path: Path) -> None:
    runs = {f"react-seed-{seed}": went(1, 1, 1, -1) for seed in (0, 1)}
    study = grid(grid={"method": ["react"]})
    folder = write_grid(tmp_path, study, runs)
    record = folder.arm_path("react-seed-1") / "run.json"
    content = json.loads(record.read_text())
    content["world_version"] = "another"
    record.write_text(json.dumps(content))
    found = _matrix(folder)
    (cell,) = found.cells
    assert (cell.state, cell.ended, cell.success, cell.run) == ("done", 8, None, None)
    (note,) = found.notes
    assert note.startswith("react: not pooled over seeds: version of textcraft is ")
    assert note.endswith("; set it to one value in [common]")
    assert note in command("report", folder.path).out.splitlines()


def test_arms_with_seeds_are_one_row_each_in_every_report(tmp_path: Path) -> None:
    arms = {"react": {"method.name": "react"}, "plan": {"method.name": "standard"}}
    runs = {f"{arm}-seed-{seed}": went(1, 1, 1, -1) for arm in arms for seed in (0, 1)}
    write_grid(tmp_path / "study", grid(arms=arms, grid={}, reference="react"), runs)
    said = command("report", tmp_path / "study").out
    assert "seeds 0, 1" in said.splitlines()[0]
    rows = [line.split("  ")[0] for line in said.splitlines() if line.startswith(("react", "plan"))]
    assert {"react", "plan", "plan - react"} == {row for row in rows if ":" not in row}
    assert "seed-0" not in said


def test_runs_that_learn_are_not_pooled_and_it_is_said_what_shows_them(tmp_path: Path) -> None:
    arms = {f"batch-2-seed-{seed}": (1, 2, 3) for seed in (0, 1)}
    report = load_report([heat.write(tmp_path, "autoplan-figure3", arms)])
    study = recorded_study(report.studies[0])
    assert pool_seeds(study, report.runs) == (report.runs, ()), "curves have them one by one"
    found = pool_seeds(replace(study, findings=None, picture=()), report.runs)
    assert [run.arm for run in found.runs] == [*arms]
    assert found.notes == (
        "batch-2: not pooled over seeds: runs that learn are pooled by version, in a study of arms with [findings] "
        'kind = "curves" and groups',
    )


def test_trials_claims_costs_and_figures_of_all_seeds_are_counted(tmp_path: Path) -> None:
    how = Went(calls=2, trials=({"actions": 3}, {"actions": 5, "reward": 1.0}), figures={"f1": 0.5})
    runs = {f"react-seed-{seed}": {"beehive": how} for seed in (0, 1)}
    folder = write_grid(tmp_path, grid(grid={"method": ["react"]}), runs, "run.tasks=beehive")
    one = load_report([folder.path]).runs[0]
    (both,) = [cell.run for cell in _matrix(folder).cells]
    assert both is not None
    assert (both.results.counted.calls, both.results.phases["execute"].calls) == (4, 4)
    assert both.results.trials is not None
    assert one.results.trials is not None
    assert (both.results.trials.episodes, both.results.trials.means) == (2, one.results.trials.means)
    assert (both.summary.claims.ended, both.summary.figures["f1"].tasks, both.repetitions) == (2, 1, 2)
