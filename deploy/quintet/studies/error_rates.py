"""The measurements of the study `errors`: a method at an error rate."""

from collections.abc import Mapping
from statistics import fmean
from typing import Any, NamedTuple

from quintet.reports.intervals import Estimate
from quintet.reports.load import Reported

METHODS: Mapping[str, Mapping[str, Any]] = {
    "react": {"method.name": "react"},
    "adapt": {"method.name": "adapt"},
    "adapt-nothing": {"method.name": "adapt", "method.hand_on": "nothing"},
}
"""By label. `adapt` hands on what its defaults say for the world."""

RATES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)


class Point(NamedTuple):
    """How a method fares at an error rate."""

    success: Estimate
    tasks: int
    """Of how many the success is; faulted and unfinished ones are not counted."""
    calls: float
    """Per episode, mean."""


def arm_name(method: str, rate: float) -> str:
    """What the arm is called: `react-0.1`."""
    return f"{method}-{rate:g}"


def points(arms: Mapping[str, Reported], method: str) -> dict[float, Point]:
    """The points of a method by error rate, of the arms in which an episode ended."""
    found = {rate: _point(arms.get(arm_name(method, rate))) for rate in RATES}
    return {rate: point for rate, point in found.items() if point is not None}


def _point(arm: Reported | None) -> Point | None:
    if arm is None or arm.summary.overall.success is None:
        return None
    calls = fmean(row.spent.calls for row in arm.results.rows if row.ended)
    return Point(arm.summary.overall.success, arm.summary.overall.tasks, calls)
