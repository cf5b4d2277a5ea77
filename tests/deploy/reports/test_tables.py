"""A report as tables."""

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from quintet.cli.console import console
from quintet.launch.writable_run import WritableRun
from quintet.quota.cost import Cost
from quintet.quota.prices import Price
from quintet.reports.exports import as_csv, as_json
from quintet.reports.learning.tables import task_costs
from quintet.reports.load import Report, load_report
from quintet.reports.notes import notes, title, troubles
from quintet.reports.tables import phase_tables, print_report, report_tables
from quintet.runs.study_folder import StudyFolder
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


def _print(report: Report) -> str:
    out = io.StringIO()
    print_report(report, console(out))
    return out.getvalue()


def test_two_arms_are_compared_and_have_no_published_figures(tmp_path: Path) -> None:
    react, adapt = {"beehive": LOST, "campfire": LOST}, {"beehive": Went(depth=2), "campfire": LOST}
    report = _demo(tmp_path, react, adapt)
    success = report_tables(report)[0]
    assert success.columns == ("", "n", "all\n2 tasks", "recipe depth 2\n2 tasks")
    assert [row[0] for row in success.rows] == ["react", "adapt", "adapt - react"]
    assert [row[1] for row in success.rows] == ["2", "2", "2"]
    assert success.rows[1][2] == "50.0 (9, 91)"
    assert success.rows[2][2].startswith("+50 (")
    assert {row[0] for table in report_tables(report)[1:] for row in table.rows} == {"react", "adapt"}


def test_tasks_that_faulted_in_one_arm_only_are_noted(tmp_path: Path) -> None:
    react = {"beehive": LOST, "campfire": Went("faulted"), "lectern": LOST}
    adapt = {"beehive": Went(), "campfire": Went(), "lectern": Went("faulted")}
    report = _demo(tmp_path, react, adapt)
    success = report_tables(report)[0]
    assert success.columns[:4] == ("", "n", "faulted", "all\n2 tasks")
    assert [row[1:3] for row in success.rows] == [("2", "1"), ("2", "1"), ("1", "-")]
    said = "adapt - react: compares the 1 task that ended in both; 1 ended in adapt only, 1 in react only"
    assert said in notes(report)
    left_out = json.loads(as_json(report))["differences"][0]["left_out"]
    assert left_out == {"ended_in_run_only": 1, "ended_in_minus_only": 1}


def test_a_rate_says_its_number_of_tasks_where_it_is_not_that_of_the_column(tmp_path: Path) -> None:
    report = _demo(tmp_path, {"beehive": LOST}, {"beehive": Went(), "campfire": Went()})
    success = report_tables(report)[0]
    assert success.columns == ("", "n", "all", "recipe depth 2")
    assert [row[3] for row in success.rows if "adapt -" not in row[0]] == [
        "0.0 (0, 79) of 1",
        "100 (34, 100) of 2",
    ]


def test_answers_out_of_bounds_are_noted_and_counted(tmp_path: Path) -> None:
    record = samples.record("react", ["beehive", "cake"])
    path = samples.write(tmp_path / "run", record, {"beehive": Went(calls=3, bounded=True), "cake": Went(calls=2)})
    report = load_report([path])
    (said,) = (note for note in notes(report) if "out of bounds" in note)
    assert said.endswith(": 3 answers out of bounds; what is counted is at most what was reserved")
    (run,) = json.loads(as_json(report))["runs"]
    assert run["answers_out_of_bounds"] == 3


def test_answers_without_a_verdict_are_noted(tmp_path: Path) -> None:
    record = samples.record("react", ["beehive"]).model_copy(update={"models": {"executor": "m", "judge": "j"}})
    (run,) = load_report([samples.write(tmp_path / "run", record, {"beehive": LOST})]).runs
    assert run.results.without_verdict == 0
    silent = replace(run, results=replace(run.results, without_verdict=2))
    assert troubles(silent) == ["react: 2 answers without a verdict: the judge said neither yes nor no"]


def test_completions_without_an_answer_are_counted_by_kind_where_there_are_any(tmp_path: Path) -> None:
    path = samples.write(
        tmp_path / "run",
        samples.record("react", ["beehive", "cake"]),
        {"beehive": Went(calls=3, finish="length"), "cake": Went("faulted", calls=1, finish="context_full")},
    )
    report = load_report([path])
    effort = report_tables(report)[-1]
    assert effort.columns[-3:] == ("faulted", "cut off", "context full")
    assert effort.rows[0][-3:] == ("1", "3", "1")
    (run,) = json.loads(as_json(report))["runs"]
    assert {kind: number for kind, number in run["unanswered"].items() if number} == {"cut_off": 3, "context_full": 1}
    assert [episode["unanswered"]["cut_off"] for episode in run["episodes"]] == [3, 0]
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert [(line["cut_off"], line["context_full"], line["refused"]) for line in lines] == [
        ("3", "0", "0"),
        ("0", "1", "0"),
    ]


