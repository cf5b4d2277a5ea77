"""What `show` and `report` print of a run that learns, and of a long one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quintet.cli import main
from quintet.messages.reflection import Reflected
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went


@pytest.fixture
def learning_run(tmp_path: Path) -> Path:
    reflected = Reflected(summary="It crafted nothing.", flaws="No log was fetched.", revision="Fetch a log first.")
    steps = [
        Step({"stick": LOST}, "Fetch a log.", {"stick": reflected}),
        Step({"torch": Went()}, "Fetch a log."),
    ]
    measured = {0: {"beehive": LOST, "cake": LOST}, 2: {"beehive": Went(), "cake": LOST}}
    return learning_runs.write(tmp_path / "learnt", learning_runs.record(("stick", "torch")), steps, measured, chosen=2)


def _shown(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["show", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_a_run_that_learns_shows_how_its_plan_changed_and_what_each_version_scores(
    learning_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = _shown(capsys, learning_run).splitlines()
    assert lines[:6] == [
        "autoplan, sim-weak (simulated), version 2 of 6 chosen",
        "Version 0: empty",
        "Version 1: 1 line, from a batch that solved 0 of 1",
        "  + Fetch a log.",
        '      stick: "Fetch a log first."',
        "Version 2: unchanged, from a batch that solved 1 of 1, chosen",
    ]
    assert lines[7] == "By version"
    assert lines[11].split() == ["2,", "chosen", "1", "line,", "unchanged", "-", "2", "50.0", "(9,", "91)"]
    assert lines[13] == "Training episodes"
    assert lines[15].split()[:4] == ["stick/0/0", "0", "1", "no"]
    assert lines[16].split()[:4] == ["torch/1/0", "1", "1", "yes"]
    assert lines[18] == "Episodes with the test tasks"
    assert [line.split()[0] for line in lines[20:22]] == ["beehive/2/0", "cake/2/0"]
    assert lines[-1] == f"the learner's own conversation: quintet show {learning_run} '~learn'"


def test_its_episodes_and_its_learner_are_shown_by_name(learning_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _shown(capsys, learning_run, "beehive").startswith("beehive/2/0, sim-weak (simulated)\n")
    assert _shown(capsys, learning_run, "beehive/0").startswith("beehive/0/0, ")
    assert "reflect: stick -> summary, flaws, revision" in _shown(capsys, learning_run, "~learn")
    assert "--- completion" in _shown(capsys, learning_run, "~learn", "--call", 1)


def test_a_run_that_is_interrupted_shows_how_far_it_came(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step = Step({"stick": Went(None)}, None)
    learning_runs.write(tmp_path / "learnt", learning_runs.record(("stick",)), [step])
    printed = _shown(capsys, tmp_path / "learnt")
    assert "still learning, version 0 of 6" in printed
    assert "Version 1: under way, from a batch that solved 0 of 1, 1 under way" in printed


def test_a_report_has_the_curve_and_what_a_question_took(
    learning_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(learning_run)]) == 0
    printed = capsys.readouterr().out
    headings = ["Success in percent", "Per episode, mean", "By version", "Cost per question", "cost per question: "]
    assert sorted(headings, key=printed.index) == headings


def test_a_long_run_is_listed_page_by_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = samples.record("react", ("beehive", "cake"), run={"epochs": 150})
    path = samples.write(tmp_path / "run", record, {"beehive": Went(), "cake": LOST})
    first = _shown(capsys, path)
    assert [first.count(task) for task in ("beehive/", "cake/")] == [100, 100]
    assert "react, sim-weak (simulated), 2 of 300 done" in first
    more = f"the next: quintet show {path} --page 2; all: quintet report {path} --csv"
    assert f"episodes 1 to 200 of 300; {more}" in first
    second = _shown(capsys, path, "--page", 2)
    assert [f"beehive/{epoch}/0" in second for epoch in (99, 100, 149)] == [False, True, True]
    assert f"episodes 201 to 300 of 300; all: quintet report {path} --csv" in second
    for page in (0, 3):
        assert main(["show", str(path), "--page", str(page)]) == 2
        assert f"--page: expected 1 to 2, got {page}" in capsys.readouterr().err
    assert main(["show", str(path), "beehive/0/0", "--page", "2"]) == 2
    assert "expected a run's episodes to list, got the episode 'beehive/0/0' (--page 2)" in capsys.readouterr().err


def test_an_episode_of_several_phases_ends_with_what_each_spent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    went = {"beehive": Went(calls=3, phases=("candidates", "values")), "cake": Went(calls=2)}
    path = samples.write(tmp_path / "run", samples.record("react", tuple(went)), went)
    *_, title, _, candidates, values = _shown(capsys, path, "beehive").strip().splitlines()
    assert title == "By phase"
    assert [candidates.split(), values.split()] == [["candidates", "2", "200", "20"], ["values", "1", "100", "10"]]
    assert "By phase" not in _shown(capsys, path, "cake")
    assert "By phase" not in _shown(capsys, path, "beehive", "--call", 1)


def test_a_missing_call_of_a_damaged_episode_names_the_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = samples.write(tmp_path / "run", samples.record("react", ("beehive",)), {"beehive": Went()})
    with closing(sqlite3.connect(path / "journal.sqlite")) as vandal:
        vandal.execute("UPDATE _starts SET incarnation = 'junk'")
        vandal.commit()
    assert main(["show", str(path), "beehive", "--call", "99"]) == 2
    assert "expected a row of this version" in capsys.readouterr().err
