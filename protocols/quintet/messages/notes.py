"""Notes, of which a notebook consists, and the changes that a learner makes to one.

A notebook is a sequence of changes. What it is in a version follows from those that came in with it or before. Nothing
is ever overwritten: an edit adds a content, and a vote adds to counters.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

NoteId: TypeAlias = Annotated[int, Meta(ge=0)]
"""Of the change that added it: the same in every run that learns the same. Ids order notes by their entry."""

Increment: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""What is added to a counter; negative: taken back."""


class Note(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that is worth knowing for other tasks."""

    text: Annotated[str, Meta(min_length=1)]
    """What is said. Parts that differ from task to task may stand in it as `{name}`."""
    title: str = ""
    description: str = ""
    """In one sentence."""
    section: str = ""
    """Of the notebook, in the learner's words, such as `strategies`; empty: none."""
    task_type: str = ""
    """Of the tasks that it is for, as the world names it; empty: of all."""
    about: str = ""
    """The text that it is found by, such as the goal of the task it is from; empty: title, description and text."""
    run: str = ""
    """The run that it is from; empty: the one whose notebook this is, or a file."""
    episode: str = ""
    """The path of the episode that it is from; or the file and its line."""
    path: str = ""
    """Of the request by which it was made."""

    @property
    def found_by(self) -> str:
        """The text that its words and its embedding are taken from."""
        return self.about or "\n".join(filter(None, (self.title, self.description, self.text)))

    @property
    def size(self) -> int:
        """Bytes in a prompt, as a budget counts them."""
        return sum(len(text.encode()) for text in (self.title, self.description, self.text))


class StoredNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note of a notebook, as it is in a version."""

    id: NoteId
    note: Note
    helpful: int = 0
    """How often a learner said that it helped; so are the other counters a learner's."""
    harmful: int = 0
    recalled: int = 0
    state: Literal["active", "replaced"] = "active"
    """Only active notes are recalled."""
    replaced_by: NoteId | None = None
    """None: it is active, or no other note stands in its place."""


class AddNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="add"):
    """Add a note."""

    note: Note
    helpful: Increment = 0
    harmful: Increment = 0
    recalled: Increment = 0


class EditNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="edit"):
    """Give a note another content. It keeps its id and its counters."""

    id: NoteId
    note: Note


class ReplaceNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="replace"):
    """Recall a note no more. If several replace the same note, the first in the order of ids does."""

    id: NoteId
    by: NoteId | None = None
    """The note that stands in its place; None: no other does."""


class VoteNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="vote"):
    """Add to a note's counters."""

    id: NoteId
    helpful: Increment = 0
    harmful: Increment = 0
    recalled: Increment = 0


NoteChange: TypeAlias = AddNote | EditNote | ReplaceNote | VoteNote