def test_the_title_always_names_the_model_and_marks_a_simulated_one(tmp_path: Path) -> None:
    report = _demo(tmp_path, {"beehive": LOST}, {"beehive": Went()})
    assert title(report) == "textcraft, split test, 200 tasks, seed 0, model sim-weak (simulated)"
    assert _print(report).count("simulated") == 4


@pytest.mark.parametrize(
    ("tasks", "run", "said"),
    [
        (["stick"], {}, "textcraft, 1 named task, seed 0,"),
        (["stick", "beehive"], {"epochs": 2}, "textcraft, 2 named tasks, 2 epochs, seed 0,"),
        (None, {"tasks": 1}, "textcraft, split test, 1 task, seed 0,"),
    ],
)
def test_a_title_marks_named_tasks(tasks: list[str] | None, run: dict[str, object], said: str, tmp_path: Path) -> None:
    assert title(
        load_report([samples.write(tmp_path / "run", samples.record("react", tasks, run=run), {})])
    ).startswith(said)


def test_what_runs_do_not_have_in_common_is_not_in_their_title(tmp_path: Path) -> None:
    for epochs in (1, 2):
        samples.write(tmp_path / str(epochs), samples.record(run={"epochs": epochs}), {})
    assert "epochs" not in title(load_report([tmp_path / "1", tmp_path / "2"]))


def test_the_budget_of_model_calls_is_next_to_the_calls(tmp_path: Path) -> None:
    effort = report_tables(_demo(tmp_path, {"beehive": LOST}, {"beehive": Went(calls=2)}))[-2]
    assert effort.columns[1:4] == ("n", "budget", "calls")
    assert [row[:4] for row in effort.rows] == [("react", "1", "80", "1.0"), ("adapt", "1", "4 x 20", "2.0")]


def test_an_episode_s_limits_are_part_of_its_budget(tmp_path: Path) -> None:
    limits = {"episode_calls": 1500, "episode_tokens": 10_000}
    samples.write(tmp_path / "run", samples.record("adapt", ["beehive"], limits=limits), {"beehive": LOST})
    report = load_report([tmp_path / "run"])
    assert report_tables(report)[-1].rows[0][2] == "4 x 20, at most 1,500 calls, 10,000 tokens"


def test_arms_of_different_models_name_them_in_their_rows(tmp_path: Path) -> None:
    samples.write(tmp_path / "weak", samples.record(), {"beehive": Went()})
    samples.write(tmp_path / "strong", samples.record(model={"name": "sim-strong"}), {"beehive": Went()})
    report = load_report([tmp_path / "weak", tmp_path / "strong"])
    labels = [row[0] for table in report_tables(report) for row in table.rows]
    assert labels == ["weak, sim-weak (simulated)", "strong, sim-strong (simulated)"] * 4
    assert "model" not in title(report)


def test_levels_of_recursion_are_shown_where_there_are_any(tmp_path: Path) -> None:
    report = _demo(tmp_path, {"beehive": Went()}, {"beehive": Went(depth=3)})
    depth = report_tables(report)[1]
    assert depth.title == "Levels of recursion needed to succeed, mean"
    assert [row[1:] for row in depth.rows] == [("1", "1.0", "1.0"), ("1", "3.0", "3.0")]


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
        "claimed_success": {"value": 1.0, "low": pytest.approx(0.34, abs=0.01), "high": 1.0},
        "earned_success": {"value": 0.5, "low": pytest.approx(0.09, abs=0.01), "high": pytest.approx(0.91, abs=0.01)},
        "episodes_without_a_claim": 0,
        "of": 2,
    }
    quiet = _demo(tmp_path / "quiet", {"beehive": silent}, {"beehive": silent})
    assert [table.title.partition(" ")[0] for table in report_tables(quiet)] == ["Success", "Per", "Per"]


def test_an_unfinished_run_is_reported_as_such(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "run", samples.record("react", ["beehive", "cake"]), {"beehive": Went()})
    assert f"react: unfinished, 1 of 2 episodes done; quintet resume {path}" in notes(load_report([path]))


