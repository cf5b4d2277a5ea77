"""A report as tables."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from quintet.cli.console import console
from quintet.launch.writable_run import WritableRun
from quintet.quota.cost import Cost
from quintet.quota.prices import Price
from quintet.reports.exports import as_csv, as_json
from quintet.reports.learning.tables import task_costs
from quintet.reports.load import Report, load_report
from quintet.reports.notes import notes, title
from quintet.reports.tables import phase_tables, print_report, report_tables
from quintet.reports.text_tables import TextTable
from quintet.reports.troubles import troubles
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went

LOST = Went("unsolved", 0.0, claimed=False)


def _demo(path: Path, react: dict[str, Went], adapt: dict[str, Went]) -> Report:
    """A demo of which only some episodes have run."""
    arms = {arm: samples.prepared(arm, None) for arm in ("react", "adapt")}
    with create(find_study("demo"), arms, path) as folder:
        for arm, went in (("react", react), ("adapt", adapt)):
            samples.write(folder.arm_path(arm), samples.record(arm, None), went)
    return load_report([path])


def _run(path: Path, went: dict[str, Went], method: str = "react", **sections: Mapping[str, object]) -> Report:
    """The report of a run of these tasks."""
    return load_report([samples.write(path / "run", samples.record(method, list(went), **sections), went)])


def _exported(report: Report) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Its runs in JSON, and the lines of CSV."""
    return json.loads(as_json(report))["runs"], [*csv.DictReader(io.StringIO(as_csv(report)))]


def _print(report: Report) -> str:
    out = io.StringIO()
    print_report(report, console(out))
    return out.getvalue()


def test_two_arms_are_compared_and_their_recursion_and_budgets_shown(tmp_path: Path) -> None:
    react, adapt = {"beehive": LOST, "campfire": Went()}, {"beehive": Went(depth=3, calls=3), "campfire": LOST}
    report = _demo(tmp_path, react, adapt)
    success, depth, *_, effort, _ = report_tables(report)
    assert success.columns == ("", "n", "all\n2 tasks", "recipe depth 2\n2 tasks")
    assert [row[:2] for row in success.rows] == [("react", "2"), ("adapt", "2"), ("adapt - react", "2")]
    assert (success.rows[1][2], success.rows[2][2][:4]) == ("50.0 (9, 91)", "+0 (")
    assert {row[0] for table in report_tables(report)[1:] for row in table.rows} == {"react", "adapt"}
    assert depth.title == "Levels of recursion needed to succeed, mean"
    assert [row[1:] for row in depth.rows] == [("1", "1.0", "1.0"), ("1", "3.0", "3.0")]
    assert effort.columns[1:4] == ("n", "budget", "calls")
    assert [row[:4] for row in effort.rows] == [("react", "2", "80", "1.0"), ("adapt", "2", "4 x 20", "2.0")]
    assert title(report) == "textcraft, split test, 200 tasks, seed 0, model sim-weak (simulated)"
    printed = _print(report)
    assert printed.count("simulated") == 4
    assert [line.count("prompt tokens") for line in printed.splitlines() if "completion tokens" in line] == [1, 1]
    assert "\x1b" not in printed, "nothing wraps where there is no terminal"


def test_tasks_that_faulted_in_one_arm_only_are_noted(tmp_path: Path) -> None:
    react = {"beehive": LOST, "campfire": Went("faulted"), "lectern": LOST}
    adapt = {"beehive": Went(), "campfire": Went(), "lectern": Went("faulted")}
    report = _demo(tmp_path / "as many", react, adapt)
    success = report_tables(report)[0]
    assert success.columns[:4] == ("", "n", "faulted", "all\n2 tasks")
    assert [row[1:3] for row in success.rows] == [("2", "1"), ("2", "1"), ("1", "-")]
    said = "adapt - react: compares the 1 task that ended in both; 1 ended in adapt only, 1 in react only"
    assert said in notes(report)
    left_out = json.loads(as_json(report))["differences"][0]["left_out"]
    assert left_out == {"ended_in_run_only": 1, "ended_in_minus_only": 1}
    success = report_tables(_demo(tmp_path / "fewer", {"beehive": LOST}, {"beehive": Went(), "campfire": Went()}))[0]
    assert success.columns == ("", "n", "all", "recipe depth 2")
    assert [row[3] for row in success.rows[:2]] == ["0.0 (0, 79) of 1", "100 (34, 100) of 2"]


