"""A learner's iterations, each from one version to the next, read from its records."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from quintet.errors import one_line
from quintet.events import Decided, Exchanged, Published, Record
from quintet.journal.rows import UNREADABLE
from quintet.messages.paths import order_of
from quintet.messages.planning import PlanFailed, PlanRevised
from quintet.messages.reflection import Reflected, ReflectionFailed
from quintet.roles.context import REFUSED


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
    collected: bool = False
    """Whether all training episodes of the iteration have ended."""
    refused: tuple[str, ...] = ()
    """The endpoint's messages where a model permanently refused to reflect or to write a plan."""
    attempts: frozenset[int] = frozenset()
    """Numbers of the attempts that the learner used, for any episode."""

    def attempt(self, newest: int) -> int:
        """The attempt at an episode that the learner used.

        A decision names the attempt but not its task. So this is wrong for an episode that was repeated after the
        iteration, if another episode had been repeated before.

        Args:
            newest: number of the newest attempt.
        """
        return min(newest, max(self.attempts)) if self.collected and self.attempts else newest


def iteration_records(records: Iterable[Record]) -> dict[int, IterationRecord]:
    """Iterations by the number of the version that each leads to.

    Args:
        records: of the learner. An answer in the format of another version counts as failed.
    """
    events = [record.event for record in sorted(records, key=lambda record: order_of(record.event.path))]
    last = sum(isinstance(event, Published) for event in events) - 1
    parts: dict[int, list[Exchanged | Decided]] = {}
    number = 0
    for event in events:
        if isinstance(event, Published):
            number += 1  # events after version 0 lead to version 1
        elif isinstance(event, Exchanged | Decided) and number:
            parts.setdefault(number, []).append(event)
    return {number: _iteration(said, followed=number <= last) for number, said in parts.items()}


def _iteration(events: Iterable[Exchanged | Decided], *, followed: bool) -> IterationRecord:
    reflections: list[JobReflection] = []
    revised, failed = False, ""
    attempts: set[int] = set()
    refused: list[str] = []
    for event in events:
        match event:
            case Exchanged(request="reflect"):
                reflections.append(_reflection(event))
            case Exchanged(request="revise_plan"):
                revised = True
                reply = _read(event.reply, PlanRevised | PlanFailed)
                failed = reply.reason if isinstance(reply, PlanFailed) else reply if isinstance(reply, str) else ""
            case Decided(question="attempt", answer=answer) if answer.isdecimal():
                attempts.add(int(answer))
            case Decided(question=question, answer=answer) if question == REFUSED:
                refused.append(_read(answer, str))
            case _:
                pass
    if refused and followed and not revised:
        failed = f"the model refused: {refused[-1]}"
    collected = followed or revised or bool(reflections)
    return IterationRecord(tuple(reflections), revised, failed, collected, tuple(refused), frozenset(attempts))


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
