"""`quintet reproduce`: what can be repeated, what it can cost at most, and that nothing runs unconfirmed."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from quintet.cli import main
from quintet.runs.study_folder import StudyFolder
from quintet.studies.definition import recorded_study
from tests.command import command, printed, refused

TABLE = ["reproduce", "adapt-table7", "--model", "sim-strong", "--limit", "1"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _answer(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(said))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)


def test_the_list_has_every_table_in_order() -> None:
    lines = printed("reproduce", "--list").splitlines()
    names = [line.partition(":")[0] for line in lines if not line.startswith(" ")]
    assert len(names) == 31
    parts = [re.findall(r"\D+|\d+", name) for name in names]
    assert parts == sorted(parts, key=lambda part: (part[0], int(part[1]), part[2:]))
    assert "  published only: BUTLER_g; BUTLER; ReAct, best of 6 prompts" in lines


def test_without_a_terminal_it_is_refused_after_the_cost_is_printed(tmp_path: Path) -> None:
    said = refused(*TABLE, "--out", "study")
    cost = re.search(r"^react +1 +20 ", said, re.MULTILINE)
    assert cost is not None
    assert cost.end() < said.index("expected --yes, or a terminal to confirm the cost at, got neither")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("said", ["", "\n", "n\n", "no\n", "yess\n"])
def test_anything_but_yes_runs_nothing(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _answer(monkeypatch, said)
    assert "expected the cost to be confirmed, got no; nothing was run" in refused(*TABLE, "--out", "study")
    assert list(tmp_path.iterdir()) == []


def test_confirmed_it_runs_the_first_tasks_and_shows_nothing_published_beside_a_simulated_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _answer(monkeypatch, " Y \n")
    assert main([*TABLE, "--no-picture", "--out", "study"]) == 0
    folder = StudyFolder.open_to_read(Path("study"))
    assert recorded_study(folder).name == "adapt-table7"
    assert [len(run.record.tasks) for run in folder.arms().values()] == [1, 1]
    shown = capsys.readouterr().out
    assert "ADaPT, table 7: a simulated model repeats nothing" in shown
    assert "78.2" not in shown, "what the paper prints"


def test_a_dry_run_asks_nothing_and_a_study_of_the_table_is_the_same() -> None:
    arguments = ["--model", "sim-strong", "--dry-run"]
    reproduced = printed("reproduce", "adapt-table4", *arguments)
    assert printed("study", "adapt-table4", *arguments) == reproduced
    assert reproduced.count("# arm ") == 4


@pytest.mark.parametrize("table", ["devils-table1", "devils-figure2", "devils-figure5"])
def test_a_dry_run_prints_cost_settings_and_tasks_of_a_table_whose_sites_are_a_user_s(table: str) -> None:
    sites = ("shopping", "shopping_admin", "reddit", "gitlab", "homepage")
    Path("sites.toml").write_text("".join(f'[{site}]\naddress = "http://127.0.0.1:9/{site}"\n' for site in sites))
    given = ["--set", "environment.sites=sites.toml", "--set", "model.url=http://127.0.0.1:9/v1"]
    said = command("reproduce", table, "--model", "gpt-4-0613", *given, "--limit", "3", "--dry-run", code=0)
    assert re.search(r"^devils-advocate +3 ", said.err, re.MULTILINE)
    assert re.search(r"^# 3 tasks, model gpt-4-0613: webarena-\d+, ", said.out, re.MULTILINE)
    assert said.out.count('environment.sites = "') == 3
    assert "method.trials = 7" in said.out
    assert "model.max_tokens = 512" in said.out


def test_a_limit_above_an_arms_tasks_leaves_them_all() -> None:
    limited = ["--model", "sim-weak", "--limit", "20", "--dry-run", "--json"]
    plans = json.loads(printed("reproduce", "autoplan-table3", *limited)).values()
    assert [len(plan["tasks"]) for plan in plans] == [20, 20, 20, 20, 20, 20, 18, 17]
    assert {len(plan["training"]) for plan in plans if "training" in plan} == {24}, "they are not limited"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reproduce", "adapt-table7"], "--model: expected the model to run it with, got none"),
        (["reproduce"], "got none (quintet reproduce --list)"),
        (["reproduce", "adapt-table1", "--model", "m"], "got 'adapt-table1' (quintet reproduce --list)"),
        (["reproduce", "demo", "--model", "m"], "got 'demo' (quintet reproduce --list)"),
        ([*TABLE[:4], "--limit", "0"], "--limit: expected >= 1, got 0"),
        (
            ["reproduce", "adapt-table5", "--model", "sim-weak"],
            "model.executor.name: expected a value for study adapt-table5 (--set model.executor.name=...), got none",
        ),
        (
            [*TABLE, "--set", "method.max_steps=9"],
            "method.max_steps: expected what study adapt-table7 sets for each arm, got 9",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], said: str) -> None:
    assert said in refused(*arguments)
