"""Confidence intervals of a success rate, of the paired difference between two, and of a mean cost."""

from collections.abc import Sequence
from importlib.util import find_spec
from math import comb, sqrt
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


def difference(pairs: Sequence[Sequence[tuple[bool, bool]]]) -> Estimate:
    """The mean of our success minus theirs, with Newcombe's interval for paired proportions.

    Unlike a t-interval it stays honest where both arms agree on every task, as a few tasks easily do.

    Args:
        pairs: by task, at least one: whether we succeeded in an episode, and whether they did in the same epoch. A task
            counts once, and its cells are the shares of its pairs. As for `rate`, the interval is still that of as many
            tasks with one pair each.

    Source: Newcombe, Statistics in Medicine 17 (1998) 2635-2650, method 10.

    Raises:
        ValueError: no task, or one without a pair.
    """
    if not all(pairs):
        raise ValueError("difference: expected at least one pair of each task, got a task without")
    p = rate([fmean(ours for ours, _ in found) for found in pairs])
    q = rate([fmean(theirs for _, theirs in found) for found in pairs])
    n = len(pairs)
    both = sum(fmean(ours and theirs for ours, theirs in found) for found in pairs)
    only_ours, only_theirs = n * p.value - both, n * q.value - both
    neither = n - both - only_ours - only_theirs
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


def chance_of_all(succeeded: int, trials: int, k: int) -> float:
    """An unbiased estimate of the chance that k trials of a task all succeed: the share of the choices of k that did.

    Source: pass^k of Yao et al. (2024), tau-bench, section 5.

    Raises:
        ValueError: k is not within 1 and the number of trials.
    """
    if not 1 <= k <= trials:
        raise ValueError(f"k: expected within 1 and {trials}, got {k}")
    return comb(succeeded, k) / comb(trials, k)


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
