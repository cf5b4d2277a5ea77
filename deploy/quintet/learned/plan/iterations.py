"""Iterations of a learner of plans, each from one plan to the next, read from the learner's records."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from quintet.errors import one_line
from quintet.events import Exchanged, Record, Refused
from quintet.journal.cells import UNREADABLE
from quintet.learned.iterations import IterationEvents, by_iteration
from quintet.learned.kind import UpdateOutcome
from quintet.learned.plan.changes import JobReflection, Sentences, TooLong, changes
from quintet.messages.message import Unanswered, request_name
from quintet.messages.planning import PlanRevised, RevisePlan
from quintet.messages.reflection import Reflect, Reflected
from quintet.reports.transcript import TranscriptLine


@dataclass(frozen=True)
class PlanIteration:
    """What a learner received between two plans."""

    reflections: tuple[JobReflection, ...] = ()
    """In the order of the batch; none for an episode that faulted."""
    revised: bool = False
    """Whether the request for a new plan was answered."""
    failed: str = ""
    """Why no plan could be written; empty if it could."""
    refused: tuple[str, ...] = ()
    """The endpoint's messages if a model permanently refused to reflect or to write a plan."""
    attempts: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])

    def outcome(self, content: str, before: str) -> UpdateOutcome:
        """See `LearntIteration`."""
        if content.strip() != before.strip():
            return "changed"
        if self.failed:
            return "update failed"
        return "unchanged" if self.revised else "no lessons"

    def changes(self, content: str, before: str) -> Iterator[TranscriptLine]:
        """Changed lines, each followed by the sentence of a reflection that shares most words with it, if any.

        This compares texts; it is no record of causes.
        """
        said = Sentences(self.reflections)
        try:
            changed = changes(before, content)
        except TooLong as error:
            yield TranscriptLine(1, "note", f"not compared with the version before: {error}")
            return
        for removed, added in changed:
            for line in removed:
                yield TranscriptLine(1, "removed", f"- {line}")
                yield from () if added else _quote(said, line)
            for line in added:
                yield TranscriptLine(1, "added", f"+ {line}")
                yield from _quote(said, line, removed)

    def failures(self) -> Iterator[str]:
        """The reflections that failed."""
        for reflection in self.reflections:
            if reflection.failed:
                yield f"no reflection on {reflection.task}: {reflection.failed}"

    def document(self, succeeded: Mapping[str, bool]) -> str:
        """The reflections as paragraphs."""
        return "\n\n".join(
            paragraph
            for reflection in self.reflections
            for paragraph in _paragraphs(reflection, succeeded=succeeded.get(reflection.task, False))
        )

    def fields(self) -> dict[str, Any]:
        """The reflections, for programs."""
        return {
            "reflections": [
                {
                    "task": reflection.task,
                    "summary": reflection.summary,
                    "flaws": reflection.flaws,
                    "revision": reflection.revision,
                    "failed": reflection.failed or None,
                }
                for reflection in self.reflections
            ]
        }


def _quote(said: Sentences, line: str, instead_of: tuple[str, ...] = ()) -> Iterator[TranscriptLine]:
    found = said.quote(line, instead_of)
    if found is not None:
        yield TranscriptLine(3, "note", f'{found.task}: "{found.sentence}"')


def _paragraphs(reflection: JobReflection, *, succeeded: bool) -> Iterator[str]:
    parts = {
        "Summary": reflection.summary,
        "Flaws": reflection.flaws,
        "Suggested revision": reflection.revision,
        "No reflection": reflection.failed,
    }
    yield f"## {reflection.task}: {'succeeded' if succeeded else 'failed'}"
    yield from (f"{label}: {text}" for label, text in parts.items() if text)


def plan_iterations(records: Iterable[Record]) -> Mapping[int, PlanIteration]:
    """Iterations by the number of the version that each leads to.

    Args:
        records: of the learner. An answer in the format of another version counts as failed.
    """
    return {number: _iteration(part) for number, part in by_iteration(records).items()}


def _iteration(part: IterationEvents) -> PlanIteration:
    reflections: list[JobReflection] = []
    revised, failed = False, ""
    refused: list[str] = []
    for event in part.events:
        match event:
            case Exchanged(request=name) if name == request_name(Reflect):
                reflections.append(_reflection(event))
            case Exchanged(request=name) if name == request_name(RevisePlan):
                revised = True
                reply = _read(event.reply, PlanRevised | Unanswered)
                failed = reply.reason if isinstance(reply, Unanswered) else reply if isinstance(reply, str) else ""
            case Refused(reason=reason):
                refused.append(reason)
            case _:
                pass
    if refused and part.followed and not revised:
        failed = f"the model refused: {refused[-1]}"
    return PlanIteration(tuple(reflections), revised, failed, tuple(refused), part.attempts)


def _reflection(event: Exchanged) -> JobReflection:
    reply = _read(event.reply, Reflected | Unanswered)
    if isinstance(reply, str):
        return JobReflection(event.subject, failed=reply)
    if isinstance(reply, Unanswered):
        return JobReflection(event.subject, failed=reply.reason)
    return JobReflection(event.subject, reply.summary, reply.flaws, reply.revision)


def _read(answer: str, kind: Any) -> Any:
    """Decode an answer; if that fails, say why."""
    try:
        return msgspec.json.decode(answer, type=kind)
    except UNREADABLE as error:
        return f"expected an answer of this version, got {answer[:60]!r}: {one_line(error)}"
