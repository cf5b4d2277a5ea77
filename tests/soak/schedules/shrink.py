"""Shrinks a schedule that breaks a promise to a short one that breaks the same promise."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import structs

from tests.soak.schedules.play import play
from tests.soak.schedules.promises import broken
from tests.soak.schedules.schedule import Schedule, Start

T = TypeVar("T")

_MOST = 600
"""Schedules that are tried."""


def broken_promises(schedule: Schedule) -> list[str]:
    """The sentences of a schedule."""
    return list(broken(schedule, play(schedule)))


def shrink(schedule: Schedule, most: int = _MOST) -> Schedule:
    """A schedule with fewer and smaller faults that breaks the same promise as this one.

    It is tried with one part less, again and again, in an order that depends on nothing else; until nothing can go, or
    so many schedules were tried.
    """
    shrinking = _Shrinking(schedule, most)
    shrinking.run()
    return shrinking.best


def promise(sentence: str) -> str:
    """Which promise a sentence is about: it without paths and numbers, as far as it says what was expected."""
    without = re.sub(r"\S*/\d+\S*|[a-z ]+/\d+/\d+\S*|\d[\d.]*", "", sentence)
    head, _, got = without.partition("got")
    return f"{head}{got.split(':')[0] if 'a run that ends' in head else ''}".strip()


class _Shrinking:
    def __init__(self, schedule: Schedule, most: int) -> None:
        self.best = schedule
        self._left = most
        found = broken_promises(schedule)
        if not found:
            raise ValueError(f"schedule {schedule.seed}: expected one that breaks a promise, got one that breaks none")
        self._promises = {promise(sentence) for sentence in found}

    def run(self) -> None:
        self._try(_scripted(self.best))
        size = self.best.size + 1
        while self.best.size < size and self._left > 0:
            size = self.best.size
            self._simplify()
            for number in reversed(range(len(self.best.starts))):
                self._reduce(number, "kills")
                self._reduce(number, "commands")
                self._reduce_script(number)
        self._round()

    def _try(self, schedule: Schedule) -> bool:
        if self._left <= 0 or schedule == self.best:
            return False
        self._left -= 1
        if self._promises.isdisjoint(map(promise, broken_promises(schedule))):
            return False
        self.best = schedule
        return True

    def _simplify(self) -> None:
        """Each simplification, and the ones of what it leads to."""
        found = True
        while found:
            found = any(self._try(simpler) for simpler in _simpler(self.best))

    def _reduce(self, number: int, name: str) -> None:
        def change(items: Sequence[Any]) -> Schedule:
            return _with_start(self.best, number, **{name: tuple(items)})

        if number < len(self.best.starts):
            self._fewest(getattr(self.best.starts[number], name), change)

    def _reduce_script(self, number: int) -> None:
        def change(items: Sequence[tuple[str, float]]) -> Schedule:
            return _with_start(self.best, number, script=dict(items))

        if number < len(self.best.starts):
            self._fewest([*(self.best.starts[number].script or {}).items()], change)

    def _fewest(self, items: Sequence[T], change: Callable[[Sequence[T]], Schedule]) -> None:
        """Leave out as many as possible: the later half, the earlier half, quarters, and so on."""
        length = len(items)
        while length and self._left > 0:
            at = len(items)
            while at > 0:
                fewer = [*items[: max(0, at - length)], *items[at:]]
                if self._try(change(fewer)):
                    items = fewer
                at -= length
            length = min(length, len(items)) // 2 if length > 1 else 0

    def _round(self) -> None:
        """Whole seconds, or tenths, where they do as well."""
        for number, start in enumerate(self.best.starts):
            for digits in (0, 1):
                kills = tuple(structs.replace(kill, at=round(kill.at, digits)) for kill in start.kills)
                script = _rounded(start.script, digits)
                if self._try(_with_start(self.best, number, kills=kills, script=script)):
                    break


def _rounded(script: Mapping[str, float] | None, digits: int) -> Mapping[str, float] | None:
    return None if script is None else {name: round(value, digits) for name, value in script.items()}


def _scripted(schedule: Schedule) -> Schedule:
    """The same with every delay and loss by name, where they were drawn from the seed."""
    scripts = play(schedule).scripts
    starts = [structs.replace(start, script=script) for start, script in zip(schedule.starts, scripts, strict=False)]
    return structs.replace(schedule, starts=tuple(starts))


def _with_start(schedule: Schedule, number: int, **changes: Any) -> Schedule:
    starts = [*schedule.starts]
    starts[number] = structs.replace(starts[number], **changes)
    return structs.replace(schedule, starts=tuple(starts))


def _simpler(schedule: Schedule) -> Iterator[Schedule]:
    """It with one thing less, the largest first."""
    for number in range(len(schedule.starts) - 1):
        rest = (*schedule.starts[:number], *schedule.starts[number + 1 :])
        yield structs.replace(schedule, starts=rest)
    for goal in schedule.goals if len(schedule.goals) > 1 else ():
        yield structs.replace(schedule, goals=tuple(each for each in schedule.goals if each != goal))
    changes: tuple[dict[str, Any], ...] = (
        {"failures": 0.0},
        {"calls": None},
        {"slots": 1},
        {"placement": "colocated"},
    )
    yield from (structs.replace(schedule, **change) for change in changes)
    for number, start in enumerate(schedule.starts):
        yield from (_with_start(schedule, number, **change) for change in _milder(start))


def _milder(start: Start) -> Iterator[dict[str, Any]]:
    if start.script:
        yield {"script": {}}
    if start.replacements:
        yield {"replacements": start.replacements - 1}
    if start.commits is not None and start.commits > 1:  # it ends earlier
        yield {"commits": start.commits // 2}
        yield {"commits": start.commits - 1}
    if start.tokens is not None:
        yield {"tokens": None}
