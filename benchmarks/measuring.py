"""How the benchmarks measure: the best of several rounds, since the machine is shared."""

import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 3


@dataclass(frozen=True)
class Figure:
    """One line of the result."""

    name: str
    value: float
    unit: str
    beside: str = ""
    """What it is compared with, measured in the same run."""

    def __str__(self) -> str:
        compared = f"  ({self.beside})" if self.beside else ""
        return f"{self.name:<58} {self.value:>12,.1f} {self.unit}{compared}"


def rate(work: Callable[[], int]) -> float:
    """Operations per second of the best round; `work` does some and returns how many."""
    best = 0.0
    for _ in range(ROUNDS):
        started = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - started))
    return best
