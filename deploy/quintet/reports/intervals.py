"""Confidence intervals of a success rate, of the paired difference between two, and of a mean cost."""

from collections.abc import Sequence
from importlib.util import find_spec
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

_Z = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A fraction or a difference of two, with its 95 % interval."""

    value: float
    low: float
    high: float
    stepless: bool = False
    """Whether no episode that it is about took a step: then it says nothing of what a method does."""


def rate(shares: Sequence[float]) -> Estimate:
    """The mean of the tasks' success, with Wilson's score interval; or of their rewards, or of another figure.

    Args:
        shares: by task, the share of its epochs that succeeded, in [0, 1]; with one epoch, 0 or 1. With several, or of
            figures in between, the interval is still that of as many tasks with 0 or 1 each, whose variance is the
            greatest that a mean can have: it is wider than necessary, never narrower.

    Raises:
        ValueError: no task.
    """
    if not shares:
        raise ValueError("rate: expected at least one task, got none")
    return _wilson(fmean(shares), len(shares))


def _wilson(p: float, n: int) -> Estimate:
    middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
    return Estimate(p, min(p, max(0.0, middle - half)), max(p, min(1.0, middle + half)))


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """The mean of `ours` minus that of `theirs`, with Newcombe's interval for paired proportions.

    Unlike a t-interval it stays honest where both arms agree on every task, as a few tasks easily do.

    Args:
        ours: by task, as for `rate`.
        theirs: of the same tasks in the same order.

    Source: Newcombe, Statistics in Medicine 17 (1998) 2635-2650, method 10.

    Raises:
        ValueError: no task, or not the same number.
    """
    p, q, n = rate(ours), rate(theirs), len(ours)
    both, only_ours, only_theirs, neither = (
        sum(one * other for one, other in zip(left, right, strict=True))
        for left, right in (
            (ours, theirs),
            (ours, [1 - share for share in theirs]),
            ([1 - share for share in ours], theirs),
            ([1 - share for share in ours], [1 - share for share in theirs]),
        )
    )
    margins = (both + only_ours) * (only_theirs + neither) * (both + only_theirs) * (only_ours + neither)
    cross = both * neither - only_ours * only_theirs
    if cross > 0:
        cross = max(cross - n / 2, 0.0)
    phi = cross / sqrt(margins) if margins > 0 else 0.0
    value = p.value - q.value
    below = _join(p.value - p.low, q.high - q.value, phi)
    above = _join(p.high - p.value, q.value - q.low, phi)
    return Estimate(value, value - below, value + above)


def _join(one: float, other: float, phi: float) -> float:
    return sqrt(max(0.0, one**2 - 2 * phi * one * other + other**2))


class Mean(NamedTuple):
    """A mean, with its 95 % interval; None if there is none."""

    value: float
    interval: tuple[float, float] | None


def mean(values: Sequence[float]) -> Mean:
    """The mean over tasks, with Student's t-interval.

    Args:
        values: one for each task. Epochs of a task are not independent of each other, so they are its mean.

    Returns:
        No interval for a single task, or without scipy.

    Raises:
        ValueError: no task.
    """
    if not values:
        raise ValueError("mean: expected at least one task, got none")
    middle, n = fmean(values), len(values)
    if n < 2 or find_spec("scipy") is None:
        return Mean(middle, None)
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, 0.975)) * stdev(values) / sqrt(n)
    return Mean(middle, (max(0.0, middle - half), middle + half))
