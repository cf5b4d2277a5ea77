"""The iterations of a learner, each from one version to the next, read from the learner's records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from quintet.errors import one_line
from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.journal.cells import UNREADABLE
from quintet.learned.kinds import read_sealed
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.curation import AttemptReviewed, NotesRevised, ReviewAttempt, ReviseNotes
from quintet.messages.learning import LearntKind
from quintet.messages.memory import Form, Formed, Remember, Remembered
from quintet.messages.message import Unanswered, request_name
from quintet.messages.paths import attempt_of, order_of
from quintet.messages.planning import PlanRevised, RevisePlan
from quintet.messages.reflection import AttemptJudged, JudgeAttempt, Reflect, Reflected

UpdateOutcome: TypeAlias = Literal["changed", "unchanged", "update failed", "no lessons"]
"""Of an update: new content; the same content again; no usable answer; or no lessons to learn from."""


class JobReflection(NamedTuple):
    """The reflection on one job. Parts that were not requested are empty."""

    task: str
    summary: str = ""
    flaws: str = ""
    revision: str = ""
    failed: str = ""
    """Why it could not be used; the other parts are empty then."""


class TypingCounts(NamedTuple):
    """How often the model's answers about types could not be used as they were; see `Formed` and `Remembered`."""

    asked_again: int = 0
    unassigned: int = 0
    invented: int = 0
    unreadable: int = 0


NO_COUNTS = TypingCounts()


@dataclass(frozen=True, kw_only=True)
class _Iteration:
    attempts: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """By task and version, the number of the attempt that was reported to the learner."""
    refused: Sequence[str] = ()
    """The endpoint's messages if a model permanently refused a request of the learner."""
    verdicts: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """By task, whether its attempt succeeded as a model judged; none if the learner was told rewards."""
    unjudged: Mapping[str, str] = field(default_factory=dict[str, str])
    """By task, why there is no verdict on its attempt, from which nothing was learnt."""
    failed: str = ""
    """Why there could be no new content; empty if there was. A memory's always is: what was not refused came in."""


@dataclass(frozen=True, kw_only=True)
class PlanIteration(_Iteration):
    """What a learner received between two plans."""

    reflections: Sequence[JobReflection] = ()
    """In the order of the batch; none for an episode that faulted."""
    revised: bool = False
    """Whether the request for a new plan was answered."""

    def outcome(self, content: str, before: str) -> UpdateOutcome:
        """What came of it: compares the content that it led to with that of the version before."""
        if content.strip() != before.strip():
            return "changed"
        if self.failed:
            return "update failed"
        return "unchanged" if self.revised else "no lessons"


@dataclass(frozen=True, kw_only=True)
class MemoryIteration(_Iteration):
    """What a learner received between two versions of a memory or a notebook."""

    number: int
    """Of the version that it led to."""
    store: Path
    """The run's memory, which has what came in."""
    counts: TypingCounts = NO_COUNTS
    unanswered: Sequence[str] = ()
    """What was asked in vain, but for verdicts: the request, its subject and why there is no answer."""
    dropped: int = 0
    """Operations and tags that named no note that was shown, or what is not allowed."""

    def outcome(self, content: str, before: str) -> UpdateOutcome:
        """See `PlanIteration`."""
        return "changed" if read_sealed(content).added else "unchanged"


LearntIteration: TypeAlias = PlanIteration | MemoryIteration


def read_iterations(kind: LearntKind, records: Iterable[Record], run: Path) -> Mapping[int, LearntIteration]:
    """Every iteration by the number of the version that it leads to, from 0 on; the last may be under way.

    The records are the learner's. An answer in the format of another version counts as failed. If the record of a
    version cannot be read, its iteration has the events of the next one too.
    """
    parts: dict[int, list[AnyEvent]] = {0: []}
    for record in sorted(records, key=lambda record: order_of(record.event.path)):
        if isinstance(record.event, Published):
            parts.setdefault(record.event.version + 1, [])
        else:
            parts[max(parts)].append(record.event)
    last = max(parts)
    events = {number: parts.get(number, []) for number in range(last + 1)}
    if kind != "plan":
        return {number: _memory_iteration(number, part, run / MEMORY_FILE) for number, part in events.items()}
    return {number: _plan_iteration(part, followed=number < last) for number, part in events.items()}


