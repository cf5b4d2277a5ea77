"""The matrix of what was learnt on some tasks and used on others, of runs with known results."""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_struct

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.reports.load import Report, RunReport, load_report
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import Study, TransferFindings, find_study
from quintet.studies.memory_tables import memory_tables
from quintet.studies.panels import TransferPanel
from quintet.studies.pictures import draw_picture
from quintet.studies.run import create
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
    learner = samples.record("ldm2", None, environment=world, run={"learn": True, "task_type": "heat"})
    samples.write(path / "learn-heat", learner, {})
    samples.write(path / "none", record, dict.fromkeys(played, LOST))
    samples.write(path / "heat", record, {task: Went() if task in solved else LOST for task in played})
    report = load_report([path / name for name in ("learn-heat", "none", "heat")])
    return {run.label: run for run in report.runs}


def test_a_cell_is_the_paired_difference_of_a_row_on_the_tasks_of_a_column(tmp_path: Path) -> None:
    found = Transfer(STUDY, FINDINGS, _arms(tmp_path))
    assert found.columns == ("", "pick", "clean", "heat", "cool", "look", "pick two")
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
        assert (there.cells, len(transfer_table(there).rows)) == ({}, name in ("none", "heat"))
    report = load_report([tmp_path / name for name in ("none", "heat")])
    for number, runs in enumerate((report.runs, report.runs[:1], ())):
        shown = replace(report, runs=tuple(replace(run, arm=run.label) for run in runs))
        draw_picture(STUDY, shown, tmp_path / f"{number}.svg")
    drawn = (tmp_path / "0.svg").read_text()
    assert "used on task type" in drawn


SPLITS = TransferFindings(label="split")
BY_SPLIT = Study(
    name="by-split",
    arms={arm: {} for arm in ("learn", "none-dev", "none-test", "dev", "test", "mixed")},
    given={"dev": "learn", "test": "learn", "mixed": "learn"},
    controls={"mixed": "random"},
    findings=SPLITS,
    picture=(TransferPanel(title="Transfer"),),
)


def test_by_split_a_row_is_all_that_is_given_what_one_arm_learns_less_the_arm_that_is_given_nothing_there(
    tmp_path: Path,
) -> None:
    learner = samples.record(
        "autoplan", ("stick",), run={"learn": True}, learning={"split": "dev", "tasks": 2, "batch": 1}
    )
    samples.write(tmp_path / "learn", learner, {})
    plan = tmp_path / "plan.md"
    plan.write_text("Gather first.")
    solved = {"none-dev": 0, "none-test": 2, "dev": 2, "test": 1, "mixed": 0}
    for arm, number in solved.items():
        given = {"plan": plan} if arm in BY_SPLIT.given else {}
        split = "dev" if "dev" in arm else "test"
        record = samples.record("react", None, method=given, run={"split": split, "tasks": 2})
        went = [Went()] * number + [LOST] * (2 - number)
        samples.write(tmp_path / arm, record, dict(zip([task.name for task in record.tasks], went, strict=True)))
    report = load_report([tmp_path / arm for arm in BY_SPLIT.arms])
    arms = {run.label: run for run in report.runs}
    found = Transfer(BY_SPLIT, SPLITS, arms)
    table = transfer_table(found)
    assert table.columns == ("learnt on", "split dev\n2 tasks", "split test\n2 tasks")
    assert [row[0] for row in table.rows] == ["none", "learn", "learn random"]
    assert (table.rows[0][1][:4], table.rows[0][2][:5], table.rows[2][1]) == ("0.0 ", "100 (", "-")
    points = {place: (cell.arm, cell.difference.points.value, cell.same) for place, cell in found.cells.items()}
    assert points == {
        ("learn", "dev"): ("dev", 1.0, True),
        ("learn", "test"): ("test", -0.5, False),
        ("learn random", "test"): ("mixed", -1.0, False),
    }
    assert {*found.compared} == {("dev", "none-dev"), ("test", "none-test"), ("mixed", "none-test")}
    assert {each["row"] for each in transfer_content(found)["transfer"]} == {"learn", "learn random"}
    shown = memory_tables(Report(found.runs, tuple(found.compared.values()), {}))[1]
    assert shown.title.endswith("the outcome is another than that of its reference")
    assert {row[0]: row[-2:] for row in shown.rows} == {"dev": ("2", "0"), "test": ("0", "1"), "mixed": ("0", "2")}
    begun = Transfer(BY_SPLIT, SPLITS, {arm: arms[arm] for arm in ("learn", "dev", "test", "none-test")})
    assert [*begun.cells] == [("learn", "test")]


def _refusal(further: dict[str, dict[str, object]], given: dict[str, str], world: str = "textcraft") -> str:
    react: dict[str, object] = {"method": {"name": "react"}}
    learn = {"method": {"name": "autoplan"}, "run": {"learn": True}, "learning": {"tasks": 2, "batch": 1}}
    arms = {"learn": learn, **{arm: {**react, **settings} for arm, settings in further.items()}}
    study = Study(name="by-split", common={"run": {"tasks": 1}}, arms=arms, given=given, findings=SPLITS, seeds=2)
    with pytest.raises(UsageError) as error:
        prepare_arms(study, [from_assignments([f"environment.name={world}"])])
    return str(error.value)


def test_arms_of_one_place_and_one_without_a_reference_are_refused_before_anything_runs(
    tmp_path: Path,
) -> None:
    dev: dict[str, object] = {"run": {"split": "dev"}}
    assert _refusal({"none": {}, "again": {"run": {"split": "test"}}}, {}) == (
        "findings: expected one arm without anything given in test, got none and again"
    )
    assert _refusal({"none": {}, "one": {}, "two": {}}, {"one": "learn", "two": "learn"}) == (
        "findings: expected one arm that is given what learn learns in test, got one and two"
    )
    assert _refusal({"none": {}, "one": dev}, {"one": "learn"}) == (
        "findings: expected an arm without anything given in dev, as one is, got none"
    )
    (tmp_path / "plan.md").write_text("Gather first.")
    planned: dict[str, object] = {"method": {"name": "react", "plan": str(tmp_path / "plan.md")}}
    assert _refusal({"planned": planned, "one": {}}, {"one": "learn"}) == (
        "findings: expected an arm without anything given in test, as one is, got none"
    )
    with pytest.raises(ValueError, match="reference: expected none, as each split has one, got 'none-dev'"):
        replace_struct(BY_SPLIT, reference="none-dev")


def test_the_shipped_study_of_worlds_shows_the_notes_of_each_in_both(tmp_path: Path) -> None:
    study = find_study("transfer-worlds")
    arms = prepare_arms(study, [])
    with create(study, arms, tmp_path / "study"):
        configs = StudyFolder.open_to_read(tmp_path / "study").record.arms
    shown = {arm: (configs[arm].environment.name, configs[arm].memory) for arm in study.given}
    assert {arm: (world, memory and memory.world) for arm, (world, memory) in shown.items()} == {
        "alfworld-in-alfworld": ("alfworld", None),
        "alfworld-in-textcraft": ("textcraft", "alfworld"),
        "textcraft-in-alfworld": ("alfworld", "textcraft"),
        "textcraft-in-textcraft": ("textcraft", None),
    }


def test_the_shipped_study_learns_on_three_types() -> None:
    study = find_study("transfer")
    assert study.given == {kind: f"learn-{kind}" for kind in ("clean", "heat", "look")}
    assert {arm["run"]["task_type"] for arm in study.arms.values() if "run" in arm} == {*study.given}
