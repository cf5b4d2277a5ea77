"""What continuations came to, by the recorded episode and the place that they went on from."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from quintet.blame.chances import Chance
from quintet.blame.search import StepSearch, search_step
from quintet.journal.codes import INTERRUPTED_STATE
from quintet.quota.cost import NOTHING, Cost, total
from quintet.reports.rows import by_phase
from quintet.runs.blame_record import BlamedEpisode, BlameRecord
from quintet.runs.ends import newest_at_tasks
from quintet.runs.fork_record import ForkRecord
from quintet.runs.run_folder import RunFolder

FRESH: Final = "fresh"
"""The arm of the last stage: its continuations measure again what the search found, and are no part of the search."""


@dataclass
class Outcomes:
    """What the continuations of one recorded episode came to."""

    about: BlamedEpisode
    searched: dict[int, Chance] = field(default_factory=dict[int, Chance])
    """By place: 0 is the start, N is behind step N."""
    fresh: dict[int, Chance] = field(default_factory=dict[int, Chance])
    """Of the last stage."""
    continuations: int = 0
    """All that began."""
    faulted: int = 0
    """Those that ended by a fault, and say nothing of a chance."""
    cost: Cost = NOTHING
    """Of live calls."""

    def at(self, place: int) -> Chance | None:
        """The chance at a place, of the last stage where that has it; None: it was not measured."""
        return self.fresh.get(place, self.searched.get(place))

    def search(self, *, every_step: bool) -> StepSearch:
        """How far the search came."""
        return search_step(self.about.steps, self.searched, every_step=every_step)


def read_outcomes(about: BlameRecord, stages: Iterable[RunFolder]) -> dict[str, Outcomes]:
    """By the path of each recorded episode, what some stages came to."""
    found = {each.path: Outcomes(each) for each in about.episodes}
    for stage in stages:
        add_stage(found, stage)
    return found


def add_stage(found: dict[str, Outcomes], stage: RunFolder) -> bool:
    """Add what a stage came to: the chances once all of it has ended, so that no choice is made by a part of them.

    Returns:
        Whether it has.
    """
    fork, reader = stage.record.fork, stage.read_journal()
    if fork is None or reader is None:
        return False
    with closing(reader), reader.snapshot():
        with_result, solved = (reader.episodes_where(each) for each in ("success IS NOT NULL", "success = 1"))
        newest = newest_at_tasks(reader.episodes())
        for row, used in reader.attempts():
            of = fork.by_episode.get((row.task, row.epoch))
            if of is not None:
                found[of.of].cost += total(by_phase(used, stage.prices).values())
                found[of.of].continuations += row.attempt == 0
    ended = {key for key, row in newest.items() if row.state not in (None, INTERRUPTED_STATE)}
    if not ended >= fork.by_episode.keys():
        return False
    results = {key: (newest[key].number in solved, newest[key].number in with_result) for key in fork.by_episode}
    _add_chances(found, fork, results, fresh=stage.path.name == FRESH)
    return True


def _add_chances(
    found: dict[str, Outcomes], fork: ForkRecord, results: dict[tuple[str, int], tuple[bool, bool]], *, fresh: bool
) -> None:
    numbers = {path: {before: at for at, before in enumerate(each.about.places)} for path, each in found.items()}
    for key, continued in fork.by_episode.items():
        outcomes, place = found[continued.of], numbers[continued.of][continued.before]
        is_solved, is_result = results[key]
        chances = outcomes.fresh if fresh else outcomes.searched
        chances[place] = chances.get(place, Chance()) + Chance(int(is_solved), int(is_result))
        outcomes.faulted += not is_result
