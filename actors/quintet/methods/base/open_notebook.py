"""The notes of a version that is being made, for learners whose later changes depend on earlier ones."""

from collections.abc import Iterable

from msgspec.structs import replace

from quintet.messages.learning import Version
from quintet.messages.notes import AddNote, EditNote, NoteChange, NoteId, ReplaceNote, StoredNote, VoteNote
from quintet.methods.base.learner_context import LearnerContext


class OpenNotebook:
    """The active notes of a version that is not sealed. Every change is stored at once, and seen here.

    All changes of the version must go through it, one after the other.

    Args:
        version: that is made.
        notes: the active ones of the version before.
    """

    def __init__(self, run: LearnerContext, version: Version, notes: Iterable[StoredNote]) -> None:
        self._run = run
        self._version = version
        self._notes = {each.id: each for each in notes}
        self._place = 0

    @property
    def notes(self) -> tuple[StoredNote, ...]:
        """In the order of their entry."""
        return tuple(self._notes.values())

    def __contains__(self, id: NoteId) -> bool:
        """Whether a note is active."""
        return id in self._notes

    def __getitem__(self, id: NoteId) -> StoredNote:
        return self._notes[id]

    async def change(self, *changes: NoteChange) -> None:
        """Make changes of active notes, and add some."""
        if not changes:
            return
        ids = await self._run.change_notes(self._version, self._place, *changes)
        self._place += 1
        for id, change in zip(ids, changes, strict=True):
            match change:
                case AddNote(note=note):
                    self._notes[id] = StoredNote(
                        id=id, note=note, helpful=change.helpful, harmful=change.harmful, recalled=change.recalled
                    )
                case EditNote(note=note):
                    self._notes[id] = replace(self._notes[id], note=note)
                case VoteNote():
                    self._notes[id] = _voted(self._notes[id], change)
                case ReplaceNote():
                    del self._notes[id]


def _voted(stored: StoredNote, vote: VoteNote) -> StoredNote:
    return replace(
        stored,
        helpful=stored.helpful + vote.helpful,
        harmful=stored.harmful + vote.harmful,
        recalled=stored.recalled + vote.recalled,
    )