def test_answers_out_of_bounds_are_noted_and_counted(tmp_path: Path) -> None:
    report = _run(tmp_path, {"beehive": Went(calls=3, bounded=True), "cake": Went(calls=2)})
    assert "react: 3 answers out of bounds; what is counted is at most what was reserved" in notes(report)
    assert _exported(report)[0][0]["answers_out_of_bounds"] == 3


def test_answers_without_a_verdict_are_noted(tmp_path: Path) -> None:
    record = samples.record("react", ["beehive"]).model_copy(update={"models": {"executor": "m", "judge": "j"}})
    (run,) = load_report([samples.write(tmp_path / "run", record, {"beehive": LOST})]).runs
    assert run.results.without_verdict == 0
    silent = replace(run, results=replace(run.results, without_verdict=2))
    assert troubles(Report((silent,))) == ["react: 2 answers without a verdict: the judge said neither yes nor no"]


def test_completions_without_an_answer_are_counted_by_kind_where_there_are_any(tmp_path: Path) -> None:
    full = Went("faulted", calls=1, finish="context_full")
    report = _run(tmp_path, {"beehive": Went(calls=3, finish="length"), "cake": full})
    effort = report_tables(report)[-1]
    assert effort.columns[-3:] == ("faulted", "cut off", "context full")
    assert effort.rows[0][-3:] == ("1", "3", "1")
    (run,), lines = _exported(report)
    assert {kind: number for kind, number in run["unanswered"].items() if number} == {"cut_off": 3, "context_full": 1}
    assert [episode["unanswered"]["cut_off"] for episode in run["episodes"]] == [3, 0]
    found = [(line["cut_off"], line["context_full"], line["refused"]) for line in lines]
    assert found == [("3", "0", "0"), ("0", "1", "0")]


@pytest.mark.parametrize(("read", "warned"), [(3, False), (2, True)])
def test_answers_that_were_not_read_are_counted_noted_and_said_first_where_they_are_most(
    tmp_path: Path, read: int, warned: bool
) -> None:
    unread, free = Went("unsolved", calls=3, legibility="unread"), Went(calls=40, legibility="free")
    report = _run(tmp_path, {"beehive": unread, "cake": Went(calls=read), "stick": free})
    assert f"react: 3 of {3 + read} answers ({3 / (3 + read):.0%}) could not be read" in notes(report)
    assert report_tables(report)[2].columns[-1] == "not read"
    (run,), lines = _exported(report)
    assert (run["unanswered"]["not_read"], run["answers_to_read"]) == (3, 3 + read)
    assert run["share_not_read"] == pytest.approx(3 / (3 + read))
    assert [line["not_read"] for line in lines] == ["3", "0", "0"]
    assert (_print(report).splitlines()[1].startswith("warning: react: 60% of the answers could not be read")) is warned


def test_a_report_of_answers_that_were_read_says_nothing_of_them(tmp_path: Path) -> None:
    report = _run(tmp_path, {"beehive": Went(calls=3)})
    assert not any("read" in note for note in notes(report))
    assert "not read" not in report_tables(report)[-1].columns


@pytest.mark.parametrize(
    ("tasks", "sections", "said"),
    [
        (["stick"], {}, "textcraft, 1 named task, seed 0,"),
        (["stick", "beehive"], {"run": {"epochs": 2}}, "textcraft, 2 named tasks, 2 epochs, seed 0,"),
        (None, {"run": {"tasks": 1}}, "textcraft, split test, 1 task, seed 0,"),
    ],
)
def test_a_title_marks_named_tasks(
    tasks: list[str] | None, sections: dict[str, Any], said: str, tmp_path: Path
) -> None:
    run = samples.write(tmp_path / "run", samples.record("react", tasks, **sections), {})
    assert title(load_report([run])).startswith(said)


