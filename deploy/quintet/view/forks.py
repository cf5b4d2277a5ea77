"""The forks of a recorded episode: the episodes of other runs in the viewed folder that go on from it."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from quintet.errors import UsageError
from quintet.events import EpisodeState
from quintet.forks.places import place_names
from quintet.messages.paths import Path as EpisodePath
from quintet.messages.paths import episode_path
from quintet.reports.transcript import find_episode
from quintet.runs.fork_record import Continued
from quintet.runs.listing import run_folders
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import STUDY_RECORD
from quintet.view.conversation import EpisodeRequest
from quintet.view.folder import ViewedFolder, read_viewed
from quintet.view.origin import place_name

_KEPT = 1_000
"""Records of runs."""


class ShownFork(Struct, frozen=True, kw_only=True):
    """An episode that goes on from a recorded one: its newest attempt."""

    run: str
    path: str
    at: str
    """Where it goes on: `step:3`, or a path below the episode."""
    changes: tuple[str, ...]
    """What is different from there on, in words."""
    draw: int
    """0: its calls have the recorded seeds."""
    state: EpisodeState | None
    """None: it has not ended."""
    reward: float
    reason: str
    steps: int
    """Those that were copied included."""


class _Fork(NamedTuple):
    """What the record of a fork says."""

    created: datetime
    """When the run was made that it goes on from."""
    changes: tuple[str, ...]
    episodes: Mapping[str, tuple[Continued, ...]]
    """Those that go on, by the recorded one."""


def view_forks(viewed: ViewedFolder, request: EpisodeRequest) -> tuple[ShownFork, ...]:
    """The episodes that go on from a recorded one and have begun, by the place where they do."""
    created = viewed.open_run(request.run).record.created
    with read_viewed(viewed.open_part(request.run, request.episode)) as reader:
        episode = find_episode(reader, request.episode)
        forks = [(each, fork) for each, fork in _forks(viewed) if fork.created == created and episode in fork.episodes]
        names = place_names(reader, episode)
    found = [each for folder, fork in forks for each in _read_episodes(viewed, folder, fork, episode, names)]
    return tuple(shown for _, shown in sorted(found, key=lambda each: each[0]))


def _read_episodes(
    viewed: ViewedFolder, folder: Path, fork: _Fork, episode: EpisodePath, names: Mapping[str, str]
) -> Iterator[tuple[int, ShownFork]]:
    """The episodes of a fork that go on from a recorded one, each with the id of the first event that is not copied."""
    reader = RunFolder.open_to_read(folder).read_journal()
    if reader is None:
        return
    with closing(reader), reader.snapshot():
        for each in fork.episodes[episode]:
            number = reader.attempt(each.task, each.epoch)
            row = None if number is None else reader.episode(episode_path(each.task, each.epoch, number))
            if row is None:
                continue
            end = reader.end(row.path)
            yield (
                each.before,
                ShownFork(
                    run=viewed.identify(folder),
                    path=row.path,
                    at=place_name(each, names),
                    changes=fork.changes,
                    draw=each.draw,
                    state=None if end is None else end.state,
                    reward=0.0 if end is None else end.reward,
                    reason="" if end is None else end.reason,
                    steps=row.steps or 0,
                ),
            )


def _forks(viewed: ViewedFolder) -> Iterator[tuple[Path, _Fork]]:
    """The forks among the runs, and among the arms of the studies, in the viewed folder."""
    for path in run_folders(viewed.root):
        arms = sorted((path / "arms").glob("*")) if (path / STUDY_RECORD).is_file() else [path]
        for folder in arms:
            fork = _read_fork(folder, _changed(folder)) if viewed.has(folder) else None
            if fork is not None:
                yield folder, fork


def _changed(run: Path) -> int:
    try:
        return (run / RUN_RECORD).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=_KEPT)
def _read_fork(run: Path, _changed: int) -> _Fork | None:
    """None: it is no fork, or cannot be read."""
    try:
        fork = RunFolder.open_to_read(run).record.fork
    except UsageError:
        return None
    if fork is None:
        return None
    episodes: dict[str, tuple[Continued, ...]] = {}
    for each in fork.episodes:
        episodes[each.of] = (*episodes.get(each.of, ()), each)
    return _Fork(fork.created, fork.changes, episodes)
