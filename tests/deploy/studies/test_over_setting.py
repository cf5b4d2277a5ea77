"""The study of errors: its tables, its picture, and the assumption beside every figure."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec.structs import replace

from quintet.config.settings import from_assignments
from quintet.reports.load import Report, load_report
from quintet.reports.notes import notes
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import OverFindings, Study, find_study
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import findings_of

_Trials: TypeAlias = tuple[Mapping[str, Any], ...]
ARMS = ("react", "try-again", "reflexion", "lats", "adapt", "adapt-nothing")


def _write(path: Path, study: Study, solved: Mapping[str, int], trials: Mapping[str, _Trials] | None = None) -> Report:
    """The study with some arms run to the end: how many of two tasks they solved, and their trials."""
    arms = prepare_arms(study, [from_assignments(["run.tasks=2"])])
    with create(study, arms, path / "study") as folder:
        for arm, number in solved.items():
            own = (trials or {}).get(arm, ())
            tasks = [task.name for task in arms[arm].record.tasks]
            went = {name: Went(reward=float(place < number), trials=own) for place, name in enumerate(tasks)}
            samples.write(folder.arm_path(arm), arms[arm].record, went)
    return load_report([path / "study"])


def test_success_and_calls_are_by_method_and_error_rate(tmp_path: Path) -> None:
    report = _write(tmp_path, find_study("errors"), {"react-0": 2, "try-again-0": 1, "adapt-nothing-0.3": 1})
    found = findings_of(tmp_path / "study").findings
    success, differences, calls = found.tables
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
    (paired,) = [each for each in found.content["differences"] if each["rates"]]
    assert (paired["method"], paired["from"]) == ("try-again", "react")
    assert [(rate["error_rate"], rate["tasks"], rate["points"]["value"]) for rate in paired["rates"]] == [(0, 2, -0.5)]
    assert any(note.startswith("try-again: an oracle: ") for note in found.notes)
    assert "adapt-nothing: adapt, hand_on nothing" in found.notes
    # Every report with the figures states what they depend on.
    assumption = "other words of a goal are a new draw"
    assert any(assumption in note and "simulated" in note for note in found.notes)
    assert any(assumption in note for note in notes(report))
    strong = samples.record("react", ["beehive"], model={"name": "sim-strong"})
    samples.write(tmp_path / "strong", strong, {"beehive": Went()})
    assert not any(assumption in note for note in notes(load_report([tmp_path / "strong"])))


def test_figures_of_trials_have_tables_where_an_arm_has_trials(tmp_path: Path) -> None:
    trials = {
        "reflexion-0": ({"actions": 8, "steps": 5}, {"actions": 6, "steps": 3, "revised": True}),
        "try-again-0": ({"actions": 4},),
    }
    _write(tmp_path, find_study("errors"), {**dict.fromkeys(trials, 1), "react-0": 1}, trials)
    found = findings_of(tmp_path / "study").findings
    *_, actions, revisions = found.tables
    assert actions.title == "Actions in a trial, mean, by error rate"
    assert revisions.title == "Plan revisions per episode, mean, by error rate"
    assert [row[2] for row in actions.rows] == ["-", "4.00", "7.00", "-", "-", "-"]
    assert [row[2] for row in revisions.rows] == ["-", "-", "1.00", "-", "-", "-"]
    rates = {each["method"]: each["rates"] for each in found.content["methods"]}
    assert rates["react"][0]["trials"] is None
    assert rates["reflexion"][0]["trials"]["actions"] == 7.0


def test_arms_are_counted_together_where_a_row_has_several(tmp_path: Path) -> None:
    study = replace(
        find_study("errors"), findings=OverFindings(rows={"trials": ("try-again", "reflexion")}), reference=""
    )
    _write(tmp_path, study, {"try-again-0": 2, "reflexion-0": 0})
    success, calls = findings_of(tmp_path / "study").findings.tables
    assert [row[:3] for row in success.rows] == [("trials", "4", "50.0 (9, 91)")]
    assert [row[0] for row in calls.rows] == ["trials"]
