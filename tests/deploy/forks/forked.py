"""Recorded runs that tests go on from, and what came of it."""

import asyncio
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from quintet.config.settings import Settings, from_assignments, from_table
from quintet.events import CallMade, EpisodeEnded, Record
from quintet.forks.fork import Branching, Changes, prepare_fork
from quintet.journal.codes import event_range
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.continuations import COPIED
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters

UNCHANGED = Changes()


def layers(method: str, world: str, *assignments: str) -> list[Settings]:
    named = from_table({"method": {"name": method}, "environment": {"name": world}}, "a test")
    return [named, from_assignments(assignments)]


def play(folder: Path, prepared: Prepared) -> RunFolder:
    """Run a prepared run to its end."""
    with WritableRun.create(folder, prepared) as run:
        asyncio.run(run_left(run, RunCounters()))
    return RunFolder.open_to_read(folder)


def recorded_run(folder: Path, method: str, world: str, *assignments: str) -> RunFolder:
    return play(folder, prepare(layers(method, world, *assignments)))


def fork_at(
    run: RunFolder,
    folder: Path,
    branchings: Iterable[Branching],
    changes: Changes = UNCHANGED,
    draws: Iterable[int] = (0,),
) -> RunFolder:
    return play(folder, prepare_fork(run, "a place", branchings, changes, draws))


def records(run: RunFolder, episode: EpisodePath) -> list[Record]:
    reader = run.part_with(episode).read_journal()
    assert reader is not None
    with closing(reader):
        return reader.records(episode)


def end(run: RunFolder, episode: EpisodePath) -> EpisodeEnded:
    (found,) = (each.event for each in records(run, episode) if isinstance(each.event, EpisodeEnded))
    return found


def recorded_as(run: RunFolder, of: EpisodePath, episode: EpisodePath) -> list[Record]:
    """The records of a recorded episode, but for its end, as those of another one."""
    reader = run.part_with(of).read_journal()
    assert reader is not None
    with closing(reader):
        row = reader.episode(of)
        assert row is not None
        _, last = event_range(row.number)
        return reader.beginning(row, last, episode)


def copied(found: Iterable[Record]) -> list[Record]:
    return [each for each in found if each.incarnation == COPIED]


def calls(found: Iterable[Record]) -> list[CallMade]:
    return [each.event for each in found if isinstance(each.event, CallMade)]