def test_an_episode_s_limits_are_part_of_its_budget(tmp_path: Path) -> None:
    limits = {"episode_calls": 1500, "episode_tokens": 10_000}
    effort = report_tables(_run(tmp_path, {"beehive": LOST}, "adapt", limits=limits))[-1]
    assert effort.rows[0][2] == "4 x 20, at most 1,500 calls, 10,000 tokens"


def test_what_runs_do_not_have_in_common_is_not_in_their_title(tmp_path: Path) -> None:
    samples.write(tmp_path / "weak", samples.record(), {"beehive": Went()})
    strong = samples.record(model={"name": "sim-strong"}, run={"epochs": 2})
    samples.write(tmp_path / "strong", strong, {"beehive": Went()})
    report = load_report([tmp_path / "weak", tmp_path / "strong"])
    labels = [row[0] for table in report_tables(report) for row in table.rows]
    assert labels == ["weak, sim-weak (simulated)", "strong, sim-strong (simulated)"] * 4
    assert title(report) == "textcraft, 1 named task, seed 0"


def test_claims_have_a_table_where_any_was_made(tmp_path: Path) -> None:
    silent = Went("unsolved", 0.0, claimed=None)
    report = _demo(tmp_path / "claimed", {"beehive": silent}, {"beehive": Went(), "campfire": Went("solved", 0.0)})
    claims = report_tables(report)[1]
    assert claims.columns == ("", "n", "claimed", "earned", "episodes without a claim")
    assert claims.rows == (
        ("react", "1", "-", "0.0 (0, 79)", "1 of 1"),
        ("adapt", "2", "100 (34, 100)", "50.0 (9, 91)", "0 of 2"),
    )
    assert json.loads(as_json(report))["runs"][1]["claims"] == {
        "claimed_success": {**_estimate(1.0, 0.34, 1.0), "stepless": False},
        "earned_success": {**_estimate(0.5, 0.09, 0.91), "stepless": False},
        "episodes_without_a_claim": 0,
        "of": 2,
    }
    quiet = _demo(tmp_path / "quiet", {"beehive": silent}, {"beehive": silent})
    assert [table.title.partition(" ")[0] for table in report_tables(quiet)] == ["Success", "Per", "Per"]


def _estimate(value: float, low: float, high: float) -> dict[str, object]:
    return {"value": value, "low": pytest.approx(low, abs=0.01), "high": pytest.approx(high, abs=0.01)}


def test_figures_of_episodes_that_all_ended_without_a_step_are_marked_in_every_table(tmp_path: Path) -> None:
    idle = Went("unsolved", 0.0, calls=0)
    report = _demo(tmp_path, {"beehive": idle, "campfire": idle}, {"beehive": Went(), "campfire": idle})
    tables = {table.title.partition(" in ")[0]: table for table in report_tables(report)}
    success, claims = tables["Success"], tables["Success as claimed and as earned,"]
    assert success.rows[0][2] == "0.0 (0, 66), no step"
    assert success.rows[1][2] == "50.0 (9, 91)", "one episode took a step"
    assert success.rows[2][2].endswith(", no step"), "a difference to it says as little"
    assert claims.rows[0][2:4] == ("100 (34, 100), no step", "0.0 (0, 66), no step")
    assert "react: no episode took a step, so its figures say nothing of what it does" in notes(report)
    assert [run["success"]["stepless"] for run in _exported(report)[0]] == [True, False]


