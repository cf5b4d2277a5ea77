"""Studies through the whole system, as small as possible."""

import json
from pathlib import Path

import pytest

from quintet.cli import main
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import find_study

FEW = ("learning.tasks=8", "learning.iterations=1", "method.max_steps=3")
SMALL = ["--seeds", "2", "--tasks", "2", *(f"--set={each}" for each in FEW)]


def test_a_study_ends_in_a_picture_and_in_figures_for_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    study, groups = "autoplan-figure3", ["batch 2", "batch 4", "batch 8", "summary only", "no reflection (ours)"]
    folder = tmp_path / study
    assert main(["study", study, *SMALL, "--out", str(folder), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [(run["finished"], run["faulted"]) for run in said["runs"]] == [(True, 0)] * 10
    curves = said["studies"][str(folder)]["curves"]
    assert [(curve["group"], curve["runs"], curve["updates"]) for curve in curves] == [(name, 2, 2) for name in groups]
    assert [len(iteration["successes"]) for curve in curves for iteration in curve["iterations"]] == [2] * 5
    assert (folder / f"{study}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("study", "few"),
    [
        ("reflexion-reflections", ["run.tasks=1", "run.split=dev"]),
        pytest.param("adapt-or", ["run.tasks=1", "limits.episode_calls=100"], marks=pytest.mark.slow),
        pytest.param("lats-values", ["run.tasks=1", "run.split=dev"], marks=pytest.mark.slow),
        pytest.param("lats-workers", ["run.tasks=1", "run.split=dev"], marks=pytest.mark.slow),
    ],
)
def test_every_arm_of_a_study_of_methods_ends(
    study: str, few: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = [f"--set={each}" for each in few]
    assert main(["study", study, *settings, "--no-picture", "--out", str(tmp_path / study), "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [run["run"] for run in runs] == list(prepare_arms(find_study(study), []))
    assert [(run["finished"], run["faulted"]) for run in runs] == [(True, 0)] * len(runs)


@pytest.mark.slow
def test_ldm2s_versions_are_measured_by_the_run_that_learns_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "study"
    few = ("learning.tasks=4", "learning.batch=2", "learning.goals=2", "run.tasks=1")
    assert main(["study", "ldm2", *(f"--set={each}" for each in few), "--out", str(folder), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    runs = {run["run"]: run for run in said["runs"]}
    assert list(runs) == list(find_study("ldm2").compared)
    assert all(run["finished"] and run["ended"] == 1 for run in runs.values())
    assert [runs[name]["episodes"][0]["epoch"] for name in ("empty", "formed", "refined")] == [0, 1, 2]
    assert {entry["minus"] for entry in said["differences"]} == {"empty"}
    assert runs["formed"]["per_step"]["calls"] > runs["react"]["per_step"]["calls"]
    assert (folder / "ldm2.png").read_bytes().startswith(b"\x89PNG")
