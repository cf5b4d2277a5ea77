"""The command `compare`."""

import json
from pathlib import Path

import pytest

from quintet.cli import main
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS, went, write_comparison


def test_methods_are_run_and_compared_under_a_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    methods = ["random", "adapt(react):inner.max_steps=3"]
    given = ["--tasks", "beehive", "--budget", "calls=3", "--no-picture", "--json", "--out", str(tmp_path / "study")]
    assert main(["compare", *methods, "textcraft", *given]) == 0
    printed = json.loads(capsys.readouterr().out)
    (found,) = printed["studies"].values()
    assert [(each["method"], each["spent_its_budget"]) for each in found["methods"]] == [
        (methods[0], 0),
        (methods[1], 1),
    ]
    assert [run["configuration"]["limits"]["episode_calls"] for run in printed["runs"]] == [3, 3]


def test_a_killed_comparison_goes_on_from_its_folder_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_comparison(tmp_path, {"react": [went(1, 1, -1, -1)], "random": []})
    assert main(["resume", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "arm 2 of 2: random on textcraft" in said.err
    assert (tmp_path / "compare.png").is_file()
    assert main(["report", str(tmp_path)]) == 0
    assert capsys.readouterr().out == said.out
    assert "Success less that of react" in said.out


def test_runs_are_compared_without_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs: list[str] = []
    for method, reward in (("react", 0.0), ("adapt", 1.0)):
        record = samples.record(method, TASKS)
        runs.append(str(samples.write(tmp_path / method, record, dict.fromkeys(TASKS, Went(reward=reward)))))
    assert main(["compare", *runs, "--picture", str(tmp_path / "picture.png")]) == 0
    assert "adapt - react" in capsys.readouterr().out
    assert (tmp_path / "picture.png").is_file()
    assert main(["compare", *runs, "--reference", "adapt", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [(each["method"], each["from"], each["p"]) for each in printed["studies"]["compare"]["tests"]] == [
        ("react", "adapt", 0.125)
    ]
    assert [len(run["episodes"]) for run in printed["runs"]] == [4, 4]


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
            "'alfworld', 'hotpotqa', 'webshop', 'webarena', 'gym' after the methods, or run folders, got 'adapt'",
        ),
        ([], "METHODS: expected at least two before the environment, got none"),
    ],
)
def test_what_cannot_be_compared_is_a_usage_error(
    command: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *(word.format(run=tmp_path) for word in command)]) == 2
    assert said in capsys.readouterr().err


def test_a_dry_run_creates_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "study"
    assert main(["compare", "react", "random", "textcraft", "--tasks", "1", "--dry-run", "--out", str(out)]) == 0
    assert "# arm react" in capsys.readouterr().out
    assert not out.exists()
