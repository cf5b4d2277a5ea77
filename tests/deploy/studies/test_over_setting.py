"""The study of errors: its tables, its picture, and the assumption beside every figure."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.config.settings import from_assignments
from quintet.reports.load import load_report
from quintet.reports.notes import notes
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import OverFindings, find_study
from quintet.studies.findings import part_report
from quintet.studies.pictures import draw_picture
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went

ARMS = ("react", "try-again", "reflexion", "lats", "adapt", "adapt-nothing")


def write_study(path: Path) -> Path:
    """The study with three of its arms run to the end."""
    definition = find_study("errors")
    arms = prepare_arms(definition, [from_assignments(["run.tasks=2"])])
    with create(definition, arms, path) as folder:
        for arm, solved in (("react-0", 2), ("try-again-0", 1), ("adapt-nothing-0.3", 1)):
            record = arms[arm].record
            went = {task.name: Went(reward=float(place < solved)) for place, task in enumerate(record.tasks)}
            samples.write(folder.arm_path(arm), record, went)
    return path


def test_success_and_calls_are_by_method_and_error_rate(tmp_path: Path) -> None:
    (found,) = part_report(load_report([write_study(tmp_path / "study")]))[1].values()
    success, differences, calls = found.findings.tables
    assert success.columns == calls.columns == ("", "n", "0", "0.02", "0.05", "0.1", "0.2", "0.3")
    assert [row[0] for row in success.rows] == list(ARMS)
    assert [row[1] for row in success.rows] == [row[1] for row in calls.rows] == ["2", "2", "-", "-", "-", "2"]
    assert [row[2].split()[0] for row in success.rows] == ["100", "50.0", "-", "-", "-", "-"]
    assert success.rows[5][7].startswith("50.0 (")
    assert calls.rows[4] == ("adapt", *["-"] * 7)
    assert "-" not in (calls.rows[0][2], calls.rows[5][7])
    assert [row[:2] for row in differences.rows] == [
        (f"{arm} - react", "2" if arm == "try-again" else "-") for arm in ARMS[1:]
    ]
    assert [row[2].split()[0] for row in differences.rows] == ["-50", "-", "-", "-", "-"]
    (paired,) = [each for each in found.findings.content["differences"] if each["rates"]]
    assert (paired["method"], paired["from"]) == ("try-again", "react")
    assert [(rate["error_rate"], rate["tasks"], rate["points"]["value"]) for rate in paired["rates"]] == [(0, 2, -0.5)]
    assert any(note.startswith("try-again: an oracle: ") for note in found.findings.notes)
    assert "adapt-nothing: adapt, hand_on nothing" in found.findings.notes


def test_figures_of_trials_have_tables_where_an_arm_has_trials(tmp_path: Path) -> None:
    definition = find_study("errors")
    arms = prepare_arms(definition, [from_assignments(["run.tasks=1"])])
    trials = ({"actions": 8, "steps": 5}, {"actions": 6, "steps": 3, "revised": True})
    with create(definition, arms, tmp_path / "study") as folder:
        for arm, own in (("reflexion-0", trials), ("try-again-0", ({"actions": 4},)), ("react-0", ())):
            record = arms[arm].record
            samples.write(folder.arm_path(arm), record, {record.tasks[0].name: Went(trials=own)})
    (found,) = part_report(load_report([tmp_path / "study"]))[1].values()
    *_, actions, revisions = found.findings.tables
    assert actions.title == "Actions in a trial, mean, by error rate"
    assert revisions.title == "Plan revisions per episode, mean, by error rate"
    assert [row[2] for row in actions.rows] == ["-", "4.00", "7.00", "-", "-", "-"]
    assert [row[2] for row in revisions.rows] == ["-", "-", "1.00", "-", "-", "-"]
    rates = {each["method"]: each["rates"] for each in found.findings.content["methods"]}
    assert rates["react"][0]["trials"] is None
    assert rates["reflexion"][0]["trials"]["actions"] == 7.0


def test_every_report_with_the_figures_states_the_assumption(tmp_path: Path) -> None:
    assumption = "other words of a goal are a new draw"
    report = load_report([write_study(tmp_path / "study")])
    (found,) = part_report(report)[1].values()
    assert any(assumption in note and "simulated" in note for note in found.findings.notes)
    assert any(assumption in note for note in notes(report))
    samples.write(
        tmp_path / "strong", samples.record("react", ["beehive"], model={"name": "sim-strong"}), {"beehive": Went()}
    )
    assert not any(assumption in note for note in notes(load_report([tmp_path / "strong"])))


def test_a_picture_is_drawn_also_while_arms_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "picture.png"
    draw_picture(find_study("errors"), load_report([write_study(tmp_path / "study")]), file)
    assert file.read_bytes().startswith(b"\x89PNG")


def test_arms_are_counted_together_where_a_row_has_several(tmp_path: Path) -> None:
    study = replace(
        find_study("errors"), findings=OverFindings(rows={"trials": ("try-again", "reflexion")}), reference=""
    )
    arms = prepare_arms(study, [from_assignments(["run.tasks=2"])])
    with create(study, arms, tmp_path / "study") as folder:
        for arm, solved in (("try-again-0", 2), ("reflexion-0", 0)):
            record = arms[arm].record
            went = {task.name: Went(reward=float(place < solved)) for place, task in enumerate(record.tasks)}
            samples.write(folder.arm_path(arm), record, went)
    (found,) = part_report(load_report([tmp_path / "study"]))[1].values()
    success, calls = found.findings.tables
    assert [row[:3] for row in success.rows] == [("trials", "4", "50.0 (9, 91)")]
    assert [row[0] for row in calls.rows] == ["trials"]
