"""Runs over several drivers: the content and the figures of one driver's run, whoever is killed or comes first."""

import asyncio
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from quintet.api import evaluate, read_run, resume
from quintet.config.settings import Setting
from quintet.errors import BudgetSpent, UsageError
from quintet.export.read import exported_runs, read_rows
from quintet.journal.reader import JournalReader
from quintet.launch.evaluation import run_left
from quintet.launch.shards import begin_sharded, open_shard
from quintet.launch.writable_run import WritableRun
from quintet.learned.given_trajectories import read_earlier_run
from quintet.quota.cost import NOTHING
from quintet.quota.quota import LocalLimiters
from quintet.reports.episodes import results
from quintet.runs.copy import copy_folder
from quintet.runs.folder import read_changes
from quintet.runs.listing import read_entry
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.view.folder import ViewedFolder, file_times
from quintet.view.runs import RunRequest
from quintet.view.timeline import view_timeline
from tests.command import printed
from tests.deploy.launch.sharded_runs import GOALS, SHARDS, begin, content, prepared, run_one_driver, run_shard
from tests.deploy.launch.test_evaluation import KILLED

pytestmark = pytest.mark.real_time


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The run of one driver."""
    return run_one_driver(tmp_path_factory.mktemp("one") / "run")


@pytest.fixture(scope="module")
def sharded(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The same run over several drivers."""
    run = begin(tmp_path_factory.mktemp("sharded") / "run")
    for shard in reversed(range(SHARDS)):
        run_shard(run, shard)
    return RunFolder.open_to_read(run.path)


def test_drivers_that_know_other_endpoints_share_a_run(tmp_path: Path) -> None:
    ours = prepared()
    begin_sharded(tmp_path / "run", ours)
    theirs = replace(ours, record=ours.record.model_copy(update={"sustained": {"sim-weak": 40}}))
    assert begin_sharded(tmp_path / "run", theirs).path == tmp_path / "run"


def test_the_content_is_that_of_one_driver(one: RunFolder, sharded: RunFolder) -> None:
    assert content(sharded) == content(one)
    assert [part.record.tasks[0].name for part in sharded.parts] == GOALS


def test_a_report_reads_all_shards_as_one_run(one: RunFolder, sharded: RunFolder) -> None:
    ours, theirs = results(sharded), results(one)
    assert [row._replace(seconds=0, cost=NOTHING, phases={}) for row in ours.rows] == [
        row._replace(seconds=0, cost=NOTHING, phases={}) for row in theirs.rows
    ]
    assert ours.states == theirs.states
    assert ours.phases == theirs.phases
    assert ours.fingerprints == theirs.fingerprints
    assert ours.finished


def test_a_list_has_one_entry_with_the_sums(one: RunFolder, sharded: RunFolder) -> None:
    ours, theirs = read_entry(sharded.path), read_entry(one.path)
    assert (ours.state, ours.episodes, ours.spent, ours.label) == ("done", 4, theirs.spent, theirs.label)
    assert ours.success == pytest.approx(theirs.success)
    assert (ours.totals.ended, ours.totals.solved) == (theirs.totals.ended, theirs.totals.solved)


