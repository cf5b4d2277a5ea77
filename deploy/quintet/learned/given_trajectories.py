"""The trajectories that a run is given to form a memory from: those of files, then those of earlier runs."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from quintet.errors import UsageError
from quintet.learned.earlier_runs import read_earlier_run
from quintet.memory.trajectories import TaskTrajectory, read_trajectory_file
from quintet.messages.memory import Trajectory


class GatheredTrajectories(NamedTuple):
    """Trajectories to learn from."""

    trajectories: tuple[Trajectory, ...]
    left_out: Mapping[str, int]
    """How many others there were, by why. Of earlier runs: see `EarlierEpisodes`. `repeated`: the same goal and steps
    as one before. `measured`: of a task that the run is measured by."""


def count_words(number: int, left_out: Mapping[str, int]) -> str:
    """`12 trajectories; left out: 3 unsuccessful`."""
    others = ", ".join(f"{count} {why}" for why, count in sorted(left_out.items()))
    return f"{number} trajectories" + (f"; left out: {others}" if others else "")


def gather_trajectories(
    files: Sequence[Path], runs: Sequence[Path], *, world: str, measured: Collection[str] = ()
) -> GatheredTrajectories:
    """Read trajectories in the order in which files and runs are named.

    Args:
        files: see `quintet.memory.trajectories`.
        runs: folders; see `read_earlier_run`.
        world: the run's.
        measured: names of the tasks that the run is measured by, or chooses a version by. A memory that has their
            solutions would prove nothing, so they are left out where a trajectory names its task.

    Raises:
        UsageError: a file or a run cannot be read or is of another world, or nothing is left.
    """
    left_out: Counter[str] = Counter()
    found: dict[tuple[object, ...], Trajectory] = {}
    for trajectory, task in _read(files, runs, world, left_out):
        key = (trajectory.goal, trajectory.steps)
        if task in measured:
            left_out["measured"] += 1
        elif key in found:
            left_out["repeated"] += 1
        else:
            found[key] = trajectory
    if not found:
        places = ", ".join(map(str, (*files, *runs)))
        raise UsageError(f"trajectories: expected at least one, got {count_words(0, left_out)} ({places})")
    return GatheredTrajectories(tuple(found.values()), left_out)


def _read(files: Sequence[Path], runs: Sequence[Path], world: str, left_out: Counter[str]) -> Iterator[TaskTrajectory]:
    for file in files:
        yield from read_trajectory_file(file, world)
    for run in runs:
        episodes = read_earlier_run(run, world)
        left_out.update(episodes.left_out)
        yield from episodes.successes
