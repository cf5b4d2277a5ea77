"""Draws from a seed in a way that no version of Python changes."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from quintet.environments.webarena.sites.clock import OPENING_MOMENT

_T = TypeVar("_T")


class Draw:
    """A source of choices. It stands on `Random.random()` alone, whose numbers Python promises to keep."""

    def __init__(self, name: str) -> None:
        self._random = random.Random(name)  # seeded; nothing here is secret

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, things: Sequence[_T]) -> _T:
        return things[self.whole(0, len(things) - 1)]

    def some(self, things: Sequence[_T], count: int) -> list[_T]:
        """Different things of a list, in its order."""
        left = list(range(len(things)))
        chosen = [left.pop(self.whole(0, len(left) - 1)) for _ in range(min(count, len(left)))]
        return [things[index] for index in sorted(chosen)]

    def weighted(self, things: Sequence[_T], weights: Sequence[int]) -> _T:
        at = self.whole(1, sum(weights))
        for thing, weight in zip(things, weights, strict=True):
            at -= weight
            if at <= 0:
                return thing
        return things[-1]

    def moment(self, days_ago: int, days: int) -> str:
        """A moment by day, within `days` days from the day that lies `days_ago` before the opening."""
        start = datetime.fromisoformat(OPENING_MOMENT[:10]) - timedelta(days=days_ago)
        at = start + timedelta(
            days=self.whole(0, days - 1), minutes=self.whole(7 * 60, 22 * 60), seconds=self.whole(0, 59)
        )
        return at.isoformat(sep=" ")
