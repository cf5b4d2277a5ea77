"""The matrix of what was learnt on some tasks and used on others, of runs with known results."""

from dataclasses import replace
from pathlib import Path

import pytest

from quintet.reports.load import RunReport, load_report
from quintet.studies.definition import Study, TransferFindings, find_study
from quintet.studies.panels import TransferPanel
from quintet.studies.pictures import draw_picture
from quintet.studies.transfer import Transfer, transfer_content, transfer_notes, transfer_table
from tests.deploy import samples
from tests.deploy.samples import Went

FINDINGS = TransferFindings(label="task type")
STUDY = Study(
    name="transfer",
    arms={"learn-heat": {"run": {"task_type": "heat"}}, "none": {}, "heat": {}},
    given={"heat": "learn-heat"},
    reference="none",
    findings=FINDINGS,
    picture=(TransferPanel(title="Transfer"),),
)
LOST = Went("unsolved", 0.0)


def _arms(path: Path) -> dict[str, RunReport]:
    """Without a memory nothing is solved; with one of heated things, these and one cooled thing of two."""
    world = {"name": "alfworld"}
    record = samples.record("react", None, environment=world, run={"per_type": 2, "tasks": None})
    names = {
        kind: [task.name for task in record.tasks if task.metadata["task type"] == kind] for kind in ("heat", "cool")
    }
    solved = {*names["heat"], names["cool"][0]}
    played = [task.name for task in record.tasks]
    samples.write(path / "none", record, dict.fromkeys(played, LOST))
    samples.write(path / "heat", record, {task: Went() if task in solved else LOST for task in played})
    report = load_report([path / name for name in ("none", "heat")])
    return {run.label: run for run in report.runs}


def test_a_cell_is_the_paired_difference_of_a_row_on_the_tasks_of_a_column(tmp_path: Path) -> None:
    found = Transfer(STUDY, FINDINGS, _arms(tmp_path))
    assert found.columns == ("pick", "clean", "heat", "cool", "look", "pick two")
    heat, cool, every = found.cells["heat", "heat"], found.cells["heat", "cool"], found.cells["heat", ""]
    assert (heat.difference.points.value, heat.difference.tasks, heat.same, heat.p) == (1.0, 2, True, 0.5)
    assert (cool.difference.points.value, cool.same, cool.p) == (0.5, False, 1.0)
    assert (every.difference.points.value, every.difference.tasks, every.p, every.corrected) == (0.25, 12, 0.25, 1.0)
    content = {each["value"]: each for each in transfer_content(found)["transfer"]}
    assert (content[None]["tasks"], content["heat"]["learnt_on_it"], content["look"]["difference"]["value"]) == (
        12,
        True,
        0,
    )
    table = transfer_table(found)
    assert table.columns[:4] == ("learnt on", "all\n12 tasks", "pick\n2 tasks", "clean\n2 tasks")
    assert [row[0] for row in table.rows] == ["none", "heat"]
    assert table.rows[1][3].startswith("+0")
    assert table.rows[1][3 + 1].endswith("=")
    assert "Holm over 7" in table.title
    assert any(note.startswith("p: exact test") for note in transfer_notes(found))


def test_a_matrix_is_drawn_also_while_arms_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arms = _arms(tmp_path)
    for name, run in arms.items():
        there = Transfer(STUDY, FINDINGS, {name: run})
        assert (there.cells, len(transfer_table(there).rows)) == ({}, 1)
    report = load_report([tmp_path / name for name in ("none", "heat")])
    for number, runs in enumerate((report.runs, report.runs[:1], ())):
        shown = replace(report, runs=tuple(replace(run, arm=run.label) for run in runs))
        draw_picture(STUDY, shown, tmp_path / f"{number}.svg")
    drawn = (tmp_path / "0.svg").read_text()
    assert "used on task type" in drawn


def test_the_shipped_study_learns_on_three_types() -> None:
    study = find_study("transfer")
    assert study.given == {kind: f"learn-{kind}" for kind in ("clean", "heat", "look")}
    assert {arm["run"]["task_type"] for arm in study.arms.values() if "run" in arm} == {*study.given}
