"""Forks of runs that learnt: their episodes have the version, the world and the purpose that were recorded."""

from contextlib import closing
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.forks.begin import begin_fork
from quintet.messages.paths import Path as EpisodePath
from quintet.reports.episodes import results
from quintet.runs.run_folder import RunFolder
from tests.deploy.forks.forked import (
    UNCHANGED,
    end,
    play,
    recorded_as,
    recorded_run,
    records,
    same_content,
    without_end,
)

pytestmark = pytest.mark.real_time

LEARNERS = {
    "autoplan": ["learning.batch=2", "learning.iterations=1", "learning.eval_every=1"],
    "ldm2": ["learning.goals=2", "learning.tasks=4"],
    "reasoning_bank": ["learning.tasks=2"],
}


@pytest.fixture(scope="module", params=LEARNERS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    common = ["run.learn=true", "run.tasks=1", "learning.tasks=2"]
    folder = tmp_path_factory.mktemp("learnt") / "run"
    return recorded_run(folder, request.param, "textcraft", *common, *LEARNERS[request.param])


def versions(run: RunFolder) -> list[int]:
    reader = run.read_journal()
    assert reader is not None
    with closing(reader):
        return sorted({row.epoch for row in reader.episodes() if not row.task.startswith("~")})


def test_episodes_of_each_version_go_on_to_their_recorded_ends(run: RunFolder, tmp_path: Path) -> None:
    assert len(versions(run)) > 1
    for version in versions(run):
        prepared, *_ = begin_fork(run, "step:2", UNCHANGED, where=f"epoch = {version}")
        fork = play(tmp_path / f"fork {version}", prepared)
        assert fork.record.fork is not None
        assert not fork.record.learns
        for each in fork.record.fork.episodes:
            of = EpisodePath(each.of)
            whole, now = recorded_as(run, of, each.episode), without_end(records(fork, each.episode))
            same_content(whole, now, of, each.episode)
            assert end(fork, each.episode).reward == end(run, of).reward
        assert results(fork).copied > 0


def test_episodes_of_several_versions_are_refused_together(run: RunFolder) -> None:
    with pytest.raises(UsageError, match=r"of one version .* --where 'epoch = 1', got those of versions 0, 1"):
        begin_fork(run, "start", UNCHANGED)
