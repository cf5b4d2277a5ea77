"""Recorded runs that tests go on from, and what came of it."""

import asyncio
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from msgspec import structs

from quintet.config.settings import Settings, from_assignments, from_table
from quintet.events import CallMade, EpisodeEnded, Exchanged, Recalled, Record
from quintet.forks.fork import Branching, Changes, prepare_fork
from quintet.journal.codes import event_range
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.continuations import COPIED
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.testing.content import Content, before, content_of, first_difference_in_decisions

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


def without_end(found: Iterable[Record]) -> list[Record]:
    return [each for each in found if not isinstance(each.event, EpisodeEnded)]


def replaced(found: Iterable[Record], *names: EpisodePath) -> Content:
    """Content, with the sessions that stand in the texts of replies under one name, and what recalls read anew."""
    content = dict(content_of(found))
    for key, event in content.items():
        if isinstance(event, Exchanged):
            for name in names:
                event = structs.replace(event, reply=event.reply.replace(f'"{name}/', '"EPISODE/'))
            content[key] = event
        elif isinstance(event, Recalled):  # of the copy that a fork has of the memory
            content[key] = structs.replace(event, version=0, ids=tuple(id % 2**32 for id in event.ids))
    return content


def same_content(recorded: Iterable[Record], live: Iterable[Record], *names: EpisodePath) -> None:
    """Expect the same content up to where live branches decided otherwise: they may end in another order."""
    whole, now = replaced(recorded, *names), replaced(live, *names)
    differs = first_difference_in_decisions(whole, now)
    if differs is not None:
        whole, now = before(whole, differs), before(now, differs)
    assert now.keys() == whole.keys()
    for key, event in whole.items():
        assert now[key] == event, f"{now[key]}\n{event}"
