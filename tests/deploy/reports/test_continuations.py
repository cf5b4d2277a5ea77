"""Which continuations are paired with what, and what the table of a fork says of each recorded episode."""

from pathlib import Path

import pytest

from quintet.config.tasks import TaskEntry
from quintet.forks.begin import begin_fork
from quintet.launch.writable_run import WritableRun
from quintet.reports.continuations import fork_tables, recorded_places
from quintet.reports.episodes import results
from quintet.reports.rows import TaskResult
from quintet.runs.fork_record import ContinuationKey
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.forks.forked import UNCHANGED
from tests.deploy.samples import Went

TASK = TaskEntry(name="beehive", metadata={})


def played(*rewards: float, **more: dict[int, int] | dict[int, ContinuationKey]) -> TaskResult:
    return TaskResult(TASK, dict(enumerate(rewards)), **more)  # type: ignore[arg-type]


def test_episodes_of_runs_are_paired_by_their_epochs() -> None:
    assert played(1, 0, 1).pairs(played(0, 0)) == [(0, 0), (1, 1)]


def test_each_continuation_is_paired_with_its_recorded_episode() -> None:
    keys = {0: ContinuationKey(1, 1, 0), 1: ContinuationKey(1, 2, 0), 2: ContinuationKey(4, 1, 0)}
    fork = played(1, 0, 1, continues=keys)
    assert fork.pairs(played(0, 0, 1)) == [(0, 1), (1, 1)]
    assert played(0, 0, 1).pairs(fork) == [(1, 0), (1, 1)]


def test_continuations_of_two_forks_are_paired_by_episode_draw_and_number() -> None:
    ours = {0: ContinuationKey(0, 1, 0), 1: ContinuationKey(0, 2, 0), 2: ContinuationKey(1, 1, 0)}
    theirs = {0: ContinuationKey(1, 1, 0), 1: ContinuationKey(0, 2, 0), 2: ContinuationKey(0, 2, 1)}
    assert played(1, 1, 1, continues=ours).pairs(played(0, 0, 0, continues=theirs)) == [(1, 1), (2, 0)]


def test_a_version_is_paired_with_continuations_of_its_own_episodes_alone() -> None:
    learnt = played(1, versions={0: 3})
    assert played(1, continues={0: ContinuationKey(3, 0, 0)}).pairs(learnt) == [(0, 0)]
    assert played(1, continues={0: ContinuationKey(0, 0, 0)}).pairs(learnt) == []
    assert learnt.pairs(played(1, versions={0: 2})) == [(0, 0)]


@pytest.fixture
def fork(tmp_path: Path) -> RunFolder:
    """Three continuations of each of two episodes, of which some have ended."""
    tasks = {"beehive": Went(calls=4), "torch": Went(state="unsolved", reward=0.5, calls=4)}
    samples.write(tmp_path / "run", samples.record("react", tuple(tasks)), tasks)
    recorded = RunFolder.open_to_read(tmp_path / "run")
    prepared = begin_fork(recorded, "call:2", UNCHANGED, times=3).run
    with WritableRun.create(tmp_path / "fork", prepared) as folder:
        samples.journal(folder, {"beehive": Went(reward=1.0), "torch": Went(state="unsolved", reward=0.25)}, epoch=0)
        samples.journal(folder, {"torch": Went(reward=1.0)}, epoch=2)
    return RunFolder.open_to_read(tmp_path / "fork")


def test_a_place_has_its_recorded_outcome_and_the_mean_of_its_continuations(fork: RunFolder) -> None:
    found = results(fork)
    assert fork.record.fork is not None
    bees, torches = recorded_places(found, fork.record.fork)
    assert (bees.recorded.of, bees.recorded.reward, bees.planned, bees.rewards) == ("beehive/0/0", 1.0, 3, [1.0])
    assert (torches.recorded.reward, torches.solved, torches.rewards) == (0.5, 1, [0.25, 1.0])
    assert torches.mean is not None
    assert torches.mean.value == 0.625
    (table,) = fork_tables([("fork", found)])
    assert [row[3] for row in table.rows] == ["3", "1 of 3", "2 of 3"]
    assert [row[2].split()[0] for row in table.rows] == ["75.0", "100", "50.0"]
    assert table.rows[0][5].startswith("81.2")


def test_what_has_not_begun_is_listed_and_counted(fork: RunFolder) -> None:
    found = results(fork)
    assert found.episodes == 6
    assert [(row.task, row.epoch, row.state) for row in found.rows if row.state == "not begun"] == [
        ("beehive", 1, "not begun"),
        ("torch", 1, "not begun"),
        ("beehive", 2, "not begun"),
    ]
    assert found.ended == "interrupted"
