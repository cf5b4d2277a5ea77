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
    """Iterations by the number of the version that each leads to, from 0 on; the last may be under way.

    Args:
        records: of the learner.
    """
    events = [record.event for record in sorted(records, key=lambda record: order_of(record.event.path))]
    parts: list[list[AnyEvent]] = [[]]
    for event in events:
        if isinstance(event, Published):
            parts.append([])
        else:
            parts[-1].append(event)
    last = len(parts) - 1
    return {number: IterationEvents(tuple(part), number < last) for number, part in enumerate(parts)}