def test_a_run_with_a_shard_that_has_not_begun_is_read_and_not_done(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    assert read_entry(run.path).state == "interrupted"
    assert results(run).count("not begun") == len(GOALS)
    run_shard(run, 1)
    assert read_entry(run.path).state == "interrupted"
    assert results(run).count("not begun") == len(GOALS) - 1
    with pytest.raises(UsageError, match="expected one of a shard that has begun, got 'beehive'"):
        run.part_with("beehive")


def test_an_exported_table_has_every_row_once_under_a_number_of_its_own(one: RunFolder, sharded: RunFolder) -> None:
    ours, theirs = read_run(sharded.path), read_run(one.path)
    for table in ("episodes", "calls"):
        numbers = ours.arrow(table)["id"].to_pylist()
        assert len(set(numbers)) == len(numbers) == len(theirs.arrow(table))
    numbers = ours.arrow("prompts")["id"].to_pylist()
    assert len(set(numbers)) == len(numbers)
    said = [{(row["role"], row["content"]) for row in run.arrow("prompts").to_pylist()} for run in (ours, theirs)]
    assert said[0] == said[1], "what all tasks begin with is stored once a shard"
    known = set(ours.arrow("prompts")["id"].to_pylist())
    assert set(ours.arrow("calls")["prompt"].to_pylist()) <= known
    assert set(ours.arrow("prompts")["parent"].to_pylist()) <= known | {None}
    assert set(ours.arrow("calls")["episode"].to_pylist()) == set(ours.arrow("episodes")["id"].to_pylist())


def test_an_export_opens_the_record_of_each_shard_once(sharded: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Counter[str]()
    open_to_read = RunFolder.open_to_read

    def count(path: Path) -> RunFolder:
        opened[path.name] += 1
        return open_to_read(path)

    monkeypatch.setattr(RunFolder, "open_to_read", count)
    (run,) = exported_runs(sharded.path)
    assert "episodes" in {table for table, _ in read_rows(run)}
    assert set(opened.values()) == {1}


def test_an_episode_is_shown_from_the_shard_that_plays_it(sharded: RunFolder) -> None:
    assert "lectern/0/0" in printed("show", sharded.path, "lectern")


def test_a_page_has_the_calls_of_all_shards_over_time(sharded: RunFolder) -> None:
    shown = view_timeline(ViewedFolder(sharded.path), RunRequest(run="."))
    assert sum(shown.tokens) == results(sharded).cost.tokens


def test_a_page_is_read_again_once_a_shard_has_changed(sharded: RunFolder, tmp_path: Path) -> None:
    copy_folder(sharded.path, tmp_path / "copy")
    copied = RunFolder.open_to_read(tmp_path / "copy")
    assert content(copied) == content(sharded)
    before = file_times(copied.path)
    (copied.shard_path(2) / "journal.sqlite").touch()
    assert file_times(copied.path) != before


def test_a_run_that_lies_in_its_own_shards_is_listed_once_and_said_to_be_none(tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    for shard in range(SHARDS):
        run.shard_path(shard).mkdir(parents=True)
        (run.shard_path(shard) / "run.json").hardlink_to(run.path / "run.json")
    entry = read_entry(run.path)
    assert entry.state == "interrupted"
    assert entry.reason.startswith("shard 0: run folder: expected shard 0, got a whole run")
    with pytest.raises(UsageError, match="expected shard 2, got a whole run"):
        run.part_with("lectern")


@pytest.mark.parametrize("linked", ["shards", "shards/2"])
def test_a_shard_that_is_a_link_is_not_read(linked: str, sharded: RunFolder, tmp_path: Path) -> None:
    copy_folder(sharded.path, tmp_path / "run")
    run = RunFolder.open_to_read(tmp_path / "run")
    (run.path / linked).rename(tmp_path / "elsewhere")
    (run.path / linked).symlink_to(tmp_path / "elsewhere")
    assert "expected files of its own, got a link" in read_entry(run.path).reason
    with pytest.raises(UsageError, match="expected files of its own, got a link"):
        ViewedFolder(run.path).open_part(".", "lectern")


@pytest.mark.parametrize("lost", ["journal.sqlite", "run.json"])
def test_a_shard_that_cannot_be_read_hides_none_of_the_others(lost: str, sharded: RunFolder, tmp_path: Path) -> None:
    copy_folder(sharded.path, tmp_path / "run")
    run = RunFolder.open_to_read(tmp_path / "run")
    file = run.shard_path(2) / lost
    file.unlink()
    if lost == "run.json":
        file.write_text("{")
    found = results(run)
    assert found.count("not begun") == 1
    assert [each for each in found.damage if str(file) in each and each.startswith("shard 2: ")]
    entry = read_entry(run.path)
    assert (entry.state, entry.totals.ended, entry.label) == ("interrupted", 3, read_entry(sharded.path).label)
    assert str(file) in entry.reason
    assert view_timeline(ViewedFolder(run.path), RunRequest(run=".")).tokens


def test_its_successes_are_trajectories_as_those_of_one_driver(one: RunFolder, sharded: RunFolder) -> None:
    ours, theirs = (read_earlier_run(run.path, "textcraft") for run in (sharded, one))
    assert {each.goal for each in ours.successes} == {each.goal for each in theirs.successes}
    assert ours.left_out == theirs.left_out


def test_whoever_comes_second_finds_the_record_of_the_first(tmp_path: Path) -> None:
    first, second = (begin(tmp_path / "run") for _ in range(2))
    assert second.record == first.record
    assert [each.name for each in (tmp_path / "run").iterdir()] == ["run.json"]


def test_each_driver_runs_under_its_own_settings_whoever_wrote_the_record(tmp_path: Path) -> None:
    begin(tmp_path / "run", **{"runtime.concurrency": 3})
    run = begin(tmp_path / "run", **{"runtime.concurrency": 5})
    with open_shard(run, 0) as folder:
        assert folder.config.runtime.concurrency == 5


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    begin(tmp_path / "run")
    with pytest.raises(UsageError, match="got one with other configuration"):
        begin(tmp_path / "run", **{"run.seed": 1})
    with pytest.raises(UsageError, match="got one with other shards"):
        begin(tmp_path / "run", 2)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").touch()
    with pytest.raises(UsageError, match="expected a new or empty folder"):
        begin(tmp_path / "other")
    (tmp_path / "run" / "shards").symlink_to(tmp_path / "other")
    with pytest.raises(UsageError, match="expected files of its own, got a link"):
        begin(tmp_path / "run")


def test_what_cannot_be_sharded_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected at most one for each of 4 tasks, got 5"):
        prepared(5)
    with pytest.raises(UsageError, match="expected 1 for a run that learns, got 2"):
        prepared(2, **{"method.name": "autoplan", "run.learn": True})
    with pytest.raises(UsageError, match="expected 1 for a stream, got 2: one driver keeps its order"):
        prepared(2, **{"run.stream": True})
    with pytest.raises(UsageError, match=r"runtime\.shards: expected 1 for one driver, got 2"):
        evaluate("react", "textcraft", tasks=2, settings={"runtime": {"shards": 2}}, journal=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(UsageError, match=r"runtime\.shards: expected 1 for one driver, got 2"):
        evaluate("react", "textcraft", tasks=2, settings={"runtime": {"shards": 2}})
    run = begin(tmp_path / "sharded")
    with pytest.raises(UsageError, match=r"runtime\.shards: expected 1 for one driver, got 4"):
        resume(run.path)
    assert [path.name for path in run.path.iterdir()] == ["run.json"]


def test_a_limit_that_some_shards_would_have_no_part_of_is_refused_before_it_is_kept(tmp_path: Path) -> None:
    expected = r"limits\.calls: expected at least one for each of 4 shards, got 3 \(a test\)"
    with pytest.raises(UsageError, match=expected):
        prepared(SHARDS, **{"limits.calls": 3})
    with pytest.raises(UsageError, match=r"limits\.pace: .* each of 4 shards, got tokens_per_minute 3"):
        prepared(SHARDS, **{"limits.pace": [{"model": "scripted", "tokens_per_minute": 3}]})
    prepared(SHARDS, **{"limits.calls": 3, "runtime.quota": "team"})
    run = begin(tmp_path / "run", **{"limits.calls": 4})
    with open_shard(run, 0) as shard, pytest.raises(UsageError, match=expected):
        shard.change({"limits.calls": Setting(3, "a test")})
    assert not read_changes(run.shard_path(0)).sound


@pytest.mark.slow
def test_a_killed_shard_is_resumed_alone_to_the_content_of_one_driver(one: RunFolder, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["eval", "react", "textcraft", "--tasks", ",".join(GOALS), "--out", str(folder), "--shard", "2/4"]
    killed = subprocess.run([sys.executable, "-c", KILLED, "7", *words], capture_output=True, check=False)
    assert killed.returncode < 0, killed.stderr
    run = RunFolder.open_to_read(folder)
    with closing(JournalReader.open(run.shard_path(2) / "journal.sqlite")) as reader:
        assert not any(row.ended for row in reader.episodes())
    for shard in range(SHARDS):
        run_shard(run, shard)
    assert content(run) == content(one)


def test_all_shards_have_one_budget_and_go_on_under_a_larger_one(one: RunFolder, tmp_path: Path) -> None:
    whole = results(one).cost.tokens
    run = begin(tmp_path / "run", **{"limits.budget_tokens": whole // 2})
    for shard in range(SHARDS):
        with suppress(BudgetSpent):
            run_shard(run, shard)
    charged = results(run).charged
    assert charged is not None
    assert 0 < charged.tokens <= whole // 2
    assert not results(run).finished
    assert read_entry(run.path).state == "spent"
    for shard in range(SHARDS):
        run_shard(run, shard, {"limits.budget_tokens": 3 * whole})
    assert content(run) == content(one)


def test_all_shards_start_together_with_the_calls_that_are_set(tmp_path: Path) -> None:
    run, limiters = begin(tmp_path / "run", **{"limits.start": 40}), LocalLimiters()
    with open_shard(run, 1) as folder:
        asyncio.run(run_left(folder, RunCounters(), limiters=limiters))
    assert set(limiters.starts.values()) == {40 // SHARDS}


def test_a_shard_that_lost_its_run_is_refused_since_its_budget_is_not_its_own(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", **{"limits.budget_tokens": 10**6})
    open_shard(run, 0).close()
    run.shard_path(0).rename(tmp_path / "alone")
    with WritableRun.open(tmp_path / "alone") as folder, pytest.raises(UsageError, match="shard 0: expected it in the"):
        asyncio.run(run_left(folder, RunCounters()))