def test_an_unfinished_study_is_to_be_resumed_whole(tmp_path: Path) -> None:
    arms = {arm: samples.prepared(arm, None) for arm in ("react", "adapt")}
    with create(find_study("demo"), arms, tmp_path / "a study") as folder:
        resume = f"quintet resume '{tmp_path}/a study'"
        assert f"react, adapt: not begun; {resume}" in _print(load_report([tmp_path / "a study"])).splitlines()
        samples.write(folder.arm_path("react"), samples.record("react", ["beehive", "cake"]), {"beehive": Went()})
    report = load_report([tmp_path / "a study"])
    assert f"react: unfinished, 1 of 2 episodes done; {resume}" in notes(report)
    assert f"adapt: not begun; {resume}" in notes(report)
    assert report.compared == ()


_UNDO = "a free undo, which few tasks of your own would allow: "


@pytest.mark.parametrize(
    ("method", "went", "said"),
    [
        ("react", {"beehive": Went()}, "react: unfinished, 1 of 2 episodes done; quintet resume {path}"),
        (
            "react",
            {"beehive": Went("faulted"), "cake": LOST},
            "react: 1 faulted episode, not counted; quintet resume {path} --faulted",
        ),
        ("react", {}, "react: react, sim-weak (simulated), max_steps 80, patience 8, claims True"),
        ("react", {}, "react: a best of several: the model chooses one of several trials"),
        ("try_again", {}, "try_again: an oracle: it takes the trial with the greatest reward"),
        ("devils_advocate", {}, f"devils_advocate: {_UNDO}it goes back to where it was before"),
        ("search", {}, f"search: {_UNDO}it acts in copies of the world, and leaves those that failed"),
    ],
)
def test_a_run_is_noted_with_its_settings_and_what_is_missing(
    method: str, went: dict[str, Went], said: str, tmp_path: Path
) -> None:
    several = {"best_of": said.partition("several: ")[2]}
    path = samples.write(tmp_path / "run", samples.record(method, ["beehive", "cake"]).model_copy(update=several), went)
    found = notes(load_report([path]))
    assert said.format(path=path) in found
    assert any("oracle" in note for note in found) == (method in ("try_again", "search"))
    assert any(_UNDO in note for note in found) == (_UNDO in said)


def test_runs_side_by_side_say_what_a_step_took(tmp_path: Path) -> None:
    lost = {"campfire": Went("faulted", 0.0, calls=7)}
    report = _demo(tmp_path, {"beehive": Went(calls=2), "lectern": Went(calls=4)}, {"beehive": Went(calls=0), **lost})
    table = report_tables(report)[-1]
    assert table.title == "Per step of the environment, mean"
    assert table.columns == ("", "n", "steps per episode", "calls", "prompt tokens", "completion tokens")
    assert table.rows == (("react", "2", "3.0", "1.00", "100", "10"), ("adapt", "1", "0.0", "-", "-", "-"))
    runs = json.loads(as_json(report))["runs"]
    assert [run["per_step"] for run in runs] == [{"calls": 1, "prompt_tokens": 100, "completion_tokens": 10}, None]
    steps = [[episode["steps"] for episode in run["episodes"] if episode["state"] != "not begun"] for run in runs]
    assert steps == [[4, 2], [0, 7]]


def test_json_and_csv_have_everything(tmp_path: Path) -> None:
    report = _demo(tmp_path, {"beehive": LOST, "lectern": LOST}, {"beehive": Went(depth=2), "lectern": Went("faulted")})
    runs, lines = _exported(report)
    adapt = runs[1]
    assert (adapt["model"], adapt["success"]["value"], adapt["faulted"]) == (samples.MODEL, 1.0, 1)
    assert adapt["groups"]["recipe depth"]["2"]["depth_to_succeed"] == 2.0
    assert adapt["configuration"]["method"]["max_depth"] == 4
    successes = {episode["task"]: episode["success"] for episode in adapt["episodes"]}
    assert (successes["beehive"], successes["lectern"]) == (True, None)
    overall = json.loads(as_json(report))["differences"][0]
    assert (overall["run"], overall["minus"], overall["tasks"]) == ("adapt", "react", 1)
    assert overall["difference"]["value"] == 1.0
    assert len(lines) == 2 * 200
    ran = [line for line in lines if line["task"] == "beehive"]
    assert [(line["run"], line["success"], line["calls"]) for line in ran] == [
        ("react", "False", "1"),
        ("adapt", "True", "1"),
    ]
    assert (ran[0]["recipe depth"], ran[0]["model"]) == ("2", samples.MODEL)


