"""What the continuations of a stage say of chances."""

import asyncio
from contextlib import closing
from pathlib import Path

from quintet.blame.chances import Chance
from quintet.blame.outcomes import Outcomes, add_stage
from quintet.events import EpisodeEnded, EpisodeState, Record
from quintet.journal.writer import SqliteJournal
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.blame_record import BlamedEpisode
from quintet.runs.fork_record import ContinuedEpisode, ForkRecord, StartConditions
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples

OF = "beehive/0/0"


def stage(folder: Path, *ends: EpisodeEnded | None) -> RunFolder:
    """Continuations from one place that ended so; None: one that has not."""
    recorded = samples.record(run={"epochs": len(ends)})
    start = StartConditions(world=0, epoch=0)
    episodes = tuple(
        ContinuedEpisode(task="beehive", epoch=epoch, of=OF, recorded=0, at="", before=7, start=start)
        for epoch in range(len(ends))
    )
    fork = ForkRecord(run=folder / "run", created=recorded.created, at="places", episodes=episodes)
    with WritableRun.create(folder / "stage", recorded.model_copy(update={"fork": fork})) as run:
        asyncio.run(_write(run, ends))
    return RunFolder.open_to_read(folder / "stage")


async def _write(run: RunFolder, ends: tuple[EpisodeEnded | None, ...]) -> None:
    with closing(SqliteJournal(run.journal)) as journal:
        for end in ends:
            if end is not None:
                await journal.append([Record(event=end, incarnation=journal.begin(end.path))])


def ended(epoch: int, reward: float = 0.0, *, cancelled: bool = False, faulted: bool = False) -> EpisodeEnded:
    state: EpisodeState = "solved" if reward >= 1 else "faulted" if faulted else "unsolved"
    return EpisodeEnded(path=EpisodePath(f"beehive/{epoch}/0"), state=state, reward=reward, cancelled=cancelled)


def test_what_a_fault_or_an_operator_ended_says_nothing_of_a_chance(tmp_path: Path) -> None:
    found = {OF: Outcomes(BlamedEpisode(path=OF, places=(7, 9)))}
    ends = (ended(0, 1.0), ended(1), ended(2, cancelled=True), ended(3, 1.0, cancelled=True), ended(4, faulted=True))
    assert add_stage(found, stage(tmp_path, *ends))
    assert found[OF].searched == {0: Chance(1, 2)}
    assert (found[OF].continuations, found[OF].faulted) == (5, 3)


def test_a_stage_that_has_not_ended_gives_no_chance(tmp_path: Path) -> None:
    found = {OF: Outcomes(BlamedEpisode(path=OF, places=(7, 9)))}
    assert not add_stage(found, stage(tmp_path, ended(0, 1.0), None))
    assert found[OF].searched == {}
    assert found[OF].continuations == 1
