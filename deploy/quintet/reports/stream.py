"""Success along a stream of tasks: by blocks of it, and up to each of its places."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TypeAlias

from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate
from quintet.reports.learning.report import LearningReport
from quintet.reports.rows import TaskResult
from quintet.reports.summary import rate_of, shares
from quintet.reports.text_tables import TextTable, percent

_MOST_BLOCKS = 8
_SMALLEST_BLOCK = 4
"""Of tasks; fewer say nothing."""
_MOST_POINTS = 100
"""Of a curve."""

Streams: TypeAlias = Sequence[Sequence[TaskResult]]
"""Runs of one arm along their streams: the tasks of each in its order. One run, or one for each order."""


def streams(runs: Sequence[RunResults]) -> Streams:
    """The streams of runs; a run whose tasks are none is left out."""
    return [run.tasks for run in runs if run.folder.record.configuration.run.stream]


def success_at(found: Streams, places: range) -> Estimate | None:
    """Success at some places of streams, from 0; a task that several have there counts once. None: none has ended."""
    tasks = [task for stream in found for task in stream[places.start : places.stop]]
    return rate_of(shares(tasks), tasks)


def blocks(tasks: int) -> Iterator[range]:
    """Blocks of places for the columns of a table, all of one size but the last."""
    size = max(_SMALLEST_BLOCK, ceil(tasks / _MOST_BLOCKS))
    yield from (range(first, min(first + size, tasks)) for first in range(0, tasks, size))


def cumulative(found: Streams) -> dict[int, Estimate]:
    """By number of tasks, success up to there, as far as tasks have ended."""
    ended = [place for stream in found for place, task in enumerate(stream, 1) if task.ended]
    last = max(ended, default=0)
    counts = sorted({*range(last, 0, -max(1, ceil(last / _MOST_POINTS)))})
    return {count: success for count in counts if (success := success_at(found, range(count))) is not None}


def stream_tables(arms: Mapping[str, Streams]) -> list[TextTable]:
    """Success by blocks of the stream, and up to the end of each; none if no arm has a stream."""
    found = {label: each for label, each in arms.items() if each}
    if not found:
        return []
    shown = list(blocks(max(len(stream) for each in found.values() for stream in each)))
    several = any(len(each) > 1 for each in found.values())
    rows: list[tuple[str, ...]] = []
    for label, each in found.items():
        orders = [str(len(each))] * several
        rows.append((label, *orders, *(_cell(each, places) for places in shown)))
        rows.append((f"{label}, so far", *orders, *(_cell(each, range(places.stop)) for places in shown)))
    headings = ("", *["orders"] * several, *(_heading(places) for places in shown))
    return [TextTable("Success along the stream, in percent (95 % interval)", headings, tuple(rows))]


def _heading(places: range) -> str:
    return f"task {places.stop}" if len(places) == 1 else f"tasks {places.start + 1}-{places.stop}"


def _cell(found: Streams, places: range) -> str:
    """Success, with the number of places where that of others has ended."""
    success = success_at(found, places)
    ended = sum(task.ended > 0 for stream in found for task in stream[places.start : places.stop])
    wanted = sum(len(stream[places.start : places.stop]) for stream in found)
    return percent(success) if ended == wanted or success is None else f"{percent(success)} of {ended}"


def stale_tasks(learning: LearningReport) -> float:
    """Of how many tasks before it a task lacked the lessons, in the mean: those beside it in its window."""
    sizes = [len(iteration.batch) for iteration in learning.iterations]
    return sum(size * (size - 1) / 2 for size in sizes) / max(1, sum(sizes))
