"""A search as a whole: planted steps, failures without any, and a search that was killed anywhere."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from quintet.blame.blamed import BlamedRun
from quintet.blame.report import blame_report
from quintet.errors import BudgetSpent, UsageError
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import attempt_of
from quintet.runs.ends import RunStop, how_stopped
from quintet.runs.listing import read_entry
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from quintet.studies.blame_stages import go_on_blame
from quintet.studies.run import WritableStudy, run_one
from tests.deploy.blame.counted import CALLS, KILL_AT
from tests.deploy.blame.planting import ABLE, SHORT, VAULT, begin_search, blame, kinds, plant, record, to_end, tokens

COUNTED = ("--model", f"{Path(VAULT).parent / 'counted.py'}:Counted")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, dict[str, int]]:
    """A run with a planted step in each of two episodes."""
    folder = tmp_path_factory.mktemp("planted")
    return plant(record(folder / "run", 5, *ABLE, *SHORT), folder / "planted", most=2)


@pytest.fixture(scope="module")
def whole(planted: tuple[RunFolder, dict[str, int]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undisturbed search in it."""
    folder = tmp_path_factory.mktemp("whole") / "blame"
    blame(planted[0], folder)
    return folder


def _content(folder: Path) -> Mapping[str, Any]:
    return blame_report(StudyFolder.open_to_read(folder))[2]


@pytest.mark.parametrize("every_step", [False, True], ids=["bisection", "every-step"])
def test_a_planted_step_is_named(planted: tuple[RunFolder, dict[str, int]], tmp_path: Path, every_step: bool) -> None:
    run, steps = planted
    found = blame(run, tmp_path / "blame", every_step=every_step)
    assert kinds(found) == ["step"] * 2
    assert {attempt_of(each.path).task: each.verdict.step for each in found.attempts} == steps
    assert {each.step.action for each in found.attempts if each.step} == {"force the bolt"}
    for each in found.attempts:
        assert set(each.outcomes.fresh) == {each.verdict.step, (each.verdict.step or 0) - 1}
    stages = list(StudyFolder.open_to_read(tmp_path / "blame").arms())
    assert stages[-1] == "fresh"
    assert len(stages) == 2 if every_step else 3 <= len(stages) <= 6


@pytest.mark.slow
def test_of_a_hundred_planted_steps_95_in_100_are_named(tmp_path: Path) -> None:
    run, steps = plant(record(tmp_path / "run", 130), tmp_path / "planted", seed=1, most=100)
    found = blame(run, tmp_path / "blame").attempts
    assert len(found) == 100
    assert sum(each.verdict.step == steps[attempt_of(each.path).task] for each in found) >= 95


def test_where_the_goal_was_out_of_reach_from_the_start_it_says_so(tmp_path: Path) -> None:
    found = blame(record(tmp_path / "run", 3, *ABLE, *SHORT, "--set", "environment.bent=true"), tmp_path / "blame")
    assert kinds(found) == ["never"] * 3
    assert list(StudyFolder.open_to_read(tmp_path / "blame").arms()) == ["stage-1"], "nothing is searched"


def test_a_failure_behind_the_last_step_is_put_there(tmp_path: Path) -> None:
    found = blame(record(tmp_path / "run", 30, *ABLE, *SHORT), tmp_path / "blame")
    assert set(kinds(found)) == {"end"}
    assert {each.end for each in found.attempts} == {"it claimed success"}, "too early"


def test_the_cost_is_that_of_live_calls_and_all_of_it_belongs_to_an_episode(whole: Path) -> None:
    folder = StudyFolder.open_to_read(whole)
    found, arms = BlamedRun.of(folder), folder.arms().values()
    assert sum(each.outcomes.cost.calls for each in found.attempts) == sum(arm.spent().calls for arm in arms) > 0
    assert sum(each.outcomes.continuations for each in found.attempts) == sum(arm.record.episodes for arm in arms)


