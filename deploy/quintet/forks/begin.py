"""Prepares a fork as a person asks for it: chooses the recorded episodes, the place in each, and the draws."""

from collections.abc import Sequence
from typing import NamedTuple

from quintet.errors import UsageError
from quintet.forks.fork import Branching, Changes, branch, prepare_fork
from quintet.forks.places import NoSuchPlace, recorded_episodes
from quintet.launch.prepare import Prepared
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.chosen_episodes import choose_episode, choose_episodes
from quintet.runs.fork_record import MOST_DRAWS
from quintet.runs.run_folder import RunFolder


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
    chosen = choose_episodes(run, where) if episode is None else [choose_episode(run, episode)]
    branchings: list[Branching] = []
    lacking: NoSuchPlace | None = None
    left_out = 0
    with recorded_episodes(run, (row.path for row in chosen)) as found:
        for recorded in found:
            try:
                branchings.append(branch(recorded, at, changes))
            except NoSuchPlace as error:
                left_out, lacking = left_out + 1, lacking or error
    if not branchings and lacking is not None:
        others = f"; nor has any of {left_out - 1} others such a place" if left_out > 1 else ""
        raise UsageError(f"{lacking}{others} ({run.path})")
    draws = (0,) if times is None else range(1, times + 1)
    prepared = prepare_fork(run, at, branchings, changes, draws, objects)
    return PreparedFork(prepared, left_out, len(draws))
