"""How the benchmarks measure: in several rounds, since the machine is shared."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")

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
    return max(_once(work, time.perf_counter) for _ in range(ROUNDS))


def rates(*works: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """The same of several that take turns, so that the machine is as busy for each: each one's median round.

    Args:
        clock: in seconds; `time.process_time` where all is done in this process.
    """
    rounds = [[_once(work, clock) for work in works] for _ in range(ROUNDS)]
    return [median(times) for times in zip(*rounds, strict=True)]


def beside_package(name: str, ours: float, theirs: float, unit: str = "/s") -> Figure:
    """A world's rate beside that of the package that it is made of."""
    return Figure(name, ours, unit, f"{ours / theirs:.2f} x the package's own loop, {theirs:,.1f}; at least 0.91")


def _once(work: Callable[[], int], clock: Callable[[], float]) -> float:
    started = clock()
    done = work()
    return done / (clock() - started)


class Took(NamedTuple):
    """How long something took, in milliseconds."""

    wall: float
    ours: float
    """CPU of this process."""


async def timed(call: Awaitable[_T], took: list[Took]) -> _T:
    """What a call returns; how long it took is added to the list."""
    began, spent = time.perf_counter(), time.process_time()
    found = await call
    took.append(Took(1e3 * (time.perf_counter() - began), 1e3 * (time.process_time() - spent)))
    return found