def _attempts(events: Iterable[AnyEvent]) -> Mapping[tuple[str, int], int]:
    reported = (attempt_of(event.attempt) for event in events if isinstance(event, EpisodeReported))
    return {(task, version): attempt for task, version, attempt in reported}


def _refused(events: Iterable[AnyEvent]) -> tuple[str, ...]:
    return tuple(event.reason for event in events if isinstance(event, Refused))


def _verdicts(events: Iterable[AnyEvent]) -> tuple[Mapping[str, bool], Mapping[str, str]]:
    """By task, the verdicts on attempts, and why there is none."""
    answers = [each for each in events if isinstance(each, Exchanged) and _answers(each, JudgeAttempt)]
    replies = {each.subject: _read(each.reply, AttemptJudged | Unanswered) for each in answers}
    verdicts = {task: reply.succeeded for task, reply in replies.items() if isinstance(reply, AttemptJudged)}
    return verdicts, {task: _why_failed(reply) for task, reply in replies.items() if task not in verdicts}


def _plan_iteration(events: Sequence[AnyEvent], *, followed: bool) -> PlanIteration:
    answers = [event for event in events if isinstance(event, Exchanged)]
    plans = [_read(event.reply, PlanRevised | Unanswered) for event in answers if _answers(event, RevisePlan)]
    refused = _refused(events)
    verdicts, unjudged = _verdicts(events)
    failed = _why_failed(plans[-1]) if plans else ""
    if refused and followed and not plans:
        failed = f"the model refused: {refused[-1]}"
    return PlanIteration(
        attempts=_attempts(events),
        refused=refused,
        verdicts=verdicts,
        unjudged=unjudged,
        reflections=tuple(_reflection(event) for event in answers if _answers(event, Reflect)),
        revised=bool(plans),
        failed=failed,
    )


def _answers(event: Exchanged, *requests: type[Any]) -> bool:
    return event.request in map(request_name, requests)


def _reflection(event: Exchanged) -> JobReflection:
    reply = _read(event.reply, Reflected | Unanswered)
    if isinstance(reply, Reflected):
        return JobReflection(event.subject, reply.summary, reply.flaws, reply.revision)
    return JobReflection(event.subject, failed=_why_failed(reply))


def _why_failed(reply: object) -> str:
    if isinstance(reply, Unanswered):
        return reply.reason
    return reply if isinstance(reply, str) else ""


def _read(answer: str, kind: Any) -> Any:
    """Decode an answer; if that fails, say why."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except UNREADABLE as error:
        return f"expected an answer of this version, got {answer[:60]!r}: {one_line(error)}"


def _memory_iteration(number: int, events: Sequence[AnyEvent], store: Path) -> MemoryIteration:
    answers = [each for each in events if isinstance(each, Exchanged) and _answers(each, Form, Remember)]
    made = [_read(event.reply, Formed | Remembered) for event in answers]
    formed = [reply for reply in made if isinstance(reply, Formed)]
    counts = TypingCounts(
        asked_again=sum(reply.asked_again for reply in formed),
        unassigned=sum(reply.unassigned for reply in formed),
        invented=sum(reply.invented for reply in formed),
        unreadable=sum(reply.unreadable for reply in made if isinstance(reply, Remembered)),
    )
    verdicts, unjudged = _verdicts(events)
    others = [each for each in events if isinstance(each, Exchanged) and not _answers(each, JudgeAttempt)]
    return MemoryIteration(
        attempts=_attempts(events),
        refused=_refused(events),
        verdicts=verdicts,
        unjudged=unjudged,
        number=number,
        store=store,
        counts=counts,
        unanswered=tuple(_asked_in_vain(others)),
        dropped=sum(map(_dropped, others)),
    )


def _asked_in_vain(answers: Iterable[Exchanged]) -> Iterator[str]:
    for each in answers:
        if isinstance(reply := _read(each.reply, Unanswered), Unanswered):
            yield f"{each.request}{f' ({each.subject})' if each.subject else ''}: {reply.reason}"


def _dropped(answer: Exchanged) -> int:
    if _answers(answer, ReviseNotes) and isinstance(reply := _read(answer.reply, NotesRevised), NotesRevised):
        return reply.refused
    if _answers(answer, ReviewAttempt) and isinstance(reply := _read(answer.reply, AttemptReviewed), AttemptReviewed):
        return reply.invented
    return 0
