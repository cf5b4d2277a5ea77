"""The tables of trials, in the shapes of Devil's Advocate, table 1 and figures 2 and 5."""

from pathlib import Path

from quintet.reports.load import load_report
from quintet.reports.tables import report_tables
from quintet.reports.text_tables import TextTable
from tests.deploy import samples
from tests.deploy.samples import Went


def _tables(tmp_path: Path, **runs: Went) -> dict[str, TextTable]:
    for name, went in runs.items():
        samples.write(tmp_path / name, samples.record("react", ["beehive"]), {"beehive": went})
    report = load_report([tmp_path / name for name in runs])
    return {table.title: table for table in report_tables(report) if "rial" in table.title or "plan" in table.title}


def test_runs_are_rows_and_those_without_trials_are_left_out(tmp_path: Path) -> None:
    planned = Went(trials=({"actions": 20, "steps": 6}, {"actions": 9, "reward": 1.0, "steps": 4, "revised": True}))
    tables = _tables(tmp_path, planned=planned, once=Went(trials=({"actions": 7, "reward": 1.0},)), none=Went())
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
    tables = _tables(tmp_path, once=Went(trials=({"actions": 7, "reward": 1.0},)))
    assert list(tables) == ["Trials of an episode, and actions in a trial, mean"]
    assert tables.popitem()[1].columns[-1] == "actions, last trial"
    assert _tables(tmp_path, none=Went()) == {}


def test_many_trials_and_long_plans_fit_a_table(tmp_path: Path) -> None:
    trials = tuple({"steps": steps} for steps in range(2, 42))
    success, _, plans = _tables(tmp_path, many=Went("unsolved", 0.0, trials=trials)).values()
    assert success.columns[2:] == (*(f"trial {number}" for number in range(1, 10)), "trial 40")
    assert plans.columns[3:] == ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11 or more")
    assert plans.rows[0][-1] == "78"
