"""What a learner's conversation says of its iterations, each from one version to the next."""

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


class Reflection(NamedTuple):
    """What was said of one job in hindsight. What was not asked for is empty."""

    task: str
    summary: str = ""
    flaws: str = ""
    revision: str = ""
    failed: str = ""
    """Why nothing of it could be used, if so; the rest is empty then."""


@dataclass(frozen=True)
class IterationRecord:
    """What a learner was told between two versions."""

    reflections: tuple[Reflection, ...] = ()
    """In the order of the batch; of an episode that faulted there is none."""
    revised: bool = False
    """Whether it was answered that asked for a new plan."""
    failed: str = ""
    """Why no plan could be written, if so."""
    collected: bool = False
    """Whether all episodes have ended that are learnt from."""
    refused: tuple[str, ...] = ()
    """What a model refused for good to reflect on, or to make a plan from, in its endpoint's words."""
    attempts: frozenset[int] = frozenset()
    """Which attempts were told of, of one episode or another."""

    def attempt(self, newest: int) -> int:
        """The attempt at an episode that was learnt from, as far as that can be told.

        A decision names the attempt that counted and not its task. This is wrong only of an episode that was repeated
        after the iteration, where another one of it had been repeated before.

        Args:
            newest: the newest attempt at it.
        """
        return min(newest, max(self.attempts)) if self.collected and self.attempts else newest


def iteration_records(records: Iterable[Record]) -> dict[int, IterationRecord]:
    """Iterations by the number of the version that they led, or will lead, to.

    Args:
        records: of the learner. An answer that is none of this version counts as one that failed.
    """
    events = [record.event for record in sorted(records, key=lambda record: order_of(record.event.path))]
    last = sum(isinstance(event, Published) for event in events) - 1
    parts: dict[int, list[Exchanged | Decided]] = {}
    number = 0
    for event in events:
        if isinstance(event, Published):
            number += 1  # what is said after version 0 leads to version 1
        elif isinstance(event, Exchanged | Decided) and number:
            parts.setdefault(number, []).append(event)
    return {number: _told(said, followed=number <= last) for number, said in parts.items()}


def _told(said: Iterable[Exchanged | Decided], *, followed: bool) -> IterationRecord:
    reflections: list[Reflection] = []
    revised, failed = False, ""
    attempts: set[int] = set()
    refused: list[str] = []
    for event in said:
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


def _reflection(event: Exchanged) -> Reflection:
    reply = _read(event.reply, Reflected | ReflectionFailed)
    if isinstance(reply, str):
        return Reflection(event.subject, failed=reply)
    if isinstance(reply, ReflectionFailed):
        return Reflection(event.subject, failed=reply.reason)
    return Reflection(event.subject, reply.summary, reply.flaws, reply.revision)


def _read(answer: str, kind: Any) -> Any:
    """An answer as what it is meant to be, or else why it is not."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except UNREADABLE as error:
        return f"expected an answer of this version, got {answer[:60]!r}: {one_line(error)}"
