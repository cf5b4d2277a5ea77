"""A learner's iterations, each from one version to the next, as read from its records."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from quintet.errors import one_line
from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.journal.rows import UNREADABLE
from quintet.messages.paths import attempt_of, order_of
from quintet.messages.planning import PlanFailed, PlanRevised
from quintet.messages.reflection import Reflected, ReflectionFailed


class Reflection(NamedTuple):
    """The reflector's answer about one job. Parts that were not asked for are empty."""

    task: str
    summary: str = ""
    flaws: str = ""
    revision: str = ""
    failed: str = ""
    """Why the answer was unusable, if it was; the rest is empty then."""


@dataclass(frozen=True)
class IterationRecord:
    """What a learner learnt between two versions."""

    reflections: tuple[Reflection, ...] = ()
    """In the order of the batch; none for an episode that faulted."""
    revised: bool = False
    """Whether the request for a new plan was answered."""
    failed: str = ""
    """Why no plan could be written, if so."""
    refused: tuple[str, ...] = ()
    """Why a model permanently refused to reflect or to plan, in its endpoint's words."""
    attempts: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """By task and version, the number of the attempt that was reported to the learner."""


def iteration_records(records: Iterable[Record]) -> dict[int, IterationRecord]:
    """Iterations by the number of the version that they led, or will lead, to.

    Args:
        records: of the learner. A reply that this version cannot read counts as failed.
    """
    events = [record.event for record in sorted(records, key=lambda record: order_of(record.event.path))]
    last = sum(isinstance(event, Published) for event in events) - 1
    parts: dict[int, list[AnyEvent]] = {}
    number = 0
    for event in events:
        if isinstance(event, Published):
            number += 1  # what is said after version 0 leads to version 1
        elif number:
            parts.setdefault(number, []).append(event)
    return {number: _iteration(events, followed=number <= last) for number, events in parts.items()}


def _iteration(events: Iterable[AnyEvent], *, followed: bool) -> IterationRecord:
    reflections: list[Reflection] = []
    revised, failed = False, ""
    attempts: dict[tuple[str, int], int] = {}
    refused: list[str] = []
    for event in events:
        match event:
            case Exchanged(request="reflect"):
                reflections.append(_reflection(event))
            case Exchanged(request="revise_plan"):
                revised = True
                reply = _read(event.reply, PlanRevised | PlanFailed)
                failed = reply.reason if isinstance(reply, PlanFailed) else reply if isinstance(reply, str) else ""
            case EpisodeReported(attempt=path):
                task, version, attempt = attempt_of(path)
                attempts[task, version] = attempt
            case Refused(reason=reason):
                refused.append(reason)
            case _:
                pass
    if refused and followed and not revised:
        failed = f"the model refused: {refused[-1]}"
    return IterationRecord(tuple(reflections), revised, failed, tuple(refused), attempts)


def _reflection(event: Exchanged) -> Reflection:
    reply = _read(event.reply, Reflected | ReflectionFailed)
    if isinstance(reply, str):
        return Reflection(event.subject, failed=reply)
    if isinstance(reply, ReflectionFailed):
        return Reflection(event.subject, failed=reply.reason)
    return Reflection(event.subject, reply.summary, reply.flaws, reply.revision)


def _read(answer: str, kind: Any) -> Any:
    """A reply decoded as `kind`, or else why it cannot be."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except UNREADABLE as error:
        return f"expected an answer of this version, got {answer[:60]!r}: {one_line(error)}"