IN_PHASES = Went(calls=3, phases=("candidates", "values"))


@pytest.mark.parametrize("state", [None, "solved"])
def test_a_run_of_several_phases_has_a_table_of_them(tmp_path: Path, state: str | None) -> None:
    prices = {samples.MODEL: Price(Decimal(4), Decimal(1), Decimal(20))}
    record = samples.record("react", ["beehive", "cake"]).model_copy(update={"prices": prices})
    went = {"beehive": replace(IN_PHASES, state=state), "cake": IN_PHASES}
    report = load_report([samples.write(tmp_path / "run", record, went)])
    (table,) = (table for table in report_tables(report) if table.title.startswith("By phase"))
    assert table.columns == ("", "calls", "prompt tokens", "completion tokens", "USD")
    assert table.rows == (("candidates", "4", "400", "40", "0.0024"), ("values", "2", "200", "20", "0.0012"))
    results = report.runs[0].results
    assert results.phases["values"].nanodollars == 2 * (100 * 4_000 + 10 * 20_000)
    assert sum(row.cost.nanodollars or 0 for row in results.rows) == results.cost.nanodollars
    (run,), lines = _exported(report)
    assert {phase: spent["calls"] for phase, spent in run["phases"].items()} == {"candidates": 4, "values": 2}
    assert [list(episode["phases"]) for episode in run["episodes"]] == [["candidates", "values"]] * 2
    assert [(line["values calls"], line["candidates prompt_tokens"]) for line in lines] == [("1", "200")] * 2


def test_runs_side_by_side_and_runs_of_one_phase_have_no_such_table(tmp_path: Path) -> None:
    two = [samples.write(tmp_path / name, samples.record(), {"beehive": IN_PHASES}) for name in ("one", "two")]
    one = samples.write(tmp_path / "three", samples.record(), {"beehive": Went(calls=3)})
    for paths in (two, [one]):
        assert not [table for table in report_tables(load_report(paths)) if table.title.startswith("By phase")]


def test_a_run_that_is_named_twice_is_counted_once_and_a_dot_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.write(tmp_path / "two", samples.record(), {"beehive": Went()})
    with WritableRun.create(tmp_path / "one", samples.record()):  # also while it is written
        monkeypatch.chdir(tmp_path / "one")
        report = load_report([Path(), tmp_path / "one", Path("..", "two")])
    assert [(run.label, run.summary.unfinished) for run in report.runs] == [("one", 1), ("two", 0)]


PARTLY = {"beehive": Went("unsolved", 0.4, figures={"f1": 0.5}), "campfire": Went(figures={"f1": 1.0, "judge": 1.0})}


def test_a_part_of_a_reward_brings_the_score_beside_success_and_figures_a_column_each(tmp_path: Path) -> None:
    report = _demo(tmp_path, PARTLY, {"beehive": Went(), "campfire": LOST})
    success, figures, *_ = report_tables(report)
    assert success.title == "Score (mean reward x 100) and success in percent (95 % interval)"
    assert success.columns == ("", "n", "score", "all\n2 tasks", "recipe depth 2\n2 tasks")
    assert [row[:4] for row in success.rows[:2]] == [
        ("react", "2", "70.0 (17, 96)", "50.0 (9, 91)"),
        ("adapt", "2", "50.0 (9, 91)", "50.0 (9, 91)"),
    ]
    assert success.rows[2][2] == "-"
    assert figures.title == "Further figures, mean x 100 (95 % interval)"
    assert figures.columns == ("", "n", "f1", "judge")
    assert figures.rows == (("react", "2", "75.0 (20, 97)", "100 (21, 100) of 1"), ("adapt", "2", "-", "-"))
    runs, lines = _exported(report)
    found = [(line["reward"], line["figure f1"], line["figure judge"]) for line in lines if line["figure f1"]]
    assert found == [("0.4", "0.5", ""), ("1.0", "1.0", "1.0")]
    assert runs[0]["score"]["value"] == 0.7
    shown = {name: (each["mean"]["value"], each["tasks"]) for name, each in runs[0]["figures"].items()}
    assert shown == {"f1": (0.75, 2), "judge": (1.0, 1)}
    figures_of = [each["figures"] for each in runs[0]["episodes"] if each["figures"]]
    assert figures_of == [{"f1": 0.5}, {"f1": 1.0, "judge": 1.0}]


