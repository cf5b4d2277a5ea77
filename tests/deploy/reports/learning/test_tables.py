"""The tables of versions and of the cost of a question."""

import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from rich.console import Console

from quintet.messages.message import Unanswered
from quintet.messages.reflection import Reflected
from quintet.quota.prices import Price
from quintet.reports.exports import as_csv, as_json
from quintet.reports.learning.tables import learning_tables
from quintet.reports.load import Report, load_report
from quintet.reports.notes import notes, title
from quintet.reports.tables import print_report, report_tables
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, NO_LESSONS, Step
from tests.deploy.samples import Went

LOOKED_BACK: dict[str, Reflected | Unanswered] = {
    "stick": Reflected(summary="It crafted nothing."),
    "torch": Unanswered(reason="mute"),
}
STEPS = [
    Step({"stick": LOST, "torch": Went()}, "Fetch a log first.\nThen craft.", LOOKED_BACK),
    Step({"bowl": Went("faulted"), "ladder": LOST}, Unanswered(reason="no text")),
    Step({"stick": Went(), "torch": Went(None)}, "Fetch a log first.\nThen craft."),
]
MEASURED = {
    0: {"beehive": LOST, "cake": LOST, "chest": LOST},
    1: {"beehive": Went(), "cake": LOST},
    3: {"beehive": Went(), "cake": Went("faulted"), "chest": Went()},
}
TRAINING = ("stick", "torch", "bowl", "ladder")


def _learning_report(path: Path, chosen: int | None = 3, /, **sections: Any) -> Report:
    record = learning_runs.record(TRAINING, ("chest",), **sections)
    return load_report([learning_runs.write(path, record, STEPS, MEASURED, chosen=chosen)])


def test_every_version_has_a_row_with_its_change_its_batch_and_its_scores(tmp_path: Path) -> None:
    curve, _ = learning_tables(_learning_report(tmp_path))
    assert curve.title == "By version"
    assert curve.columns == ("version", "plan", "batch solved", "held out", "n", "test")
    assert curve.rows == (
        ("0", "empty", "1 of 2", "0.0 (0, 79)", "2", "0.0 (0, 66)"),
        ("1", "2 lines, changed", "0 of 2, 1 faulted", "-", "2", "50.0 (9, 91)"),
        ("2", "2 lines, update failed", "1 of 2, 1 under way", "-", "-", "-"),
        ("3, chosen", "2 lines, unchanged", "-", "100 (21, 100)", "1", "100 (21, 100), 1 faulted"),
    )


def test_without_held_out_tasks_there_is_no_column_for_them(tmp_path: Path) -> None:
    path = learning_runs.write(tmp_path, learning_runs.record(TRAINING), STEPS[:1], {0: {"beehive": LOST}})
    curve, _ = learning_tables(load_report([path]))
    assert curve.columns == ("version", "plan", "batch solved", "n", "test")
    assert curve.rows[0][-1] == "1 of 2 done"


def test_a_learning_runs_success_is_in_the_table_with_other_runs(tmp_path: Path) -> None:
    _learning_report(tmp_path / "learnt")
    samples.write(tmp_path / "react", samples.record("react", ["beehive", "cake"]), {"beehive": LOST, "cake": LOST})
    report = load_report([tmp_path / "react", tmp_path / "learnt"])
    success = report_tables(report)[0]
    assert [(row[0], row[-2]) for row in success.rows] == [("react", "0.0 (0, 66)"), ("learnt", "100 (21, 100)")]
    curve, costs = learning_tables(report)
    assert curve.title == "By version, learnt"
    assert [row[0] for row in costs.rows] == ["react", "learnt"]
    assert [line.split(",")[0] for line in as_csv(report).splitlines()[1:]] == ["react"] * 2 + ["learnt"] * 2


def test_costs_are_divided_among_the_tasks_of_their_phase(tmp_path: Path) -> None:
    _, costs = learning_tables(_learning_report(tmp_path))
    # Training: eight episodes, three answers of the learner's for a batch and two updates, over five tasks.
    assert costs.rows == (("autoplan", "5", "2.6", "1,276", "-", "2", "1.0", "110", "-"),)


def test_costs_in_usd_are_divided_too(tmp_path: Path) -> None:
    prices = {samples.MODEL: Price(Decimal(10), Decimal(10), Decimal(20))}
    record = learning_runs.record(TRAINING).model_copy(update={"prices": prices})
    path = learning_runs.write(tmp_path, record, STEPS[:1], {1: {"beehive": Went(), "cake": Went()}}, chosen=1)
    _, costs = learning_tables(load_report([path]))
    assert costs.rows[0][-1] == "0.0012"


