"""The command `compare`."""

import json
from pathlib import Path

import pytest

from tests.command import command, printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS, went, write_comparison


def test_methods_are_run_and_compared_under_a_budget(tmp_path: Path) -> None:
    methods = ["random", "adapt(react):inner.max_steps=3"]
    given = ["--tasks", "beehive", "--budget", "calls=3", "--no-picture", "--json", "--out", str(tmp_path / "study")]
    shown = json.loads(printed("compare", *methods, "textcraft", *given))
    (found,) = shown["studies"].values()
    assert [(each["method"], each["spent_its_budget"]) for each in found["methods"]] == [
        (methods[0], 0),
        (methods[1], 1),
    ]
    assert [run["configuration"]["limits"]["episode_calls"] for run in shown["runs"]] == [3, 3]


def test_a_killed_comparison_goes_on_from_its_folder_alone(tmp_path: Path) -> None:
    write_comparison(tmp_path, {"react": [went(1, 1, -1, -1)], "random": []})
    said = command("resume", tmp_path, code=0)
    assert "arm 2 of 2: random on textcraft" in said.err
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
def test_what_cannot_be_compared_is_a_usage_error(command: list[str], said: str, tmp_path: Path) -> None:
    assert said in refused("compare", *(word.format(run=tmp_path) for word in command))


def test_a_dry_run_creates_nothing(tmp_path: Path) -> None:
    words = ("react", "random", "textcraft", "--tasks", "1", "--dry-run", "--out", tmp_path / "study")
    assert "# arm react" in printed("compare", *words)
    assert not (tmp_path / "study").exists()
