"""Prepares a fork as a person asks for it: chooses the recorded episodes, the place in each, and the draws."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quintet.control.operator import match_episode
from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import UsageError
from quintet.forks.fork import Branching, Changes, branch, prepare_fork
from quintet.forks.places import NoSuchPlace, RecordedEpisode
from quintet.journal.connection import raise_damage
from quintet.journal.episode_rows import EpisodeRow
from quintet.launch.prepare import Prepared
from quintet.messages.paths import RESERVED, Path
from quintet.ports.world import World
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.ends import newest_at_tasks
from quintet.runs.fork_record import MOST_DRAWS
from quintet.runs.run_folder import ReadJournals, RunFolder


class PreparedFork(NamedTuple):
    """A fork that can start."""

    run: Prepared
    left_out: int
    """How many recorded episodes have no such place."""
    times: int
    """How many continuations each recorded episode has."""

    @property
    def notes(self) -> list[str]:
        """What a person should know before it starts."""
        found: list[str] = []
        if self.left_out:
            found.append(f"left out, since they have no such place: {self.left_out} of the recorded episodes")
        sampling = (method.sampling.get(EXECUTOR_ROLE.name) for method in self.run.spec.methods)
        if self.times > 1 and any(each is not None and each.temperature == 0 for each in sampling):
            found.append("the executor's temperature is 0, so the continuations of an episode may be the same")
        return found


def begin_fork(
    run: RunFolder,
    at: str,
    changes: Changes,
    *,
    episode: str | None = None,
    where: str = "",
    times: int | None = None,
    objects: Sequence[object] = (),
) -> PreparedFork:
    """Prepare a fork of one recorded episode, or of all that meet a condition.

    Args:
        run: the recorded run.
        at: the place; see `RecordedEpisode.find`.
        episode: the path of one, or a prefix that no other shares; None: all with a result that meet `where`.
        where: see `choose_episodes`.
        times: continuations of each recorded episode, with other draws; None: one, with the recorded seeds.
        objects: those that the recorded run was given from Python.

    Raises:
        UsageError: there is nothing to go on from, the world cannot be brought there, or as `prepare_fork`.
    """
    if episode is not None and where:
        raise UsageError(f"--where: expected no EPISODE beside it, got {episode!r}")
    if times is not None and not 1 <= times <= MOST_DRAWS:
        raise UsageError(f"--times: expected 1 to {MOST_DRAWS:,}, got {times}")
    chosen = None if episode is not None else choose_episodes(run, where)
    branchings: list[Branching] = []
    lacking: NoSuchPlace | None = None
    left_out = 0
    with run.read_journals() as opened:
        for recorded in _recorded(run, opened, chosen, episode):
            try:
                branchings.append(branch(recorded, at, changes))
            except NoSuchPlace as error:
                left_out, lacking = left_out + 1, lacking or error
        raise_damage([*opened.unread, *(each for _, reader in opened.journals for each in reader.damage)])
    if not branchings and lacking is not None:
        others = f"; nor has any of {left_out - 1} others such a place" if left_out > 1 else ""
        raise UsageError(f"{lacking}{others} ({run.path})")
    draws = (0,) if times is None else range(1, times + 1)
    prepared = prepare_fork(run, at, branchings, changes, draws, objects)
    refuse_without_way_there(prepared)
    return PreparedFork(prepared, left_out, len(draws))


def _recorded(
    run: RunFolder, opened: ReadJournals, chosen: Sequence[EpisodeRow] | None, episode: str | None
) -> Iterator[RecordedEpisode]:
    """The recorded episodes, in the order of the run, each of which reads the journal that has it."""
    readers = [reader for _, reader in opened.journals]
    if chosen is None:
        assert episode is not None
        rows = [row for reader in readers for row in reader.episodes() if row.task not in RESERVED]
        if not rows:
            raise UsageError(f"episode: expected a run that has begun, got one that has not ({run.path})")
        wanted = Path(episode.strip("/"))
        known = {row.path: row for row in rows}
        newest = (row.path for row in newest_at_tasks(rows).values())
        chosen = [known[wanted if wanted in known else match_episode(newest, episode)]]
    by_part = {part.path: reader for part, reader in opened.journals}
    for row in chosen:
        yield RecordedEpisode(by_part[run.part_with(row.path).path], row)


def refuse_without_way_there(prepared: Prepared) -> None:
    """Refuse a world that neither repeats nor can be reset: the recorded steps would lead elsewhere."""
    world = prepared.spec.world
    if not world.repeats and not overrides(beneath(world), World, "reset"):
        expected = "expected a world that answers the same actions alike, or can be reset to its beginning"
        raise UsageError(f"fork: {expected}, got {world.name}, which keeps what is done to it")
