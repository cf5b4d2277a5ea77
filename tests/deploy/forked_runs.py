"""Forks of recorded runs, for tests."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from quintet.forks.fork import Changes, branch, prepare_fork
from quintet.forks.places import RecordedEpisode
from quintet.launch.evaluation import run_left
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters


def fork(
    run: Path, out: Path, places: Mapping[str, str], changes: Changes | None = None, draws: Iterable[int] = (0,)
) -> Path:
    """Fork some episodes of a run, each at a place, and run the fork to its end."""
    changes, folder = changes or Changes(), RunFolder.open_to_read(run)
    reader = folder.read_journal()
    assert reader is not None
    with closing(reader):
        rows = {episode: reader.episode(EpisodePath(episode)) for episode in places}
        branchings = [
            branch(RecordedEpisode(reader, row), places[episode], changes)
            for episode, row in rows.items()
            if row is not None
        ]
    assert len(branchings) == len(places)
    with WritableRun.create(
        out, prepare_fork(folder, ", ".join(places.values()), branchings, changes, draws)
    ) as writable:
        asyncio.run(run_left(writable, RunCounters(), lambda _: None))
    return out
