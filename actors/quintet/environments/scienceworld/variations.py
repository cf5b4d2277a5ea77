"""The types of tasks, and which variations of each a split has. It is told without starting the simulator."""

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from typing import Final

SCIENCE_SPLITS: Final = ("test", "dev", "train")
VARIATIONS: Final = {
    "boil": 30,
    "change-the-state-of-matter-of": 30,
    "chemistry-mix": 32,
    "chemistry-mix-paint-secondary-color": 36,
    "chemistry-mix-paint-tertiary-color": 36,
    "find-animal": 300,
    "find-living-thing": 300,
    "find-non-living-thing": 300,
    "find-plant": 300,
    "freeze": 30,
    "grow-fruit": 126,
    "grow-plant": 126,
    "identify-life-stages-1": 14,
    "identify-life-stages-2": 10,
    "inclined-plane-determine-angle": 168,
    "inclined-plane-friction-named-surfaces": 1386,
    "inclined-plane-friction-unnamed-surfaces": 162,
    "lifespan-longest-lived": 125,
    "lifespan-longest-lived-then-shortest-lived": 125,
    "lifespan-shortest-lived": 125,
    "measure-melting-point-known-substance": 436,
    "measure-melting-point-unknown-substance": 300,
    "melt": 30,
    "mendelian-genetics-known-plant": 120,
    "mendelian-genetics-unknown-plant": 480,
    "power-component": 20,
    "power-component-renewable-vs-nonrenewable-energy": 20,
    "test-conductivity": 900,
    "test-conductivity-of-unknown-substances": 600,
    "use-thermometer": 540,
}
"""How many variations each type has, in the package's order."""


def variations(kind: str, split: str) -> range:
    """Those of a split: of each type the first half is for training, then a quarter for development."""
    count = VARIATIONS[kind]
    quarter = count // 4
    begin, end = {"train": (0, 2 * quarter), "dev": (2 * quarter, 3 * quarter), "test": (3 * quarter, count)}[split]
    return range(begin, end)


@cache
def science_tasks(split: str) -> tuple[str, ...]:
    """The first variation of each type, then the second of each that has two, and so on."""
    return tuple(name for row in zip_longest(*(_names(kind, split) for kind in VARIATIONS)) for name in row if name)


def read_task_name(name: str) -> tuple[str, int] | None:
    """The type and the variation that a task's name has; None: there is no such task."""
    kind, _, number = name.rpartition("-")
    known = number.isdecimal() and number.isascii() and int(number) < VARIATIONS.get(kind, 0)
    return (kind, int(number)) if known and name == f"{kind}-{int(number)}" else None


def _names(kind: str, split: str) -> Iterator[str]:
    return (f"{kind}-{number}" for number in variations(kind, split))
