"""A learner's iterations, each from one version to the next, read from its records."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from quintet.errors import one_line
from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.journal.cells import UNREADABLE
from quintet.messages.message import request_name
from quintet.messages.paths import attempt_of, order_of
from quintet.messages.planning import PlanFailed, PlanRevised, RevisePlan
from quintet.messages.reflection import Reflect, Reflected, ReflectionFailed


class JobReflection(NamedTuple):
    """The reflection on one job. Parts that were not requested are empty."""

    task: str
    summary: str = ""
    flaws: str = ""
    revision: str = ""
    failed: str = ""
    """Why it could not be used; the other parts are empty then."""


@dataclass(frozen=True)
class IterationRecord:
    """What a learner received between two versions."""

    reflections: tuple[JobReflection, ...] = ()
    """In the order of the batch; none for an episode that faulted."""
    revised: bool = False
    """Whether the request for a new plan was answered."""
    failed: str = ""
    """Why no plan could be written; empty if it could."""
    refused: tuple[str, ...] = ()
    """The endpoint's messages if a model permanently refused to reflect or to write a plan."""
    attempts: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """By task and version, the number of the attempt that was reported to the learner."""


def iteration_records(records: Iterable[Record]) -> dict[int, IterationRecord]:
    """Iterations by the number of the version that each leads to.

    Args:
        records: of the learner. An answer in the format of another version counts as failed.
    """
    events = [record.event for record in sorted(records, key=lambda record: order_of(record.event.path))]
    last = sum(isinstance(event, Published) for event in events) - 1
    parts: dict[int, list[AnyEvent]] = {}
    number = 0
    for event in events:
        if isinstance(event, Published):
            number += 1  # events after version 0 lead to version 1
        elif number:
            parts.setdefault(number, []).append(event)
    return {number: _iteration(events, followed=number <= last) for number, events in parts.items()}


def _iteration(events: Iterable[AnyEvent], *, followed: bool) -> IterationRecord:
    reflections: list[JobReflection] = []
    revised, failed = False, ""
    attempts: dict[tuple[str, int], int] = {}
    refused: list[str] = []
    for event in events:
        match event:
            case Exchanged(request=name) if name == request_name(Reflect):
                reflections.append(_reflection(event))
            case Exchanged(request=name) if name == request_name(RevisePlan):
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


def _reflection(event: Exchanged) -> JobReflection:
    reply = _read(event.reply, Reflected | ReflectionFailed)
    if isinstance(reply, str):
        return JobReflection(event.subject, failed=reply)
    if isinstance(reply, ReflectionFailed):
        return JobReflection(event.subject, failed=reply.reason)
    return JobReflection(event.subject, reply.summary, reply.flaws, reply.revision)


def _read(answer: str, kind: Any) -> Any:
    """Decode an answer; if that fails, say why."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except UNREADABLE as error:
        return f"expected an answer of this version, got {answer[:60]!r}: {one_line(error)}"
