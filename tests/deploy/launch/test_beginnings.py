"""What the episodes of a fork take from the recorded run, when they begin and when they begin again."""

import asyncio
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from quintet.config.settings import from_table
from quintet.control.client import send_command
from quintet.control.messages import CommandDone, RequeueEpisode
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import FaultNote, JournalFault
from quintet.events import CutShort, EpisodeEnded, Record, Requeued
from quintet.forks.prepare import plan_fork
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.launch.beginnings import Beginnings
from quintet.launch.evaluation import open_evaluation, run_left
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from tests.deploy.forks.forked import UNCHANGED, calls, copied, end, play, recorded_run, records
from tests.deploy.journal.records import changed

pytestmark = pytest.mark.real_time

BEEHIVE, AGAIN = EpisodePath("beehive/0/0"), EpisodePath("beehive/0/1")


class Kept(TextCraft):
    """A world that keeps what is done to it, with a way back."""

    name = "kept"
    repeats = False

    async def reset(self) -> None:
        """Nothing is kept in truth."""


async def requeued(folder: WritableRun) -> list[EpisodeEnded]:
    """Run all that is left; the first episode that ends is requeued."""
    ends: list[EpisodeEnded] = []
    async with open_evaluation(folder) as evaluation:
        async for ended in evaluation.run(evaluation.left()):
            if not ends:
                command = RequeueEpisode(episode=ended.path, force=True)
                done = await asyncio.to_thread(send_command, folder.path, command)
                assert isinstance(done, CommandDone), done
            ends.append(ended)
    return ends


@pytest.mark.parametrize("world", ["textcraft", Kept])
def test_an_episode_that_is_requeued_goes_on_from_the_recorded_one_too(
    tmp_path: Path, world: str | type[TextCraft]
) -> None:
    tables = {"method": {"name": "react"}, "environment": {"name": world}, "run": {"tasks": ["beehive", "torch"]}}
    run = play(tmp_path / "run", prepare([from_table({**tables, "runtime": {"concurrency": 1}}, "a test")]))
    objects = [] if isinstance(world, str) else [world]
    prepared = plan_fork(run, "step:3", UNCHANGED, objects=objects).run
    with WritableRun.create(tmp_path / "fork", prepared) as folder:
        ends = asyncio.run(requeued(folder))
    assert sorted(each.path for each in ends) == [BEEHIVE, AGAIN, "torch/0/0"]
    first, again = records(folder, BEEHIVE), records(folder, AGAIN)
    assert len(copied(again)) == len(copied(first)) > 0
    assert [call.completion.text for call in calls(again)] == [call.completion.text for call in calls(first)]
    assert [each.event for each in again if isinstance(each.event, Requeued)] == [Requeued(path=AGAIN, repeats=BEEHIVE)]


def test_what_an_operator_or_a_limit_did_to_the_recorded_attempt_is_not_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]')
    read = JournalReader.beginning

    def disturbed(reader: JournalReader, *of: Any) -> list[Record]:
        """As if a limit had cut short an attempt that an operator had asked for, while a step was under way."""
        *found, last = read(reader, *of)
        events = (Requeued(path=BEEHIVE, repeats=BEEHIVE), CutShort(path=BEEHIVE, reason="time limit"))
        return [*found, *(structs.replace(last, event=event) for event in events), last]

    monkeypatch.setattr(JournalReader, "beginning", disturbed)
    fork = play(tmp_path / "fork", plan_fork(run, "step:3", UNCHANGED).run)
    assert end(fork, BEEHIVE) == end(run, BEEHIVE)
    assert not [each for each in records(fork, BEEHIVE) if isinstance(each.event, Requeued | CutShort)]


def test_another_run_in_the_place_of_the_recorded_one_is_refused(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]')
    prepared = plan_fork(run, "step:3", UNCHANGED).run
    shutil.rmtree(tmp_path / "run")
    recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]')
    with WritableRun.create(tmp_path / "fork", prepared) as folder, pytest.raises(JournalFault) as refused:
        asyncio.run(run_left(folder, RunCounters()))
    made = run.record.created.isoformat()
    assert f"run: expected the one that was made at {made}, got one made at" in str(refused.value)


def test_an_attempt_that_was_played_anew_in_the_place_of_the_recorded_one_is_refused(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]')
    prepared = plan_fork(run, "step:3", UNCHANGED).run
    for file in run.path.glob("journal.sqlite*"):
        file.unlink()
    with WritableRun.open(run.path, anew=True) as folder:
        asyncio.run(run_left(folder, RunCounters()))
    with WritableRun.create(tmp_path / "fork", prepared) as folder, pytest.raises(JournalFault) as refused:
        asyncio.run(run_left(folder, RunCounters()))
    assert "expected the recorded episode beehive/0/0, got another one in its place" in str(refused.value)


def test_the_record_of_the_other_run_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded_run(tmp_path / "run", "react", "textcraft", "run.tasks=3")
    opened: list[Path] = []
    read = RunFolder.open_to_read

    def counted(path: Path, **made: Any) -> RunFolder:
        opened.append(path)
        return read(path, **made)

    prepared = plan_fork(RunFolder.open_to_read(tmp_path / "run"), "step:2", UNCHANGED, times=5).run
    monkeypatch.setattr(RunFolder, "open_to_read", counted)
    play(tmp_path / "fork", prepared)
    assert opened.count(tmp_path / "run") == 1


def test_the_other_run_may_be_resumed_meanwhile(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive"]')
    fork = plan_fork(run, "step:3", UNCHANGED).run.record.fork
    begun = Beginnings(fork).of("beehive", 0)
    assert begun is not None
    first = begun.records(BEEHIVE)
    opened = [each.readlink() for each in Path("/proc/self/fd").iterdir() if each.exists()]
    assert run.journal not in opened, "a reader of a file that nobody writes heeds no writer that comes later"
    asyncio.run(_resumed(run))
    assert begun.records(BEEHIVE) == first


async def _resumed(run: RunFolder) -> None:
    with closing(SqliteJournal(run.journal)) as journal:
        for number in range(200):
            path = EpisodePath(f"another {number}/0/0")
            journal.begin(path)
            await journal.append(
                [Record(event=EpisodeEnded(path=path, state="solved", reason="x" * 500), incarnation=1)]
            )


def test_a_recorded_episode_that_is_damaged_faults_alone(tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", "react", "textcraft", 'run.tasks=["beehive", "torch"]')
    fork = plan_fork(run, "step:3", UNCHANGED).run
    changed(run.journal, "UPDATE _steps SET action = x'ff00' WHERE id >> 24 = 1")
    folder = play(tmp_path / "fork", fork)
    (damaged,) = (each for each in (BEEHIVE, EpisodePath("torch/0/0")) if end(folder, each).state == "faulted")
    assert "expected the whole recorded episode" in end(folder, damaged).reason
    assert end(folder, damaged).fault == FaultNote(kind="ReplayMismatch", text=end(folder, damaged).reason)
    assert not calls(records(folder, damaged))
    with WritableRun.open(folder.path) as again:
        asyncio.run(run_left(again, RunCounters(), retry_faulted=True))
    assert end(again, EpisodePath(damaged.replace("/0/0", "/0/1"))).state == "faulted"
