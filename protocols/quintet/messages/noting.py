"""Messages of the reflector about notes: what attempts at tasks taught."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from quintet.messages.learning import Experience
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.notes import Note
from quintet.ports.model import SamplingOverride

NotesOf: TypeAlias = Literal["success", "failure", "contrast", "workflows"]
"""What notes are written of. `success`: one attempt that reached its goal. `failure`: one that did not. `contrast`:
several attempts at one task, of which nothing is said. `workflows`: attempts at tasks that reached their goals; a note
is a routine of theirs, with variables for what differs from task to task."""


class NotesWritten(Message, frozen=True, kw_only=True, tag="notes_written"):
    """Notes, with title, description and text alone."""

    notes: tuple[Note, ...]
    """None: the model found nothing that is worth a note."""


class WriteNotes(Request[NotesWritten | Unanswered], frozen=True, kw_only=True, tag="write_notes"):
    """Ask for notes, from attempts at tasks, that help with other tasks.

    Source: ReasoningBank (Ouyang et al., 2025); `workflows`: Agent Workflow Memory (Wang et al., 2024).
    """

    journaled: ClassVar[bool] = True

    attempts: Annotated[tuple[Experience, ...], Meta(min_length=1)]
    of: NotesOf
    most: Annotated[int, Meta(ge=1)]
    """The most notes; of more, the first are taken."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""
    phase: str = "notes"

    def subject(self) -> str:
        return ", ".join(dict.fromkeys(each.task for each in self.attempts))
