"""The questions about notes that are there: what an attempt says of them, and how they are to be changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from quintet.messages.curation import (
    AttemptReviewed,
    ListedNote,
    NoteRevision,
    NotesRevised,
    Operation,
    ReviewAttempt,
    RevisedAfter,
    ReviseNotes,
)
from quintet.messages.learning import Experience
from quintet.messages.message import Unanswered, request_name
from quintet.parsing.answers import on_one_line
from quintet.parsing.note_revisions import (
    NO_CHANGES,
    ReadReview,
    ReadRevision,
    read_note_revisions,
    read_review,
)
from quintet.ports.model import Completion
from quintet.questions.question import RequestQuestion
from quintet.questions.shapes import Rows, TextsAndRows
from quintet.roles.turn_text import SILENCE, as_sentence, turns_as_texts

_INSTRUCTIONS: Final[Mapping[RevisedAfter, str]] = {
    source: f"{request_name(ReviseNotes)}.{source}" for source in ("review", "pair", "successes")
}


class ReviewAttemptQuestion(RequestQuestion[ReviewAttempt, ReadReview, AttemptReviewed]):
    """What an attempt teaches, and which notes helped or misled. A note that was not shown is asked about once more.

    Source: as of `ReviewAttempt`.
    """

    asks = ReviewAttempt
    wanted = "insight"
    shape = TextsAndRows(
        name="attempt_review",
        about="What an attempt teaches, and which notes helped or misled.",
        reader=read_review,
        wanted="insight",
        kind=None,
        texts={
            "mistake": (str, "what went wrong and why, or what went well"),
            "insight": (str, "what helps with other tasks"),
        },
        labels={"mistake": "What went wrong", "insight": "Insight"},
        key="notes",
        row="tag",
        row_about="Whether a note helped.",
        row_fields={
            "note": (int, "the number of a note"),
            "tag": (Literal["helpful", "harmful", "neutral"], "whether it helped"),
        },
        row_says='"note", the number of a note that was shown, and "tag", one of helpful, harmful and neutral.',
        template="Note {note}: {tag}",
        values={"notes": ({"note": 1, "tag": "helpful"},)},
    )

    def says(self, about: ReviewAttempt) -> Iterator[str]:
        yield _listed("The notes that it was shown:", about.notes)
        yield from _attempt("The attempt succeeded:" if about.succeeded else "The attempt failed:", about.experience)
        if about.review is not None:
            yield "\n".join(("Your review so far:", *_said(about.review)))
            yield "Review the attempt again: correct and sharpen this."
        else:
            yield "Review the attempt now."

    def doubt(self, about: ReviewAttempt, found: ReadReview | Unanswered, completion: Completion) -> str:
        unknown = () if isinstance(found, Unanswered) else _unknown(about.notes, [each for each, _ in found.tags])
        return _no_such_note(unknown) if unknown else super().doubt(about, found, completion)

    def reply(self, request: ReviewAttempt, found: Sequence[ReadReview]) -> AttemptReviewed:
        (review,) = found
        unknown = _unknown(request.notes, [each for each, _ in review.tags])
        tags = {each: tag for each, tag in review.tags if each not in unknown}
        return AttemptReviewed(
            mistake=review.mistake,
            insight=review.insight,
            helpful=tuple(request.notes[each - 1].id for each, tag in tags.items() if tag == "helpful"),
            harmful=tuple(request.notes[each - 1].id for each, tag in tags.items() if tag == "harmful"),
            invented=len(unknown),
        )

    def headline(self, reply: AttemptReviewed) -> str:
        return f"review: {len(reply.helpful)} notes helped, {len(reply.harmful)} misled"


class _Revisions(NamedTuple):
    taken: tuple[ReadRevision, ...]
    unknown: tuple[int, ...]
    """Numbers of no note that was shown."""
    forbidden: tuple[Operation, ...]


class _RevisionsShape(Rows[tuple[ReadRevision, ...]]):
    def row_text(self, number: int, row: Mapping[str, Any]) -> str:
        operation, text = row["operation"], on_one_line(row["text"])
        if operation == "ADD":
            return f"ADD [{on_one_line(row['section'])}]: {text}"
        return f"EDIT {row['note']}: {text}" if operation == "EDIT" else f"{operation} {row['note']}"


class ReviseNotesQuestion(RequestQuestion[ReviseNotes, _Revisions, NotesRevised]):
    """Operations on notes. What names no note, or another operation than those that are allowed, is asked for again.

    Source: as of `ReviseNotes`.
    """

    asks = ReviseNotes
    prompts = tuple(_INSTRUCTIONS.values())
    wanted = "operation"
    shape = _RevisionsShape(
        name="note_revisions",
        about="Operations on notes.",
        reader=read_note_revisions,
        wanted="operations",
        kind=None,
        key="operations",
        described="in order; empty if nothing is to be changed",
        row="operation",
        row_about="An operation on a note.",
        row_fields={
            "operation": (Literal["ADD", "EDIT", "AGREE", "DISAGREE"], "what is done"),
            "note": (int, "the number of the note; 0 for a new one"),
            "section": (str, "of a new note"),
            "text": (str, "of a new or edited note, in one sentence"),
        },
        row_says=(
            '"operation", one of those that are named below, "note", the number of the note that it is about or 0 for '
            'a new one, "section", where a new one belongs, and "text", what a new or edited one says.'
        ),
        template="",
        empty=NO_CHANGES,
        values={
            "operations": ({"operation": "ADD", "note": 0, "section": "the section", "text": "what the note says"},)
        },
    )

    def instructions(self, about: ReviseNotes) -> str:
        return _INSTRUCTIONS[about.source]

    def says(self, about: ReviseNotes) -> Iterator[str]:
        yield _listed("The notes that there are:", about.notes) or "There are no notes yet."
        if about.review is not None:
            yield from _said(about.review)
        for number, attempt in enumerate(about.attempts, 1):
            yield from _attempt(_heading(about.source, number), attempt)
        yield f"The sections: {', '.join(about.sections)}."
        yield f"The operations: {', '.join(about.operations)}. Write at most {about.most}."

    def find(self, about: ReviseNotes, text: str) -> _Revisions | None:
        rows = self.shape.read(text)
        if rows is None:
            return None
        allowed = [each for each in rows if each.operation in about.operations]
        unknown = _unknown(about.notes, [each.note for each in allowed if each.operation != "ADD"])
        taken = tuple(each for each in allowed if each.operation == "ADD" or each.note not in unknown)
        forbidden = dict.fromkeys(each.operation for each in rows if each.operation not in about.operations)
        return _Revisions(taken, unknown, tuple(forbidden))

    def doubt(self, about: ReviseNotes, found: _Revisions | Unanswered, completion: Completion) -> str:
        if isinstance(found, Unanswered) or not (found.unknown or found.forbidden):
            return super().doubt(about, found, completion)
        if found.unknown:
            return _no_such_note(found.unknown)
        return f"{' and '.join(found.forbidden)} cannot be done here, only {', '.join(about.operations)}"

    def settle(self, first: _Revisions | Unanswered, second: _Revisions | Unanswered) -> _Revisions | Unanswered:
        if isinstance(first, Unanswered) or isinstance(second, Unanswered):
            return super().settle(first, second)
        return min(second, first, key=lambda each: (len(each.unknown) + len(each.forbidden), -len(each.taken)))

    def reply(self, request: ReviseNotes, found: Sequence[_Revisions]) -> NotesRevised:
        (read,) = found
        revisions = tuple(_revision(request, each) for each in read.taken[: request.most])
        return NotesRevised(revisions=revisions, refused=len(read.unknown) + len(read.forbidden))

    def headline(self, reply: NotesRevised) -> str:
        return f"{len(reply.revisions)} operations on notes"


def _revision(request: ReviseNotes, said: ReadRevision) -> NoteRevision:
    if said.operation == "ADD":
        known = {each.lower(): each for each in request.sections}
        section = known.get(said.section.lower(), request.sections[-1])
        return NoteRevision(operation="ADD", text=said.text, section=section)
    assert said.note is not None
    text = said.text if said.operation == "EDIT" else ""
    return NoteRevision(operation=said.operation, id=request.notes[said.note - 1].id, text=text)


def _listed(heading: str, notes: Sequence[ListedNote]) -> str:
    """Notes by section, each with its counters, and with its place as its number; empty: there are none."""
    lines = [heading] if notes else []
    for section in dict.fromkeys(each.section for each in notes):
        lines += [f"{section}:"] if section else []
        lines += [
            f"[{number}] helpful {each.helpful}, harmful {each.harmful}: {on_one_line(each.text)}"
            for number, each in enumerate(notes, 1)
            if each.section == section
        ]
    return "\n".join(lines)


def _said(review: AttemptReviewed) -> Iterator[str]:
    if review.mistake:
        yield f"What went wrong: {review.mistake}"
    yield f"Insight: {review.insight}"


def _attempt(heading: str, attempt: Experience) -> Iterator[str]:
    yield heading
    yield attempt.opening or SILENCE
    yield from turns_as_texts(attempt.turns)
    if attempt.reason:
        yield f"It ended so: {as_sentence(attempt.reason)}"


def _heading(source: RevisedAfter, number: int) -> str:
    if source == "pair":
        return "An attempt that failed:" if number == 1 else "An attempt at the same task that succeeded:"
    return f"Attempt {number}, which succeeded:"


def _unknown(notes: Sequence[ListedNote], numbers: Iterable[int | None]) -> tuple[int, ...]:
    """The numbers of no note among these, each once."""
    return tuple(dict.fromkeys(each for each in numbers if each is not None and not 1 <= each <= len(notes)))


def _no_such_note(numbers: Sequence[int]) -> str:
    return f"There is no note {', no note '.join(map(str, numbers))} among those that you were shown"


CURATING = (ReviseNotesQuestion(),)
REVIEWING = (ReviewAttemptQuestion(),)