class _Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_killed_around_every_stage_it_comes_to_the_same(
    planted: tuple[RunFolder, dict[str, int]],
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: bool,
) -> None:
    run, _ = planted
    begun: list[str] = []
    """In this start."""

    def killed(folder: WritableStudy, arm: str, *further: Any) -> RunStop:
        new = not folder.begun(arm)
        if new and begun and before:
            raise _Killed
        begun.extend([arm] * new)
        stop = run_one(folder, arm, *further)
        if new and not before:
            raise _Killed
        return stop

    monkeypatch.setattr("quintet.studies.blame_stages.run_one", killed)
    with pytest.raises(_Killed), begin_search(run, tmp_path / "run") as study:
        go_on_blame(study, to_end)
    ended, kills = False, 1
    while not ended:
        assert read_entry(tmp_path / "run").state == "interrupted"
        begun.clear()
        with suppress(_Killed), WritableStudy.open(tmp_path / "run") as study:
            go_on_blame(study, to_end)
            ended = True
        kills += not ended
    assert kills == len(StudyFolder.open_to_read(whole).arms()) - before
    assert read_entry(tmp_path / "run").state == "done"
    assert _content(tmp_path / "run") == _content(whole)


def _process(*words: object, calls: Path, kill_at: int = -1) -> int:
    """The exit code of a command in a process of its own, whose model writes down its calls and may kill it."""
    program = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    variables = {**os.environ, CALLS: str(calls), KILL_AT: str(kill_at)}
    one_at_a_time = ("--concurrency", 1)
    made = [sys.executable, "-c", program, *map(str, (*words, *one_at_a_time))]
    return subprocess.run(made, env=variables, capture_output=True, check=False).returncode


def test_a_process_that_was_killed_in_a_stage_goes_on_without_a_repeated_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CALLS, str(tmp_path / "recorded"))
    run, _ = plant(record(tmp_path / "run", 4, *COUNTED, *SHORT), tmp_path / "planted", most=1)
    assert _process("blame", run.path, "--out", tmp_path / "whole", calls=tmp_path / "of-whole") == 0
    whole = (tmp_path / "of-whole").stat().st_size
    stages = StudyFolder.open_to_read(tmp_path / "whole").arms()
    within_second = stages["stage-1"].spent().calls + stages["stage-2"].spent().calls // 2
    calls = tmp_path / "of-killed"
    words = ("blame", run.path, "--out", tmp_path / "killed")
    assert _process(*words, calls=calls, kill_at=within_second) == -SIGKILL
    assert list(StudyFolder.open_to_read(tmp_path / "killed").arms()) == ["stage-1", "stage-2"]
    assert calls.stat().st_size == within_second < whole
    assert _process("resume", tmp_path / "killed", calls=calls) == 0
    assert calls.stat().st_size == whole
    assert _content(tmp_path / "killed") == _content(tmp_path / "whole")


def test_a_budget_is_of_all_stages_together_and_a_resume_goes_on_under_a_larger_one(
    planted: tuple[RunFolder, dict[str, int]], whole: Path, tmp_path: Path
) -> None:
    def bounded(run: WritableRun, label: str) -> RunStop:
        try:
            return to_end(run, label)
        except BudgetSpent as spent:
            return RunStop(how_stopped(spent), str(spent))

    run, _ = planted
    arms = StudyFolder.open_to_read(whole).arms()
    most = arms["stage-1"].spent().tokens + arms["stage-2"].spent().tokens // 2 + 3_000
    with begin_search(run, tmp_path / "run", settings=tokens(most)) as study:
        assert go_on_blame(study, bounded).ended == "spent"
    spent = sum(arm.spent().tokens for arm in StudyFolder.open_to_read(tmp_path / "run").arms().values())
    assert arms["stage-1"].spent().tokens < spent <= most
    assert "open" in kinds(BlamedRun.of(StudyFolder.open_to_read(tmp_path / "run")))
    with WritableStudy.open(tmp_path / "run", tokens(10**9)) as study:
        assert go_on_blame(study, bounded).ended == "done"
    assert _content(tmp_path / "run") == _content(whole)


def test_a_stage_of_other_continuations_than_follow_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "blame"
    shutil.copytree(whole, folder)
    file = folder / "study.json"
    changed = json.loads(file.read_text())
    changed["blame"]["times"] = 7
    file.write_text(json.dumps(changed))
    with WritableStudy.open(folder) as study, pytest.raises(UsageError, match="stage-1: expected the continuations"):
        go_on_blame(study, to_end)