def test_an_unfinished_study_is_to_be_resumed_whole(tmp_path: Path) -> None:
    arms = {arm: samples.prepared(arm, None) for arm in ("react", "adapt")}
    with create(find_study("demo"), arms, tmp_path / "a study") as folder:
        samples.write(folder.arm_path("react"), samples.record("react", ["beehive", "cake"]), {"beehive": Went()})
    report = load_report([tmp_path / "a study"])
    found = notes(report)
    resume = f"quintet resume '{tmp_path}/a study'"
    assert f"react: unfinished, 1 of 2 episodes done; {resume}" in found
    assert f"adapt: not begun; {resume}" in found
    assert report.compared == ()


def test_faulted_episodes_are_reported_as_not_counted(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "run", samples.record(), {"beehive": Went("faulted")})
    report = load_report([path])
    assert f"react: 1 faulted episode, not counted; quintet resume {path} --faulted" in notes(report)
    assert report_tables(report)[0].rows[0][:4] == ("react", "0", "1", "-")


def test_the_methods_settings_are_printed(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "run", samples.record(), {"beehive": Went()})
    assert "react: react, sim-weak (simulated), max_steps 80, patience 8" in notes(load_report([path]))


def test_a_method_that_uses_rewards_is_named_an_oracle(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "try_again", samples.record("try_again"), {"beehive": Went()})
    assert "try_again: an oracle: it takes the trial with the greatest reward" in notes(load_report([path]))
    path = samples.write(tmp_path / "react", samples.record("react"), {"beehive": Went()})
    assert not any("oracle" in note for note in notes(load_report([path])))


def test_a_method_that_gives_the_best_of_several_answers_says_so(tmp_path: Path) -> None:
    chosen = samples.record().model_copy(update={"best_of": "the model chooses one of several trials"})
    path = samples.write(tmp_path / "run", chosen, {"beehive": Went()})
    assert "react: a best of several: the model chooses one of several trials" in notes(load_report([path]))


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


def test_a_study_that_has_not_begun_prints_without_tables(tmp_path: Path) -> None:
    with create(find_study("demo"), {"react": samples.prepared("react")}, tmp_path) as folder:
        assert isinstance(folder, StudyFolder)
    assert "react: not begun" in _print(load_report([tmp_path]))


def test_nothing_wraps_where_there_is_no_terminal(tmp_path: Path) -> None:
    printed = _print(_demo(tmp_path, {"beehive": LOST}, {"beehive": Went()}))
    per_episode, per_step = (line for line in printed.splitlines() if "completion tokens" in line)
    assert "prompt tokens" in per_episode
    assert "prompt tokens" in per_step
    assert "\x1b" not in printed


def test_json_has_everything(tmp_path: Path) -> None:
    report = _demo(tmp_path, {"beehive": LOST, "lectern": LOST}, {"beehive": Went(depth=2), "lectern": Went("faulted")})
    said = json.loads(as_json(report))
    adapt = said["runs"][1]
    assert adapt["model"] == samples.MODEL
    assert adapt["success"]["value"] == 1.0
    assert adapt["groups"]["recipe depth"]["2"]["depth_to_succeed"] == 2.0
    assert adapt["faulted"] == 1
    assert adapt["configuration"]["method"]["max_depth"] == 4
    successes = {episode["task"]: episode["success"] for episode in adapt["episodes"]}
    assert (successes["beehive"], successes["lectern"]) == (True, None)
    overall = said["differences"][0]
    assert (overall["run"], overall["minus"], overall["tasks"]) == ("adapt", "react", 1)
    assert overall["difference"]["value"] == 1.0


def test_csv_has_a_line_per_episode(tmp_path: Path) -> None:
    report = _demo(tmp_path, {"beehive": LOST}, {"beehive": Went(calls=2)})
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert len(lines) == 2 * 200
    ran = [line for line in lines if line["task"] == "beehive"]
    assert [(line["run"], line["success"], line["calls"]) for line in ran] == [
        ("react", "False", "1"),
        ("adapt", "True", "2"),
    ]
    assert ran[0]["recipe depth"] == "2"
    assert ran[0]["model"] == samples.MODEL


IN_PHASES = Went(calls=3, phases=("candidates", "values"))


@pytest.mark.parametrize("state", [None, "solved"])
def test_a_run_of_several_phases_has_a_table_of_them(tmp_path: Path, state: str | None) -> None:
    record = samples.record("react", ["beehive", "cake"])
    path = samples.write(tmp_path / "run", record, {"beehive": replace(IN_PHASES, state=state), "cake": IN_PHASES})
    (table,) = (table for table in report_tables(load_report([path])) if table.title.startswith("By phase"))
    assert table.columns == ("", "calls", "prompt tokens", "completion tokens")
    assert table.rows == (("candidates", "4", "400", "40"), ("values", "2", "200", "20"))