def test_a_report_without_learning_has_no_learning_tables(tmp_path: Path) -> None:
    assert learning_tables(load_report([samples.write(tmp_path, samples.record(), {"beehive": Went()})])) == []


def test_the_notes_list_learning_settings_and_failed_updates(tmp_path: Path) -> None:
    said = "\n".join(notes(_learning_report(tmp_path, learning={"batch": 2})))
    assert "; learning: batch 2, eval_every 1, select last" in said
    assert "autoplan: 1 of 3 updates left the plan as it was" in said
    assert "autoplan: iteration 2: no new plan: no text" in said
    assert "autoplan: iteration 1: no reflection on torch: mute" in said
    assert "autoplan: iteration 2: 1 faulted episode, not learnt from" in said
    assert f"autoplan: 2 faulted episodes, not counted; quintet resume {tmp_path} --faulted" in said
    assert "autoplan: unfinished, version 3 of 12 chosen; quintet resume" in said


def test_a_skipped_update_is_not_an_unchanged_one(tmp_path: Path) -> None:
    steps = [STEPS[0], Step({"bowl": Went("faulted")}, NO_LESSONS)]
    said = notes(load_report([learning_runs.write(tmp_path, learning_runs.record(TRAINING), steps)]))
    assert "autoplan: iteration 2: no lessons, so no new plan was asked for" in said
    assert not [note for note in said if "left the plan as it was" in note]


def test_a_run_that_still_learns_says_how_far_it_is(tmp_path: Path) -> None:
    report = _learning_report(tmp_path, None)
    assert f"autoplan: unfinished, still learning, version 3 of 6; quintet resume {tmp_path}" in notes(report)
    assert "5 training tasks of split dev" in title(report)


def test_a_plan_to_begin_with_is_named(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("Look around.", encoding="utf-8")
    given = {"method": {"plan": str(tmp_path / "plan.md")}}
    learnt = learning_runs.record(TRAINING, **given)
    learning_runs.write(tmp_path / "learnt", learnt, [], start="Look around.")
    samples.write(tmp_path / "react", samples.record("react", **given), {"beehive": Went()})
    said = notes(load_report([tmp_path / "learnt", tmp_path / "react"]))
    assert f"learnt: begins with the plan in {tmp_path / 'plan.md'}" in said
    assert f"react: is shown the plan in {tmp_path / 'plan.md'}" in said


def test_the_tables_fit_a_terminal_of_120_columns(tmp_path: Path) -> None:
    out = io.StringIO()
    print_report(_learning_report(tmp_path), Console(file=out, width=120, force_terminal=True, color_system=None))
    (curve,) = (line for line in out.getvalue().splitlines() if "3, chosen" in line)
    assert " ".join(curve.split()) == "3, chosen 2 lines, unchanged - 100 (21, 100) 1 100 (21, 100), 1 faulted"


def test_json_has_the_whole_learning_report(tmp_path: Path) -> None:
    (run,) = json.loads(as_json(_learning_report(tmp_path)))["runs"]
    learning = run["learning"]
    assert (learning["ended"], learning["chosen"], learning["judged_by"]) == (True, 3, 3)
    assert (learning["unchanged"], learning["failed_updates"], learning["updates_without_lessons"]) == (1, 1, 0)
    assert [version["text"].partition("\n")[0] for version in learning["versions"]] == ["", *["Fetch a log first."] * 3]
    assert learning["versions"][1]["test"]["success"]["value"] == 0.5
    assert learning["versions"][1]["held_out"] is None
    first, second, _ = learning["iterations"]
    assert [(episode["path"], episode["success"]) for episode in first["batch"]] == [
        ("stick/0/0", False),
        ("torch/0/0", True),
    ]
    assert first["reflections"][0]["summary"] == "It crafted nothing."
    assert first["reflections"][1]["failed"] == "mute"
    assert second["update_failed"] == "no text"
    spent = learning["spent"]
    assert (spent["training"]["tasks"], spent["inference"]["tasks"]) == (5, 2)
    assert sum(part["calls"] for part in spent.values()) == run["calls"]


def test_an_evaluation_has_no_learning_in_its_json(tmp_path: Path) -> None:
    report = load_report([samples.write(tmp_path, samples.record(), {"beehive": Went()})])
    assert json.loads(as_json(report))["runs"][0]["learning"] is None
