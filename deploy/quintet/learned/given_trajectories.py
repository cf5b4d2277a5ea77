"""The trajectories that a run is given to learn from: those of files, then the successes of earlier runs."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from quintet.config import plugins
from quintet.errors import UsageError
from quintet.journal.codes import STATES
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.session_steps import answer_steps
from quintet.memory.trajectories import read_trajectory_file
from quintet.messages.memory import ObservedAction, Trajectory
from quintet.ports.world import TASK_TYPE, World
from quintet.runs.ends import newest_at_tasks
from quintet.runs.folder import read_record
from quintet.runs.record import RUN_RECORD, RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runtime.spec import seeded_task
from quintet.trust.refusal import refuse_untrusted_environment


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

    A memory that has the solutions of tasks that the run is measured by, or chooses a version by, would prove nothing:
    they are left out where a trajectory names its task.

    Raises:
        UsageError: a file or a run cannot be read or is of another world, or nothing is left.
    """
    left_out: Counter[str] = Counter()
    found: dict[tuple[object, ...], Trajectory] = {}
    for trajectory in _read(files, runs, world, left_out):
        key = (trajectory.goal, trajectory.steps)
        if trajectory.task in measured:
            left_out["measured"] += 1
        elif key in found:
            left_out["repeated"] += 1
        else:
            found[key] = trajectory
    if not found:
        places = ", ".join(map(str, (*files, *runs)))
        raise UsageError(f"trajectories: expected at least one, got {count_words(0, left_out)} ({places})")
    return GatheredTrajectories(tuple(found.values()), left_out)


def _read(files: Sequence[Path], runs: Sequence[Path], world: str, left_out: Counter[str]) -> Iterator[Trajectory]:
    for file in files:
        yield from read_trajectory_file(file, world)
    for run in runs:
        episodes = read_earlier_run(run, world)
        left_out.update(episodes.left_out)
        yield from episodes.successes


class EarlierEpisodes(NamedTuple):
    """The episodes of a run."""

    successes: tuple[Trajectory, ...]
    """In the order of the record's tasks, those to learn from first; of a run over several drivers, shard by shard."""
    left_out: Counter[str]
    """How many others there are, by why: `unsuccessful`, `faulted`, `unfinished`, `without an action`."""


def read_earlier_run(folder: Path, world: str) -> EarlierEpisodes:
    """Read the successful episodes of a run, also of one that is not finished or that learns.

    Of several attempts at an episode the newest counts. A trajectory has the steps in the session that the episode
    ended in, without rejected ones; its source is the run folder and the episode, as `quintet show` takes them.

    Raises:
        UsageError: there is no run, it has no journal or a damaged one, or it was in another world or in another
            version of it.
    """
    record = read_record(folder / RUN_RECORD, RunRecord)
    if record.sharded:
        shards = [read_earlier_run(part.path, world) for part in RunFolder.open_to_read(folder).parts]
        together = tuple(each for shard in shards for each in shard.successes)
        return EarlierEpisodes(together, sum((shard.left_out for shard in shards), Counter[str]()))
    own = _world_of(record, world, folder)
    if not (folder / JOURNAL_FILE).exists():
        raise UsageError(f"earlier run: expected a journal, got none ({folder / JOURNAL_FILE})")
    successes: list[Trajectory] = []
    left_out: Counter[str] = Counter()
    with closing(JournalReader.open(folder / JOURNAL_FILE)) as reader:
        for row in _newest(reader, record):
            if why := _unfit(row):
                left_out[why] += 1
                continue
            found = _trajectory(reader, row, own, record, folder)
            if found.steps:
                successes.append(found)
            else:
                left_out["without an action"] += 1
        if reader.damage:
            raise UsageError(f"earlier run: {reader.damage[0]}")
    return EarlierEpisodes(tuple(successes), left_out)


def _world_of(record: RunRecord, world: str, folder: Path) -> World:
    section = record.configuration.environment
    if section.name != world:
        raise UsageError(f"earlier run: expected one in {world}, got one in {section.name} ({folder})")
    refuse_untrusted_environment(record, folder)
    own = plugins.make_world(section)
    if own.version != record.world_version:
        got = f"got one in version {record.world_version}"
        raise UsageError(f"earlier run: expected one in {world} of version {own.version}, {got} ({folder})")
    return own


def _newest(reader: JournalReader, record: RunRecord) -> list[EpisodeRow]:
    """The newest attempt at each episode; the learner is none."""
    names = [task.name for task in (*record.training, *record.held_out, *record.tasks)]
    place = {name: number for number, name in enumerate(names)}
    newest = [row for row in newest_at_tasks(reader.episodes()).values() if row.task in place]
    return sorted(newest, key=lambda row: (place[row.task], row.epoch))


def _unfit(row: EpisodeRow) -> str:
    """Why an episode is left out; empty if it is not."""
    if row.state is None or STATES[row.state] == "interrupted":
        return "unfinished"
    if STATES[row.state] == "faulted":
        return "faulted"
    return "" if (row.reward or 0) >= 1 else "unsuccessful"


def _trajectory(reader: JournalReader, row: EpisodeRow, world: World, record: RunRecord, folder: Path) -> Trajectory:
    epoch = record.world_of(row.task, row.epoch)
    opening = world.open(seeded_task(record.configuration.run.seed, row.task, epoch)).opening
    taken = [step for step in answer_steps(reader.records_of(row)) if not step.rejected]
    seen = [opening.setting, *(step.observation for step in taken)][: len(taken)]
    return Trajectory(
        goal=opening.goal,
        steps=tuple(
            ObservedAction(observation=before, action=step.action) for before, step in zip(seen, taken, strict=True)
        ),
        reward=row.reward or 0,
        source=f"{folder} {row.path}",
        task=row.task,
        task_type=world.metadata(row.task).get(TASK_TYPE, ""),
    )