def test_runs_side_by_side_and_runs_of_one_phase_have_no_such_table(tmp_path: Path) -> None:
    two = [samples.write(tmp_path / name, samples.record(), {"beehive": IN_PHASES}) for name in ("one", "two")]
    one = samples.write(tmp_path / "three", samples.record(), {"beehive": Went(calls=3)})
    for paths in (two, [one]):
        assert not [table for table in report_tables(load_report(paths)) if table.title.startswith("By phase")]


def test_programs_get_the_phases_of_a_run_and_of_each_episode(tmp_path: Path) -> None:
    went = {"beehive": IN_PHASES, "cake": Went()}
    report = load_report([samples.write(tmp_path / "run", samples.record("react", list(went)), went)])
    (run,) = json.loads(as_json(report))["runs"]
    assert {phase: spent["calls"] for phase, spent in run["phases"].items()} == {
        "candidates": 2,
        "execute": 1,
        "values": 1,
    }
    assert [list(episode["phases"]) for episode in run["episodes"]] == [["candidates", "values"], ["execute"]]
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert [line["values calls"] for line in lines] == ["1", "0"]
    assert [line["execute prompt_tokens"] for line in lines] == ["0", "100"]


def test_the_cost_of_a_phase_is_a_part_of_the_whole_cost(tmp_path: Path) -> None:
    prices = {samples.MODEL: Price(Decimal(4), Decimal(1), Decimal(20))}
    record = samples.record().model_copy(update={"prices": prices})
    report = load_report([samples.write(tmp_path / "run", record, {"beehive": IN_PHASES})])
    (run,) = report.runs
    assert run.results.phases["values"].nanodollars == 100 * 4_000 + 10 * 20_000
    assert run.results.rows[0].cost == run.results.cost
    (table,) = (table for table in report_tables(report) if table.title.startswith("By phase"))
    assert [row[-1] for row in table.rows] == ["0.0012", "0.0006"]


def test_a_run_can_be_reported_while_it_is_written(tmp_path: Path) -> None:
    with WritableRun.create(tmp_path, samples.record(), mounts=samples.NOWHERE):
        assert load_report([tmp_path]).runs[0].summary.unfinished == 1


def test_a_run_that_is_named_twice_is_counted_once_and_a_dot_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        samples.write(tmp_path / name, samples.record(), {"beehive": Went()})
    monkeypatch.chdir(tmp_path / "one")
    report = load_report([Path(), tmp_path / "one", Path("..", "two")])
    assert [run.label for run in report.runs] == ["one", "two"]


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


def test_figures_are_columns_of_csv_and_fields_of_json(tmp_path: Path) -> None:
    report = load_report([samples.write(tmp_path / "run", samples.record("react", PARTLY), PARTLY)])
    lines = [*csv.DictReader(io.StringIO(as_csv(report)))]
    assert [(line["reward"], line["figure f1"], line["figure judge"]) for line in lines] == [
        ("0.4", "0.5", ""),
        ("1.0", "1.0", "1.0"),
    ]
    (run,) = json.loads(as_json(report))["runs"]
    assert run["score"]["value"] == 0.7
    assert {name: (each["mean"]["value"], each["tasks"]) for name, each in run["figures"].items()} == {
        "f1": (0.75, 2),
        "judge": (1.0, 1),
    }
    assert [episode["figures"] for episode in run["episodes"]] == [{"f1": 0.5}, {"f1": 1.0, "judge": 1.0}]


def test_a_judge_s_calls_are_in_their_phase_and_in_no_mean_of_the_method_s(tmp_path: Path) -> None:
    went = {"beehive": Went(calls=3, phases=("execute", "execute", "grade"))}
    report = load_report([samples.write(tmp_path / "run", samples.record("react", went), went)])
    (run,) = report.runs
    assert (run.results.counted.calls, run.results.cost.calls, run.results.rows[0].cost.calls) == (2, 3, 2)
    assert run.results.phases["grade"].calls == 1
    training, inference = task_costs(run)
    assert (training.tasks, inference.cost.calls) == (0, 2)


def test_a_phase_alone_has_no_table_unless_it_is_a_judge_s() -> None:
    spent = Cost(1, 10, 1, None)
    assert phase_tables("By phase", {"execute": spent}, priced=False) == []
    assert [table.rows for table in phase_tables("By phase", {"grade": spent}, priced=False)] == [
        (("grade", "1", "10", "1"),)
    ]
