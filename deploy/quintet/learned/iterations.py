"""Splits a learner's records into iterations, each from one version to the next."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from quintet.events import AnyEvent, EpisodeReported, Published, Record
from quintet.messages.paths import attempt_of, order_of


class IterationEvents(NamedTuple):
    """What happened between two versions."""

    events: tuple[AnyEvent, ...]
    """In order."""
    followed: bool
    """Whether the version that it leads to is published."""

    @property
    def attempts(self) -> Mapping[tuple[str, int], int]:
        """By task and version, the number of the attempt that was reported to the learner."""
        reported = (attempt_of(event.attempt) for event in self.events if isinstance(event, EpisodeReported))
        return {(task, version): attempt for task, version, attempt in reported}


def by_iteration(records: Iterable[Record]) -> dict[int, IterationEvents]:
    """Every iteration by the number of the version that it leads to, from 0 on; the last may be under way.

    If the record of a version cannot be read, its iteration has the events of the next one too.

    Args:
        records: of the learner.
    """
    events = [record.event for record in sorted(records, key=lambda record: order_of(record.event.path))]
    parts: dict[int, list[AnyEvent]] = {}
    number = 0
    for event in events:
        if isinstance(event, Published):
            number = event.version + 1
        else:
            parts.setdefault(number, []).append(event)
    return {each: IterationEvents(tuple(parts.get(each, ())), followed=each < number) for each in range(number + 1)}
