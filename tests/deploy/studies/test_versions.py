"""Versions that an arm learns, shown as arms of their own."""

import json
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.reports.exports import as_json
from quintet.reports.load import load_report
from quintet.reports.notes import notes
from quintet.reports.tables import report_tables
from quintet.studies.arms import prepare_arms, versions
from quintet.studies.comparison import paired_tests
from quintet.studies.definition import LearntVersion, OverFindings, OverSetting, Study
from quintet.studies.findings import summarise_arms
from quintet.studies.panels import BarsPanel, LinesPanel
from quintet.studies.pictures import draw_picture
from quintet.studies.run import create
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

STUDY = Study(
    name="plans",
    summary="",
    common={"environment": {"name": "textcraft"}, "run": {"tasks": ["beehive", "cake"]}},
    arms={"react": {"method": {"name": "react"}}, "plan": {"method": {"name": "autoplan"}, "run": {"learn": True}}},
    versions={"none": LearntVersion(arm="plan", version=0), "first": LearntVersion(arm="plan", version=1)},
    reference="none",
    picture=(BarsPanel(title="all", arms=("react", "none", "first", "plan")),),
)
STEPS = [Step({"bread": LOST}, "1. Look."), Step({"bread": LOST}, "1. Look twice.")]
MEASURED = {
    0: {"beehive": LOST, "cake": LOST},
    1: {"beehive": Went(calls=3), "cake": LOST},
    2: {"beehive": Went(), "cake": Went()},
}


def write_study(path: Path, study: Study = STUDY, arm: str = "plan") -> Path:
    with create(study, prepare_arms(study, []), path) as folder:
        learning_runs.write(folder.arm_path(arm), learning_runs.record(["bread"]), STEPS, MEASURED, chosen=2)
    return path


def test_every_version_is_a_row_before_its_arm_and_is_compared(tmp_path: Path) -> None:
    report = load_report([write_study(tmp_path / "study")])
    success, *_ = report_tables(report)
    assert [(row[0], row[1], row[2].split()[0]) for row in success.rows] == [
        ("none", "2", "0.0"),
        ("first", "2", "50.0"),
        ("plan", "2", "100"),
        ("first - none", "2", "+50"),
        ("plan - none", "2", "+100"),
    ]
    assert [(each.ours, each.only_ours) for each in paired_tests(report)] == [("first", 1), ("plan", 2)]
    effort = next(table for table in report_tables(report) if table.title == "Per episode, mean")
    assert [row[3] for row in effort.rows] == ["1.0", "2.0", "1.0"]
    assert list(report.missing) == ["react"]
    said = notes(report)
    assert {"none: version 0 of plan", "first: version 1 of plan"} < set(said)
    assert sum("autoplan" in line for line in said) == 1, "the learning is told once"
    runs = json.loads(as_json(report))["runs"]
    assert [run["learning"] is None for run in runs] == [True, True, False]
    assert [run["calls"] for run in runs[:2]] == [2, 4], "of its own episodes"
    assert [[episode["epoch"] for episode in run["episodes"]] for run in runs] == [[0, 0], [1, 1], [2, 2]]
    pytest.importorskip("matplotlib")
    draw_picture(STUDY, report, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG"), "with bars for versions"


def test_versions_of_an_arm_over_a_setting_are_repeated_with_it(tmp_path: Path) -> None:
    study = Study(
        name="plans",
        summary="",
        common={**STUDY.common, "method": {"name": "autoplan"}, "run": {**STUDY.common["run"], "learn": True}},
        arms={"plan": {}},
        versions={"first": LearntVersion(arm="plan", version=1)},
        over=OverSetting(setting="learning.batch", label="batch", values=(1, 2)),
        reference="first",
        findings=OverFindings(),
        picture=(LinesPanel(title="Success"),),
    )
    assert {name: (each.arm, each.version) for name, each in versions(study).items()} == {
        "first-1": ("plan-1", 1),
        "first-2": ("plan-2", 1),
    }
    report = load_report([write_study(tmp_path / "study", study, "plan-2")])
    found = summarise_arms(study, report)
    success, difference, _ = found.tables
    assert [(row[0], row[2], row[3].split()[0]) for row in success.rows] == [
        ("first", "-", "50.0"),
        ("plan", "-", "100"),
    ]
    assert [(row[0], row[3].split()[0]) for row in difference.rows] == [("plan - first", "+50")]
    assert "first: version 1 of plan" in found.notes


def test_a_version_that_was_not_measured_has_no_figure(tmp_path: Path) -> None:
    with create(STUDY, prepare_arms(STUDY, [from_assignments([])]), tmp_path / "study") as folder:
        samples.write(folder.arm_path("plan"), learning_runs.record(["bread"]), {})
    success, *_ = report_tables(load_report([tmp_path / "study"]))
    assert [row[1:3] for row in success.rows] == [("0", "-")] * 3
