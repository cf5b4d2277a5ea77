"""The pictures of studies, and the study that repeats the papers' budgets beside each other."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.reports.load import load_report
from quintet.reports.published_tables import published_tables
from quintet.studies.arms import configurations
from quintet.studies.definition import LinesPanel, PlanStepsPanel, TrialsPanel, find_study
from quintet.studies.pictures import draw_picture
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went, begin


def test_a_picture_is_drawn_also_while_arms_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for arm, method, depth in (("adapt-1", "adapt", 1), ("adapt-4", "adapt", 4), ("react-20", "react", 1)):
        record = samples.record(method, ["beehive", "cake"])
        samples.write(tmp_path / arm, record, {"beehive": Went(depth=depth), "cake": Went("unsolved", 0.0)})
    file = tmp_path / "picture.png"
    draw_picture(
        find_study("adapt-dmax"), load_report([tmp_path / arm for arm in ("adapt-1", "adapt-4", "react-20")]), file
    )
    assert file.read_bytes().startswith(b"\x89PNG")


def test_the_study_claims_no_figure_of_the_paper() -> None:
    definition = find_study("adapt-dmax")
    assert definition.common["run"]["split"] == "test"  # the paper's figure 4 is of dev splits
    assert "igure" not in definition.summary


def test_each_published_row_is_of_an_arm_with_its_budget(tmp_path: Path) -> None:
    definition = find_study("adapt-dmax")
    arms = configurations(definition, [])
    with create(definition, arms, tmp_path) as folder:
        for arm, config in arms.items():
            samples.write(folder.arm_path(arm), begin(config), {"beehive": Went()})
    report = load_report([tmp_path])
    found = {run.arm: [f"{each.source}: {each.row}" for each in run.summary.published] for run in report.runs}
    assert {arm: rows for arm, rows in found.items() if rows} == {
        "adapt-4": ["ADaPT, table 4: ADaPT", "ADaPT, table 7: ADaPT"],
        "react-20": ["ADaPT, table 7: ReAct"],
        "react-60": ["ADaPT, table 4: ReAct"],
    }
    success, _ = published_tables(report)
    assert [row[4:] for row in success.rows] == [
        ("52.0", "-", "-"),
        ("-", "78.2", "38.7"),
        ("-", "26.9", "1.8"),
        ("19.0", "-", "-"),
    ]


def test_success_is_drawn_over_calls_with_a_point_for_each_value(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    errors = find_study("errors")
    panel = LinesPanel(title="Success over calls", figure="success by calls")
    study = replace(errors, picture=(panel,))
    arms = {name: config for name, config in configurations(errors, []).items() if name in ("react-0", "react-0.3")}
    with create(study, arms, tmp_path / "study") as folder:
        for arm, went in zip(arms, (Went(), Went("unsolved", 0.0)), strict=True):
            samples.write(folder.arm_path(arm), begin(arms[arm]), {"beehive": went})
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        draw_picture(study, load_report([tmp_path / "study"]), tmp_path / "picture.svg")
    drawn = (tmp_path / "picture.svg").read_text()
    assert ">0.3<" in drawn
    assert ">model calls per episode, mean (at each point, the error rate)<" in drawn


def test_trials_and_plans_are_drawn_by_arm(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    errors = find_study("errors")
    panels = (
        TrialsPanel(title="Success by trial"),
        PlanStepsPanel(title="Steps per plan", arms=("adapt-0", "react-0")),
        LinesPanel(title="Actions", figure="actions"),
        LinesPanel(title="Revisions", figure="plan revisions"),
    )
    study = replace(errors, picture=panels)
    names = ("react-0", "adapt-0", "adapt-0.1")
    arms = {name: config for name, config in configurations(errors, []).items() if name in names}
    plan = ({"actions": 8, "steps": 5}, {"actions": 6, "steps": 3, "revised": True, "reward": 1.0})
    with create(study, arms, tmp_path / "study") as folder:
        for arm, trials in zip(arms, ((), plan, plan[1:]), strict=True):
            samples.write(folder.arm_path(arm), begin(arms[arm]), {"beehive": Went(trials=trials)})
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        draw_picture(study, load_report([tmp_path / "study"]), tmp_path / "picture.svg")
    drawn = (tmp_path / "picture.svg").read_text()
    assert ">adapt-0 (mean 4.0)<" in drawn
    assert ">react-0 (" not in drawn
    for said in ("trial", "steps of a plan", "actions in a trial, mean", "plan revisions per episode, mean"):
        assert f">{said}<" in drawn
