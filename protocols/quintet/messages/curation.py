"""Messages about notes that are there: what an attempt says of them, and how they are to be changed.

The reflector reviews attempts, and the curator revises notes.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.learning import Experience
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.notes import NoteId, StoredNote
from quintet.ports.model import SamplingOverride


class ListedNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model is shown of a note of a notebook."""

    id: NoteId
    text: str
    section: str = ""
    helpful: int = 0
    harmful: int = 0

    @classmethod
    def of(cls, stored: StoredNote) -> "ListedNote":
        note = stored.note
        return cls(id=stored.id, text=note.text, section=note.section, helpful=stored.helpful, harmful=stored.harmful)


class AttemptReviewed(Message, frozen=True, kw_only=True, tag="attempt_reviewed"):
    """What an attempt teaches, and what it says of the notes that it was shown."""

    mistake: str
    """What went wrong, and why; what went well if nothing did."""
    insight: str
    """What other tasks can use of it. Never empty."""
    helpful: tuple[NoteId, ...] = ()
    """The notes that helped."""
    harmful: tuple[NoteId, ...] = ()
    """Those that misled."""
    invented: int = 0
    """How many tags named no note that was shown; they were dropped."""


class ReviewAttempt(Request[AttemptReviewed | Unanswered], frozen=True, kw_only=True, tag="review_attempt"):
    """Ask what an attempt teaches, and which of the notes that it was shown helped or misled.

    Source: Agentic Context Engineering (2025), the reflector.
    """

    journaled: ClassVar[bool] = True

    experience: Experience
    succeeded: bool
    notes: tuple[ListedNote, ...] = ()
    """That it was shown."""
    review: AttemptReviewed | None = None
    """The one so far, which is to be refined; None: there is none."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "reviews"

    def subject(self) -> str:
        return self.experience.task


Operation: TypeAlias = Literal["ADD", "EDIT", "AGREE", "DISAGREE"]
"""`ADD`: a new note. `EDIT`: another text for a note. `AGREE`, `DISAGREE`: a vote for a note, or against it."""

RevisedAfter: TypeAlias = Literal["review", "pair", "successes"]
"""What notes are revised after. `review`: of an attempt. `pair`: an attempt that failed, and then one at the same task
that succeeded. `successes`: attempts at several tasks that all succeeded."""


class NoteRevision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An operation on a note."""

    operation: Operation
    id: NoteId | None = None
    """None: it adds one."""
    text: str = ""
    """Of the note, if it is added or edited."""
    section: str = ""
    """One of those that were named, if it is added."""


class NotesRevised(Message, frozen=True, kw_only=True, tag="notes_revised"):
    """How notes are to be changed."""

    revisions: tuple[NoteRevision, ...]
    """In the order of the answer; none: nothing is to be changed."""
    refused: int = 0
    """How many named a note that was not shown, or another operation; they were dropped."""


class ReviseNotes(Request[NotesRevised | Unanswered], frozen=True, kw_only=True, tag="revise_notes"):
    """Ask for operations on notes.

    Source: Agentic Context Engineering (2025), the curator; ExpeL (Zhao et al., 2023), insight extraction.
    """

    journaled: ClassVar[bool] = True

    notes: tuple[ListedNote, ...]
    """Those that there are."""
    source: RevisedAfter
    review: AttemptReviewed | None = None
    attempts: tuple[Experience, ...] = ()
    operations: Annotated[tuple[Operation, ...], Meta(min_length=1)]
    """Those that are allowed."""
    sections: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Those that a note may be added to. The last one takes what belongs to none."""
    most: Annotated[int, Meta(ge=1)]
    """The most operations; of more, the first are taken."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "curation"
