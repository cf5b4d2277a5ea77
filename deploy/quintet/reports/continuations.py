"""What a fork came to: the recorded episodes, and how their continuations went."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate, rate
from quintet.reports.text_tables import NONE, TextTable, cut, percent, plural, share
from quintet.runs.fork_record import Continued, ForkRecord

_LISTED: Final = 40
"""Recorded episodes in a table; the JSON has all."""
_LONGEST: Final = 60
"""Characters of a change."""


class RecordedPlace(NamedTuple):
    """A place in a recorded episode, and how those episodes went that go on from there."""

    recorded: Continued
    """One of them, which says what was recorded."""
    planned: int
    """How many there are to be."""
    rewards: Sequence[float]
    """Of those with a result."""

    @property
    def solved(self) -> int:
        """How many earned the full reward."""
        return sum(reward >= 1 for reward in self.rewards)

    @property
    def mean(self) -> Estimate | None:
        """The mean reward; None if none has a result."""
        return rate(self.rewards) if self.rewards else None


def recorded_places(results: RunResults, fork: ForkRecord) -> list[RecordedPlace]:
    """The places that a fork's episodes go on from, in its order."""
    tasks = {task.task.name: task for task in results.tasks}
    found: dict[tuple[str, int], list[Continued]] = {}
    for each in fork.episodes:
        found.setdefault((each.of, each.before), []).append(each)
    return [
        RecordedPlace(
            every[0],
            len(every),
            [rewards[each.epoch] for each in every if each.epoch in (rewards := tasks[each.task].rewards)],
        )
        for every in found.values()
    ]


def origin_line(fork: ForkRecord) -> str:
    """Which run a fork goes on from, where, and what it changed."""
    draws = "other draws" if any(each.draw for each in fork.episodes) else ""
    changes = ", ".join(filter(None, (*(cut(each, _LONGEST) for each in fork.changes), draws)))
    return f"goes on from {fork.run} at {fork.at}: {changes or 'nothing changed'}"


def fork_tables(runs: Sequence[tuple[str, RunResults]]) -> Iterator[TextTable]:
    """Of each fork, how the recorded episodes and their continuations went."""
    for label, results in runs:
        fork = results.folder.record.fork
        if fork is None:
            continue
        places = recorded_places(results, fork)
        rows = [_row(each) for each in places[:_LISTED]]
        columns = ("recorded episode", "live from", "recorded", "continuations", "solved", "mean reward x 100")
        of = f", {label}" * (len(runs) > 1)
        more = f", the first {_LISTED} of {len(places)} (--json has all)" * (len(places) > _LISTED)
        yield TextTable(f"Continuations of recorded episodes (95 % interval){of}{more}", columns, (_all(places), *rows))


def _row(place: RecordedPlace) -> tuple[str, ...]:
    recorded, ended = place.recorded, len(place.rewards)
    outcome = recorded.state if recorded.state in ("faulted", "interrupted", "unfinished") else share(recorded.reward)
    number = str(ended) if ended == place.planned else f"{ended} of {place.planned}"
    return recorded.of, recorded.at or "start", outcome, number, str(place.solved), percent(place.mean)


def _all(places: Sequence[RecordedPlace]) -> tuple[str, ...]:
    """All together; the means over the recorded episodes, whose continuations are not independent of each other."""
    ended = sum(len(each.rewards) for each in places)
    means = [fmean(each.rewards) for each in places if each.rewards]
    recorded = [each.recorded.reward for each in places]
    solved = str(sum(each.solved for each in places))
    mean = percent(rate(means)) if means else NONE
    return plural(len(places), "place"), NONE, percent(rate(recorded)), str(ended), solved, mean