def test_a_judge_s_calls_are_in_their_phase_and_in_no_mean_of_the_method_s(tmp_path: Path) -> None:
    (run,) = _run(tmp_path, {"beehive": Went(calls=3, phases=("execute", "execute", "grade"))}).runs
    assert (run.results.counted.calls, run.results.cost.calls, run.results.rows[0].cost.calls) == (2, 3, 2)
    assert run.results.phases["grade"].calls == 1
    training, inference = task_costs(run)
    assert (training.tasks, inference.cost.calls) == (0, 2)
    spent = Cost(1, 10, 1, None)
    assert phase_tables("By phase", {"execute": spent}, priced=False) == []
    (table,) = phase_tables("By phase", {"grade": spent}, priced=False)
    assert table.rows == (("grade", "1", "10", "1"),)


def _trial_tables(tmp_path: Path, **runs: Went) -> dict[str, TextTable]:
    for name, went in runs.items():
        samples.write(tmp_path / name, samples.record("react", ["beehive"]), {"beehive": went})
    report = load_report([tmp_path / name for name in runs])
    return {table.title: table for table in report_tables(report) if "rial" in table.title or "plan" in table.title}


def test_runs_are_rows_and_those_without_trials_are_left_out(tmp_path: Path) -> None:
    planned = Went(trials=({"actions": 20, "steps": 6}, {"actions": 9, "reward": 1.0, "steps": 4, "revised": True}))
    tables = _trial_tables(tmp_path, planned=planned, once=Went(trials=({"actions": 7, "reward": 1.0},)), none=Went())
    success, actions, plans = tables.values()
    assert success.columns == ("", "n", "trial 1", "trial 2")
    assert success.rows == (
        ("planned", "1", "0.0 (0, 79)", "100 (21, 100)"),
        ("once", "1", "100 (21, 100)", "100 (21, 100)"),
    )
    assert actions.columns == ("", "n", "trials", "actions, first trial", "actions, last trial", "plan revisions")
    assert actions.rows == (
        ("planned", "1", "2.00", "20.00", "9.00", "1.00"),
        ("once", "1", "1.00", "7.00", "7.00", "-"),
    )
    assert plans.columns == ("", "plans", "mean", "4", "5", "6")
    assert plans.rows == (("planned", "2", "5.0", "50", "0", "50"),)


def test_a_table_is_left_out_if_it_says_nothing(tmp_path: Path) -> None:
    tables = _trial_tables(tmp_path, once=Went(trials=({"actions": 7, "reward": 1.0},)))
    assert list(tables) == ["Trials of an episode, and actions in a trial, mean"]
    assert tables.popitem()[1].columns[-1] == "actions, last trial"
    assert _trial_tables(tmp_path, none=Went()) == {}


def test_many_trials_and_long_plans_fit_a_table(tmp_path: Path) -> None:
    trials = tuple({"steps": steps} for steps in range(2, 42))
    success, _, plans = _trial_tables(tmp_path, many=Went("unsolved", 0.0, trials=trials)).values()
    assert success.columns[2:] == (*(f"trial {number}" for number in range(1, 10)), "trial 40")
    assert plans.columns[3:] == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11 or more")
    assert plans.rows[0][-1] == "78"
