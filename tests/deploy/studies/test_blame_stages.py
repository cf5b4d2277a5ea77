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
from quintet.studies.run import WritableStudy
from tests.command import command, refused
from tests.deploy.blame.counted import CALLS, KILL_AT
from tests.deploy.blame.planting import ABLE, SHORT, VAULT, begin_search, blame, kinds, plant, record, to_end, tokens
from tests.deploy.studies.killed_arms import Killed, kill_around_arms
from tests.deploy.trust.strangers import nothing_is_approved

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


def _rewritten(whole: Path, folder: Path, **changed: Any) -> Path:
    """A copy of a search whose record says something else."""
    shutil.copytree(whole, folder)
    record = json.loads((folder / "study.json").read_text())
    record["blame"].update(changed)
    (folder / "study.json").write_text(json.dumps(record))
    return folder


@pytest.mark.parametrize("every_step", [False, True], ids=["bisection", "every-step"])
def test_a_planted_step_is_named(
    planted: tuple[RunFolder, dict[str, int]], whole: Path, tmp_path: Path, every_step: bool
) -> None:
    run, steps = planted
    folder = tmp_path / "blame" if every_step else whole
    found = blame(run, folder, every_step=True) if every_step else BlamedRun.of(StudyFolder.open_to_read(whole))
    assert kinds(found) == ["step"] * 2
    assert {attempt_of(each.path).task: each.verdict.step for each in found.attempts} == steps
    assert {each.step.action for each in found.attempts if each.step} == {"force the bolt"}
    for each in found.attempts:
        assert set(each.outcomes.fresh) == {each.verdict.step, (each.verdict.step or 0) - 1}
    stages = list(StudyFolder.open_to_read(folder).arms())
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


@pytest.mark.parametrize("before", [pytest.param(True, marks=pytest.mark.slow), False], ids=["before", "after"])
def test_killed_around_every_stage_it_comes_to_the_same(
    planted: tuple[RunFolder, dict[str, int]],
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: bool,
) -> None:
    run, _ = planted
    begun = kill_around_arms(monkeypatch, "quintet.studies.blame_stages", before=before)
    with pytest.raises(Killed), begin_search(run, tmp_path / "run") as study:
        go_on_blame(study, to_end)
    ended, kills = False, 1
    while not ended:
        assert read_entry(tmp_path / "run").state == "interrupted"
        begun.clear()
        with suppress(Killed), WritableStudy.open(tmp_path / "run") as study:
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


@pytest.mark.slow
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
    folder = _rewritten(whole, tmp_path / "blame", times=7)
    with WritableStudy.open(folder) as study, pytest.raises(UsageError, match="stage-1: expected the continuations"):
        go_on_blame(study, to_end)


def test_a_search_of_somebody_else_lists_the_run_that_it_would_copy_and_what_its_stages_would_contact(
    whole: Path, planted: tuple[RunFolder, dict[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "expected a run that" not in command("resume", whole).err
    folder = _rewritten(whole, tmp_path / "theirs", settings={"model.url": "http://elsewhere/v1"})
    nothing_is_approved(tmp_path / "state", monkeypatch)
    said = refused("resume", folder)
    assert f'copy, and send to its models, what was recorded in "{planted[0].path}" (blame.run)' in said
    assert 'send requests to "http://elsewhere/v1" (blame: model.url)' in said


def test_settings_that_a_search_could_not_have_begun_with_are_refused(whole: Path, tmp_path: Path) -> None:
    folder = _rewritten(whole, tmp_path / "theirs", settings={"method.max_steps": 5})
    with WritableStudy.open(folder, trust=True) as study, pytest.raises(UsageError, match="max_steps: expected 60"):
        go_on_blame(study, to_end)


def test_another_run_in_the_place_of_the_recorded_one_is_not_searched(whole: Path, tmp_path: Path) -> None:
    folder = _rewritten(whole, tmp_path / "blame", created="2001-01-01T00:00:00Z")
    with WritableStudy.open(folder) as study, pytest.raises(UsageError, match="expected the one that was made at 2001"):
        go_on_blame(study, to_end)
    assert "expected the one that was made at 2001" in BlamedRun.of(StudyFolder.open_to_read(folder)).unread
