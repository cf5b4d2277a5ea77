"""The noise floor of a comparison, of two equal arms on six tasks and more."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.reports.intervals import Estimate
from quintet.studies.arms import prepare_arms
from quintet.studies.comparison_arms import define_comparison
from quintet.studies.noise import NoiseFloor
from quintet.studies.run import create
from tests.command import printed, refused
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import findings_of

GOALS = "beehive,cake,lantern,painting,stick,torch,bowl,ladder"
ALL = GOALS.split(",")


def _write(path: Path, solved: dict[str, str], calls: int = 2) -> Path:
    """A comparison of two methods with a noise arm; by arm, which tasks it solved: `11110000`."""
    study = define_comparison(["react", "adapt"], noise=True)
    arms = prepare_arms(study, [from_assignments([f"run.tasks={GOALS}", "environment.name=textcraft"])])
    with create(study, arms, path) as folder:
        for arm, marks in solved.items():
            with folder.create_arm(arm) as run:
                went = {
                    task: Went(calls=2) if mark == "1" else Went("unsolved", 0.0, calls=calls)
                    for task, mark in zip(ALL, marks, strict=True)
                }
                samples.journal(run, went)
    return path


def test_a_difference_below_the_smallest_one_is_marked_and_the_equal_arm_is_no_test(tmp_path: Path) -> None:
    found = findings_of(
        _write(tmp_path, {"react": "00000000", "adapt": "01111111", "react again": "00000000"})
    ).findings
    tests, floor = found.tables[1:3]
    assert tests.columns[-2:] == ("p, Holm over 1", "noise floor")
    assert [(row[0], row[-1]) for row in tests.rows] == [("adapt - react", "")]
    assert floor.rows == (("react again - react", "8", "0 of 8", "75.0 points"),)
    assert [(test["p"], test["below_noise_floor"]) for test in found.content["tests"]] == [(0.015625, False)]
    assert found.content["noise_floor"]["smallest"] == 0.75
    assert any("react again is equal to react in every outcome and cost" in note for note in found.notes)
    below = findings_of(
        _write(tmp_path / "below", {"react": "00000000", "adapt": "00011111", "react again": "00000000"})
    ).findings
    assert [row[-1] for row in below.tables[1].rows] == ["below"]


def test_arms_whose_outcomes_differ_raise_the_floor(tmp_path: Path) -> None:
    found = findings_of(
        _write(tmp_path, {"react": "11000000", "adapt": "11111111", "react again": "10100000"})
    ).findings
    content = found.content["noise_floor"]
    assert (content["discordant"], content["episodes"], content["smallest"], content["same"]) == (2, 8, None, False)
    assert found.tables[2].rows[0][-1] == "-"
    assert [row[-1] for row in found.tables[1].rows] == ["below"]
    assert "noise floor: with 8 tasks no difference could have been significant (p < 0.05)" in found.notes
    assert not any("is equal to" in note for note in found.notes)


def test_without_the_equal_arm_there_is_no_floor_yet(tmp_path: Path) -> None:
    found = findings_of(_write(tmp_path, {"react": "00000000", "adapt": "01111111"})).findings
    assert "noise_floor" not in found.content
    assert found.tables[1].columns[-1] == "p, Holm over 1"
    assert [test["below_noise_floor"] for test in found.content["tests"]] == [None]


@pytest.mark.parametrize(("smallest", "difference", "hidden"), [(0.2, -0.3, False), (0.2, 0.1, True), (None, 1, True)])
def test_a_floor_hides_smaller_differences_of_either_sign(
    smallest: float | None, difference: float, hidden: bool
) -> None:
    floor = NoiseFloor("a", "a", "b", 8, 8, 0, smallest, True)
    assert floor.hides(Estimate(difference, -1, 1)) is hidden


def test_another_seed_of_sampling_draws_other_answers_in_the_same_worlds_and_a_resume_keeps_it(tmp_path: Path) -> None:
    words = ["react", "textcraft", "--model", "sim-fallible", "--tasks", "4", "--set", "model.temperature=1"]
    drawn = ["--set", "model.error_rate=0.5", "--set", "method.max_steps=8"]
    for seed in (0, 1):
        printed("eval", *words, *drawn, "--set", f"run.sampling_seed={seed}", "--out", tmp_path / str(seed))
    worlds, calls = "SELECT observation FROM sessions ORDER BY path", "SELECT seed, completion FROM calls ORDER BY path"
    assert _rows(tmp_path / "0", worlds) == _rows(tmp_path / "1", worlds)
    first, second = (_rows(tmp_path / str(seed), calls) for seed in (0, 1))
    assert not {seed for seed, _ in first} & {seed for seed, _ in second}
    assert [text for _, text in first] != [text for _, text in second]
    assert "its calls are drawn anew (run.sampling_seed 1)" in printed("report", tmp_path / "1")
    assert "run.sampling_seed: expected" in refused("resume", tmp_path / "1", "--set", "run.sampling_seed=2")


def _rows(run: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(run / "journal.sqlite")) as journal:
        return list(journal.execute(query))
