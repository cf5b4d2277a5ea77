"""The small pictures of a run's page: what it spent over time, and how many calls were in flight."""

from functools import lru_cache, reduce
from pathlib import Path
from typing import Final

from msgspec import Struct

from quintet.journal.timeline import ExtentRow, Spans, Timeline
from quintet.runs.run_folder import RunFolder
from quintet.view.folder import FileTimes, ViewedFolder, file_times
from quintet.view.runs import RunRequest

_SPANS: Final = 60
_KEPT = 4
"""Runs."""


class TimelineView(Struct, frozen=True):
    """A run's answered calls in spans of one length; of a run without any, no spans."""

    start: float
    """Seconds since the Unix epoch."""
    seconds: float
    """Of a span."""
    in_flight: tuple[float, ...]
    """How many calls were in flight, on average over each span."""
    tokens: tuple[int, ...]
    """Of the calls that ended in each span."""
    usd: tuple[float, ...] | None
    """The same; None: a model has no price."""


_NO_CALLS: Final = TimelineView(0.0, 0.0, (), (), None)


def view_timeline(viewed: ViewedFolder, request: RunRequest) -> TimelineView:
    """A run's calls over time."""
    folder = viewed.open_run(request.run)
    return _read_timeline(folder.path, file_times(folder.path))


@lru_cache(maxsize=_KEPT)
def _read_timeline(path: Path, _times: FileTimes) -> TimelineView:
    with RunFolder.open_to_read(path).read_journals() as (journals, _):
        extents = [extent for _, reader in journals if (extent := reader.extent()) is not None]
        if not extents:
            return _NO_CALLS
        spans = Spans(reduce(ExtentRow.__or__, extents), _SPANS)
        found = reduce(Timeline.__or__, [reader.timeline(spans, part.prices) for part, reader in journals])
    usd = [cost.usd for cost in found.spent]
    return TimelineView(
        start=found.start,
        seconds=found.seconds,
        in_flight=found.in_flight,
        tokens=tuple(cost.tokens for cost in found.spent),
        usd=None if None in usd else tuple(each or 0.0 for each in usd),
    )
