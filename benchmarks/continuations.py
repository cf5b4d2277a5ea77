"""Forks of recorded episodes at every step, and how long one takes from its command to its first live call."""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.measuring import ROUNDS, Figure
from quintet.config.settings import from_table
from quintet.events import CallMade, Record, StepTaken
from quintet.forks.fork import Branching, Changes, branch, prepare_fork
from quintet.forks.places import RecordedEpisode
from quintet.hooks.hook import Hook
from quintet.journal.codes import FAULTED_STATE
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.writable_run import WritableRun
from quintet.messages.continuations import COPIED
from quintet.messages.paths import Path as EpisodePath
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters

_EPISODES = 20
_TASKS = 125
"""Of the split's 134; more episodes are repetitions."""
_STEPS = 200
_FIRST_CALL = "FIRST_CALL"
"""The variable that names the file in which the hook below says when it was told of the first call."""


class FirstCall(Hook):
    """Writes down when a call was made first."""

    grace_seconds = 60.0

    def __init__(self) -> None:
        self._file: Path | None = Path(os.environ[_FIRST_CALL])

    def on_call(self, call: CallMade, record: Record) -> None:
        if self._file is not None:
            self._file.write_text(str(record.at - record.seconds))
            self._file = None


def _play(folder: Path, run: Prepared) -> RunFolder:
    with WritableRun.create(folder, run) as opened:
        asyncio.run(run_left(opened, RunCounters()))
    return RunFolder.open_to_read(folder)


def _prepared(method: str, world: str, **sections: Any) -> Prepared:
    return prepare([from_table({"method.name": method, "environment.name": world, **sections}, "a benchmark")])


def _at_every_step(run: RunFolder) -> tuple[list[Branching], dict[EpisodePath, list[tuple[int, str]]]]:
    """Branchings of all episodes, and of each its calls: their ids and paths."""
    reader = run.read_journal()
    assert reader is not None
    branchings: list[Branching] = []
    calls: dict[EpisodePath, list[tuple[int, str]]] = {}
    with closing(reader):
        for row in list(reader.episodes()):
            recorded = RecordedEpisode(reader, row)
            steps = sum(event.kind == StepTaken.kind for event in recorded.events)
            branchings += (branch(recorded, f"step:{number}", Changes()) for number in range(1, steps + 1))
            calls[row.path] = [(event.id, event.path) for event in recorded.events if event.kind == CallMade.kind]
    return branchings, calls


def _every_step(folder: Path, episodes: int) -> Iterator[Figure]:
    """Each continuation makes one live call: what is before it is what is measured."""
    tasks = min(episodes, _TASKS)
    chosen = {"run.tasks": tasks, "run.epochs": episodes // tasks}
    run = _play(folder / "run", _prepared("react", "alfworld", **chosen))
    branchings, recorded = _at_every_step(run)
    one_call = Changes([from_table({"limits.episode_calls": 1}, "a benchmark")])
    started = time.perf_counter()
    fork = _play(folder / "fork", prepare_fork(run, "every step", branchings, one_call))
    took = time.perf_counter() - started
    assert fork.record.fork is not None
    reader = fork.read_journal()
    assert reader is not None
    again = copied = live = faulted = 0
    with closing(reader):
        for row in list(reader.episodes()):
            each = fork.record.fork.by_episode[row.task, row.epoch]
            before = {path for id, path in recorded[EpisodePath(each.of)] if id < each.before}
            for made in reader.records_of(row, nodes=False):
                if isinstance(made.event, CallMade):
                    copied += made.incarnation == COPIED
                    live += made.incarnation != COPIED
                    again += made.incarnation != COPIED and made.event.path.removeprefix(f"{row.path}/") in before
            faulted += row.state == FAULTED_STATE
    of = f"{len(branchings):,} forks, at every step of {len(recorded):,} episodes of ALFWorld"
    yield Figure(f"{of}: live calls before the place", again, "calls", f"{copied:,} copied, {live:,} live")
    yield Figure("of them, with a prompt before the place that differs, or a fault", faulted, "forks")
    yield Figure("a fork with one live call, played", len(branchings) / took, "/s")


def _first_call(folder: Path, name: str, *words: object) -> float:
    """Seconds from the start of a command to its first live call, of the best round."""
    found: list[float] = []
    for number in range(ROUNDS):
        said, out = folder / f"{name} {number}.txt", folder / f"{name} {number}"
        command = [sys.executable, "-c", "import sys; from quintet.cli import main; sys.exit(main())", *map(str, words)]
        hook = f"{Path(__file__).resolve()}:FirstCall"
        started = time.time()
        subprocess.run(
            [*command, "--out", str(out), "--hooks", hook],
            env={**os.environ, _FIRST_CALL: str(said)},
            capture_output=True,
            check=True,
        )
        found.append(float(said.read_text()) - started)
    return min(found)


def _to_first_call(folder: Path) -> Iterator[Figure]:
    """An episode of 200 steps, whose last call is live; beside a run of the same task from its beginning."""
    long = {"run.tasks": ["beehive"], "method.max_steps": _STEPS, "method.patience": _STEPS}
    run = _play(folder / "long", _prepared("react", "textcraft", **long))
    begun = _first_call(folder, "eval", "eval", "react", "textcraft", "--tasks", "beehive")
    forked = _first_call(folder, "fork of long", "fork", run.path, "--at", f"step:{_STEPS - 1}")
    beside = f"{1000 * forked:,.0f} ms, beside {1000 * begun:,.0f} ms of an eval; best of {ROUNDS}"
    name = f"fork at step {_STEPS - 1} of {_STEPS}: to the first live call, beyond an eval's"
    yield Figure(name, 1000 * (forked - begun), "ms", beside)


def figures(episodes: int = _EPISODES) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _every_step(Path(folder), episodes)
        yield from _to_first_call(Path(folder))


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=_EPISODES)
    for figure in figures(parser.parse_args(words).episodes):
        print(figure, flush=True)


if __name__ == "__main__":
    main()
