"""A run's answered calls over time: how many were in flight, and what they used, in spans of one length."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from quintet.journal.cells import Count, is_live
from quintet.journal.charges import SpentRow, spent_query
from quintet.journal.codes import EPISODE_BITS
from quintet.quota.cost import NOTHING, Cost, total
from quintet.quota.prices import Price

_TIMED: Final = f"""(
    SELECT episode.began + call.at - max(call.seconds, 0) / 1000.0 AS start, episode.began + call.at AS finish,
        settings.model AS model, call.prompt_tokens AS prompt_tokens, call.cached_tokens AS cached_tokens,
        call.completion_tokens AS completion_tokens
    FROM _calls AS call JOIN _episodes AS episode ON episode.id = call.id >> {EPISODE_BITS}
    LEFT JOIN _settings AS settings ON settings.id = call.settings
    WHERE {is_live("call.start")}
)"""
"""Every call, with its time in milliseconds since the Unix epoch."""
EXTENT: Final = f"SELECT min(start), max(finish) FROM {_TIMED} HAVING count(*) > 0"


class ExtentRow(NamedTuple):
    """When the first call began and the last one ended, in milliseconds since the Unix epoch."""

    start: float
    finish: float

    def __or__(self, other: "ExtentRow") -> "ExtentRow":
        """The extent of the calls of both."""
        return ExtentRow(min(self.start, other.start), max(self.finish, other.finish))


class BusyRow(NamedTuple):
    """The calls that began in one span and ended in one span, their times added up."""

    first: Count
    last: Count
    calls: Count
    starts: float
    finishes: float


class Timeline(NamedTuple):
    """A run's answered calls in spans of one length, from the first call's start to the last one's end."""

    start: float
    """Seconds since the Unix epoch."""
    seconds: float
    """Of a span."""
    in_flight: tuple[float, ...]
    """How many calls were in flight, on average over each span."""
    spent: tuple[Cost, ...]
    """By the calls that ended in each span."""

    def __or__(self, other: "Timeline") -> "Timeline":
        """The calls of both, in the same spans."""
        return self._replace(
            in_flight=tuple(map(sum, zip(self.in_flight, other.in_flight, strict=True))),
            spent=tuple(map(total, zip(self.spent, other.spent, strict=True))),
        )


class Spans:
    """Divides the time of a run's calls into spans."""

    def __init__(self, extent: ExtentRow, number: int) -> None:
        self._start = extent.start
        self._number = number
        self._width = max(extent.finish - extent.start, 1.0) / number

    @property
    def busy(self) -> str:
        """A query for rows of `BusyRow`; their times count from the first call."""
        first, last = (self._place(f"used.{time}") for time in ("start", "finish"))
        times = ", ".join(f"sum(used.{time} - {self._start!r})" for time in ("start", "finish"))
        return f"SELECT {first}, {last}, count(*), {times} FROM {_TIMED} AS used GROUP BY 1, 2"

    def spent(self, prices: Mapping[str, Price]) -> tuple[str, list[str | int]]:
        """A query for rows of `SpentRow`, and its values; their groups are spans."""
        return spent_query(self._place("used.finish"), _TIMED, prices)

    def timeline(self, busy: Iterable[BusyRow], spent: Iterable[SpentRow]) -> Timeline:
        """What the rows of both queries come to."""
        milliseconds = [0.0] * self._number
        for row in busy:
            if row.first == row.last:
                milliseconds[row.first] += row.finishes - row.starts
                continue
            milliseconds[row.first] += row.calls * (row.first + 1) * self._width - row.starts
            milliseconds[row.last] += row.finishes - row.calls * row.last * self._width
            for between in range(row.first + 1, row.last):
                milliseconds[between] += row.calls * self._width
        costs = {row.group: row.cost if not row.unpriced else row.cost + _UNPRICED for row in spent}
        return Timeline(
            start=self._start / 1000,
            seconds=self._width / 1000,
            in_flight=tuple(max(each, 0.0) / self._width for each in milliseconds),
            spent=tuple(costs.get(place, NOTHING) for place in range(self._number)),
        )

    def _place(self, time: str) -> str:
        return f"min(CAST(({time} - {self._start!r}) / {self._width!r} AS INTEGER), {self._number - 1})"


_UNPRICED: Final = Cost(nanodollars=None)
