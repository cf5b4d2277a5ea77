"""Chances of success, and whether one fell from a place to another."""

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from quintet.reports.intervals import Estimate, rate

LEVEL: Final = 0.05
"""A fall is proven if its p-value is at most this."""
FEWEST_TIMES: Final = 3
"""Fewer continuations of each place cannot prove even a fall from 1 to 0."""
MOST_TIMES: Final = 200
"""More are neither proposed nor made."""


class Chance(NamedTuple):
    """How many of the continuations from a place succeeded."""

    solved: int = 0
    n: int = 0

    def __add__(self, other: object) -> "Chance":
        """Of both together."""
        assert isinstance(other, Chance)
        return Chance(self.solved + other.solved, self.n + other.n)

    @property
    def share(self) -> float:
        """In [0, 1]; 0 without a continuation."""
        return self.solved / self.n if self.n else 0.0

    @property
    def estimate(self) -> Estimate | None:
        """The share with Wilson's interval; None without a continuation."""
        return rate([1.0] * self.solved + [0.0] * (self.n - self.solved)) if self.n else None


def fall_test(before: Chance, after: Chance) -> float:
    """Whether the chance fell: the p-value of Fisher's exact test, one-sided.

    Returns:
        The chance that, of as many successes in all, so many or more are before, if both chances are the same; in
        (0, 1].

    Source: Fisher, The Design of Experiments (1935), section 21.
    """
    solved = before.solved + after.solved
    most = min(before.n, solved)
    ways = sum(comb(before.n, each) * comb(after.n, solved - each) for each in range(before.solved, most + 1))
    return ways / comb(before.n + after.n, solved)


def fell(before: Chance, after: Chance) -> bool:
    """Whether a fall is proven."""
    return fall_test(before, after) <= LEVEL


@lru_cache(maxsize=4096)
def enough(before: float, after: float, beyond: int = 1) -> int | None:
    """The fewest continuations of each place, more than `beyond`, that prove a fall if they succeed by these shares.

    None: more than 200.
    """
    for times in range(beyond + 1, MOST_TIMES + 1):
        if fell(Chance(round(before * times), times), Chance(round(after * times), times)):
            return times
    return None


def least_fall(times: int) -> float:
    """The smallest fall from a chance of 1 that so many continuations of each place, at least three, can prove."""
    after = next(after for after in range(times, -1, -1) if fell(Chance(times, times), Chance(after, times)))
    return 1 - after / times
