"""The reflector's question about notes: what attempts at tasks taught."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from quintet.messages.message import request_name
from quintet.messages.notes import Note
from quintet.messages.noting import NotesOf, NotesWritten, WriteNotes
from quintet.parsing.written_notes import NONE_WRITTEN, read_notes
from quintet.ports.model import Finish
from quintet.questions.question import RequestQuestion
from quintet.questions.shape import Reading
from quintet.questions.shapes import Rows
from quintet.roles.turn_text import SILENCE, as_sentence, turns_as_texts

_INSTRUCTIONS: Final[Mapping[str, str]] = {of: f"{request_name(WriteNotes)}.{of}" for of in get_args(NotesOf)}

_ROW: Final = {
    "title": "what it is about, in a few words",
    "description": "one sentence that sums it up",
    "content": "what to do, and when",
}


class _NotesShape(Rows[tuple[Note, ...]]):
    def row_text(self, number: int, row: Mapping[str, Any]) -> str:
        return self.template.format(**row)  # a content keeps its lines

    def reading(self, text: str, finish: Finish) -> Reading:
        notes = self.read(text)
        shown = [{"title": each.title, "description": each.description, "content": each.text} for each in notes or ()]
        return self.as_reading("notes", None if notes is None else shown, finish)


class WriteNotesQuestion(RequestQuestion[WriteNotes, tuple[Note, ...], NotesWritten]):
    """Notes of attempts at tasks, by instructions for what they are of.

    Source: as of `WriteNotes`. Differs: its prompts are ours.
    """

    asks = WriteNotes
    prompts = tuple(_INSTRUCTIONS.values())
    shape = _NotesShape(
        name="notes",
        about="Notes that help with other tasks.",
        reader=read_notes,
        wanted="notes",
        key="notes",
        described="the most useful one first",
        row="note",
        row_about="Something that is worth knowing for other tasks.",
        row_fields={key: (str, about) for key, about in _ROW.items()},
        row_says="; ".join(f'"{key}", {about}' for key, about in _ROW.items())
        + ". The list is empty if nothing is worth a note.",
        template="Title: {title}\nDescription: {description}\nContent: {content}\n",
        empty=NONE_WRITTEN,
        values={"notes": (_ROW,)},
    )

    def instructions(self, about: WriteNotes) -> str:
        return _INSTRUCTIONS[about.of]

    def says(self, about: WriteNotes) -> Iterator[str]:
        opening, reason = None, about.attempts[0].reason
        for number, attempt in enumerate(about.attempts, 1):
            if attempt.opening != opening:
                yield attempt.opening or SILENCE
            opening = attempt.opening
            yield f"Attempt {number}:" if len(about.attempts) > 1 else "What was done:"
            yield from turns_as_texts(attempt.turns)
        if about.of == "failure":
            yield f"It failed: {as_sentence(reason)}" if reason else "It failed."
        yield f"Write at most {about.most} note{'s' * (about.most > 1)}."

    def reply(self, request: WriteNotes, found: Sequence[tuple[Note, ...]]) -> NotesWritten:
        return NotesWritten(notes=found[0][: request.most])

    def headline(self, reply: NotesWritten) -> str:
        return "; ".join(each.title or each.text for each in reply.notes) or "none"


NOTING = (WriteNotesQuestion(),)
