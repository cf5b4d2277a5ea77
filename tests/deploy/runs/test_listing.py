"""The runs below a folder."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.quota.cost import Cost
from quintet.runs.ends import write_end
from quintet.runs.listing import RunEntry, list_runs, read_entry, seconds_left
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went

TASKS = ("beehive", "cake", "stick")
LOST = Went("unsolved", 0.0)
FAULT = Went("faulted", 0.0)


def _entry(folder: Path) -> RunEntry:
    [entry] = list_runs(folder)
    return entry


def test_a_run_that_ended_is_done_and_says_what_it_came_to(tmp_path: Path) -> None:
    record = samples.record("react", TASKS)
    path = samples.write(tmp_path / "a", record, {"beehive": Went(calls=3), "cake": LOST, "stick": Went()})
    entry = _entry(tmp_path)
    assert (entry.path, entry.kind, entry.label) == (path, "run", "react on textcraft")
    assert (entry.state, entry.reason) == ("done", "")
    assert (entry.episodes, *entry.totals[:4]) == (3, 3, 3, 2, 0)
    assert entry.spent == Cost(5, 500, 50, None)
    assert (entry.holder, entry.eta) == (None, None)


def test_only_the_newest_attempt_at_a_task_counts(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "a", samples.record("react", TASKS), dict.fromkeys(TASKS, FAULT))
    assert _entry(tmp_path).state == "faulted"
    with WritableRun.open(path) as folder:
        samples.journal(folder, {"cake": Went()}, attempt=1)
    assert _entry(tmp_path).totals[:4] == (3, 3, 1, 2)


def test_a_run_that_stopped_says_why_and_one_that_was_killed_is_interrupted(tmp_path: Path) -> None:
    path = samples.write(tmp_path / "a", samples.record("react", TASKS), {"beehive": Went()})
    assert (_entry(tmp_path).state, _entry(tmp_path).reason) == ("interrupted", "")
    write_end(path, "spent", "budget: expected less")
    assert (_entry(tmp_path).state, _entry(tmp_path).reason) == ("spent", "budget: expected less")


def test_a_run_that_goes_on_names_its_process_and_its_time_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = samples.write(tmp_path / "a", samples.record("react", TASKS), {"beehive": Went()})
    with WritableRun.open(path) as folder:
        entry = read_entry(path)
        assert entry.state == "running"
        assert entry.holder is not None
        assert entry.eta is None  # no episode ended in this start
        since = entry.holder.since
        samples.journal(folder, {"cake": LOST})
        with closing(sqlite3.connect(folder.journal, isolation_level=None)) as journal:
            ended = "UPDATE _episodes SET began = ?, ended = ? WHERE task = (SELECT id FROM _tasks WHERE name = ?)"
            journal.execute(ended, (round(since * 1000) - 9_000, 8_000, "beehive"))
            journal.execute(ended, (round(since * 1000), 8_000, "cake"))
        monkeypatch.setattr(time, "time", lambda: since + 10)
        assert read_entry(path).eta == pytest.approx(10)  # one of three is left, and one took ten seconds
    assert read_entry(path).state == "interrupted"


def test_a_study_is_listed_with_its_arms_and_they_are_not_listed_again(tmp_path: Path) -> None:
    arms = {arm: samples.prepared("react", TASKS) for arm in ("one", "two")}
    with create(replace(find_study("demo"), name="two-methods"), arms, tmp_path / "s") as study:
        with study.create_arm("one") as arm:
            samples.journal(arm, dict.fromkeys(TASKS, Went()))
        entry = _entry(tmp_path)
        assert (entry.kind, entry.label, entry.state, entry.waiting) == ("study", "two-methods", "running", 1)
        assert [(arm.path.name, arm.state) for arm in entry.arms] == [("one", "done")]
    assert _entry(tmp_path).state == "interrupted"
    samples.write(study.arm_path("two"), samples.record("react", TASKS), dict.fromkeys(TASKS, FAULT))
    entry = _entry(tmp_path)
    assert (entry.state, entry.episodes, entry.totals[:4], entry.spent.calls) == ("faulted", 6, (6, 6, 3, 3), 6)


def test_what_cannot_be_read_is_listed_with_its_error_and_hides_nothing(tmp_path: Path) -> None:
    samples.write(tmp_path / "runs" / "good", samples.record(), {})
    for name in ("bad", ".hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text("{")
    (tmp_path / "link").symlink_to(tmp_path / "runs")
    good, bad = list_runs(tmp_path)
    assert (good.path.name, good.state) == ("good", "interrupted")
    assert (bad.path.name, bad.state) == ("bad", "unreadable")
    assert "expected JSON" in bad.reason


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected one with runs in it"):
        list_runs(tmp_path / "none")
    assert list_runs(tmp_path) == []


def test_time_left_follows_the_pace_so_far() -> None:
    assert seconds_left(6, 3, 12.0) == 24.0
    assert seconds_left(6, 0, 12.0) is None
    assert seconds_left(0, 3, 12.0) == 0
