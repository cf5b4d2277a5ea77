"""`compare`, `read` and `reproduce`: what is made of runs that have ended."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from quintet.cli import main
from quintet.cli.read import KINDS
from quintet.runs.study_folder import StudyFolder
from quintet.studies.definition import recorded_study
from tests.command import Said, command, printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS, went, write_comparison


def test_methods_are_run_and_compared_under_a_budget(tmp_path: Path) -> None:
    methods = ["expert", "adapt(react):inner.max_steps=3"]
    given = ["--tasks", "beehive", "--budget", "calls=3", "--no-picture", "--json", "--out", str(tmp_path / "study")]
    shown = json.loads(printed("compare", *methods, "textcraft", *given))
    (found,) = shown["studies"].values()
    assert [(each["method"], each["spent_its_budget"]) for each in found["methods"]] == [
        (methods[0], 0),
        (methods[1], 1),
    ]
    assert [run["configuration"]["limits"]["episode_calls"] for run in shown["runs"]] == [3, 3]


def test_a_killed_comparison_goes_on_from_its_folder_alone(tmp_path: Path) -> None:
    write_comparison(tmp_path, {"react": [went(1, 1, -1, -1)], "expert": []})
    said = command("resume", tmp_path, code=0)
    assert "arm 2 of 2: expert on textcraft" in said.err
    assert (tmp_path / "compare.png").is_file()
    assert printed("report", tmp_path) == said.out
    assert "Success less that of react" in said.out


def test_runs_are_compared_without_a_folder(tmp_path: Path) -> None:
    runs: list[str] = []
    for method, reward in (("react", 0.0), ("adapt", 1.0)):
        record = samples.record(method, TASKS)
        runs.append(str(samples.write(tmp_path / method, record, dict.fromkeys(TASKS, Went(reward=reward)))))
    assert "adapt - react" in printed("compare", *runs, "--picture", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").is_file()
    shown = json.loads(printed("compare", *runs, "--reference", "adapt", "--json"))
    assert [(each["method"], each["from"], each["p"]) for each in shown["studies"]["compare"]["tests"]] == [
        ("react", "adapt", 0.125)
    ]
    assert [len(run["episodes"]) for run in shown["runs"]] == [4, 4]


def test_methods_run_with_several_seeds_are_one_row_each(tmp_path: Path) -> None:
    words = ["react", "standard", "textcraft", "--tasks", "beehive", "--seeds", "2", "--seed", "5", "--no-picture"]
    out = printed("compare", *words, "--json", "--out", tmp_path / "study")
    (findings,) = json.loads(out)["studies"].values()
    assert [(each["method"], each["tasks"], each["episodes"]) for each in findings["methods"]] == [
        ("react", 1, 2),
        ("standard", 1, 2),
    ]
    assert [(test["method"], test["from"], test["tasks"]) for test in findings["tests"]] == [("standard", "react", 1)]
    assert "seeds 5, 6" in printed("report", tmp_path / "study").splitlines()[0]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["react", "{run}"], "run folder: expected a folder, found none (react)"),
        (["{run}", "{run}", "--budget", "calls=3"], "--budget: expected methods to compare, got runs"),
        (["{run}", "{run}", "--tasks", "3"], "--tasks: expected methods to compare, got runs"),
        (["{run}", "{run}", "--set", "run.seed=1"], "--set: expected methods to compare, got runs"),
        (["react", "adapt", "textcraft", "--picture", "x.png"], "--picture: expected runs to compare, got methods"),
        (
            ["react", "adapt", "textcrafd"],
            "environment: expected 'textcraft' after the methods, or run folders, got 'tex",
        ),
        (
            ["react", "adapt"],
            "'alfworld', 'hotpotqa', 'webshop', 'webarena', 'shell', 'bfcl', 'tau2', 'miniwob', 'scienceworld', "
            "'gym', 'openenv', 'mcp' after the methods, or run folders, "
            "got 'adapt'",
        ),
        (["react", "standard", "mcp:python of/notes.py"], "environment.goal: expected a goal, or else a file of tasks"),
        (["react", "standard", "openenv:ftp://x/y"], "environment.address: expected http(s)://HOST[:PORT][/PATH], got"),
        ([], "METHODS: expected at least two before the environment, got none"),
    ],
)
def test_what_cannot_be_compared_is_a_usage_error(command: list[str], said: str, tmp_path: Path) -> None:
    assert said in refused("compare", *(word.format(run=tmp_path) for word in command))


def test_a_dry_run_creates_nothing(tmp_path: Path) -> None:
    words = ("react", "expert", "textcraft", "--tasks", "1", "--dry-run", "--out", tmp_path / "study")
    assert "# arm react" in printed("compare", *words)
    assert not (tmp_path / "study").exists()


def read(monkeypatch: pytest.MonkeyPatch, kind: str, *lines: bytes) -> Said:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
    return command("read", kind)


def line(text: str, **further: str) -> bytes:
    return json.dumps({"text": text, **further}).encode()


PLAN = "Step 1: a\nStep 2: b\nStep 3: c\nExecution Order: (1 OR 2) AND 3"
DECLINED = "You declined, so there was no action in your answer"
CUT_OFF = "the model was cut off before the plan was whole"
UNDERSTOOD: list[tuple[str, bytes, dict[str, Any]]] = [
    ("decision", line("Action: look"), {"action": "look"}),
    ("decision", line("Task completed."), {"claim": True}),
    ("decision", line("Hm."), {"unreadable": "I found no action in that"}),
    ("decision", line("Action: look", finish="refusal"), {"unreadable": DECLINED}),
    ("plan", line(PLAN), {"plan": {"all": [{"any": ["a", "b"]}, "c"]}, "notes": []}),
    ("plan", line(PLAN, finish="length"), {"plan": None, "notes": [CUT_OFF]}),
    ("steps", line("List\n1. a\n2. b"), {"steps": ["a", "b"], "notes": []}),
    ("alignment", line("To look.\nNO"), {"description": "To look.", "aligned": False, "notes": []}),
    ("verdict", line("YES or NO"), {"completed": None, "notes": ["the model left out the YES or NO"]}),
    ("condensed", line("Short description: a desk."), {"condensed": "a desk.", "notes": []}),
    ("retargeted", line("New action is: click [27]"), {"retargeted": "click [27]", "notes": []}),
    ("reflection", line("Summary: a\nFlaws: b"), {"reflection": "a", "notes": ["also has the flaws: b"]}),
    ("revision", line("The plan stays as it is."), {"revision": None, "unchanged": True, "notes": []}),
    ("look_back", line("Reflection: Serve."), {"look_back": "Serve.", "notes": []}),
    ("mark", line("Mark: 7/10"), {"mark": 7.0, "notes": []}),
    ("choice", line("Choice: 12"), {"choice": 12, "notes": []}),
]


@pytest.mark.parametrize(("kind", "completion", "understood"), UNDERSTOOD)
def test_a_line_is_answered_with_how_it_is_understood(
    monkeypatch: pytest.MonkeyPatch, kind: str, completion: bytes, understood: dict[str, Any]
) -> None:
    said = read(monkeypatch, kind, b"", completion, b" ", completion)
    assert (said.code, [json.loads(each) for each in said.out.splitlines()], said.err) == (0, [understood] * 2, "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_understands_a_line_of_any_text_somehow(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    assert json.loads(read(monkeypatch, kind, line("Hm.")).out)


@pytest.mark.parametrize(
    "wrong", [b"text", b"[]", b'{"tex": "x"}', b'{"text": 1}', b"\xff", b"[" * 9_000, b'{"text": "", "finish": "soon"}']
)
def test_a_line_that_is_no_completion_is_named_by_its_number(monkeypatch: pytest.MonkeyPatch, wrong: bytes) -> None:
    said = read(monkeypatch, "decision", line("Action: look"), b"", wrong, line("Action: look"))
    assert (said.code, said.out) == (2, '{"action": "look"}\n')
    assert said.err.startswith('quintet: standard input, line 3: expected {"text": "..."}, got ')


def test_what_a_model_wrote_reaches_no_terminal_unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    said = read(monkeypatch, "decision", line("Action: look\x1b]0;x\x07\x9b31m"), b"\x1b[31m")
    assert not {"\x1b", "\x9b", "\x07"} & {*said.out, *said.err}


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
    assert len(names) == 33
    assert {"adaplanner-alfworld", "adaplanner-miniwob"} < {*names}  # the tables' numbers are not known
    parts = [found for name in names if len(found := re.findall(r"\D+|\d+", name)) > 1]
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
    assert re.search(r"^devils-advocate +3 ", said.out, re.MULTILINE)
    assert re.search(r"^# 3 tasks, model gpt-4-0613: webarena-\d+, ", said.out, re.MULTILINE)
    assert said.out.count('environment.sites = "') == 1, "of all arms"
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
