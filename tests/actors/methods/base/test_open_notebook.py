"""The notes of a version that is being made are those that the version has once it is sealed."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.learning import EpisodeRan, Learn, Version
from quintet.messages.notes import AddNote, EditNote, Note, NoteChange, ReplaceNote, StoredNote, VoteNote
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner, NotesOptions
from quintet.methods.base.open_notebook import OpenNotebook
from tests.actors.methods.notebook_roles import NotebookRoles

STEPS = st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(0, 3)), max_size=3), max_size=5)


class Scribe(NotesLearner[NotesOptions]):
    """Makes the changes that the test wants."""

    steps: Sequence[Sequence[tuple[int, int, int]]] = ()
    seen: tuple[StoredNote, ...] = ()

    async def note_window(self, run: LearnerContext, version: Version, ran: Sequence[EpisodeRan]) -> None:
        book = OpenNotebook(run, version + 1, await run.notes(version))
        for step in type(self).steps:
            changes = (_change(book, *each) for each in step)
            for change in changes:
                await book.change(*([change] if change else []))
        type(self).seen = book.notes


def _change(book: OpenNotebook, kind: int, which: int, count: int) -> NoteChange | None:
    active = book.notes
    if kind == 0 or not active:
        return AddNote(note=Note(text=f"Note {which}."), helpful=count)
    id = active[which % len(active)].id
    if kind == 1:
        return EditNote(id=id, note=Note(text=f"Edited {which}."))
    return VoteNote(id=id, helpful=count, harmful=1) if kind == 2 else ReplaceNote(id=id)


class Around(NotebookRoles):
    """Roles around it."""

    spec = Scribe


@given(STEPS)
def test_what_is_seen_while_a_version_is_made_is_what_it_has(steps: list[list[tuple[int, int, int]]]) -> None:
    Scribe.steps, Scribe.seen = steps, ()
    roles = Around()
    roles.learn(Learn(training=("one",), held_out=(), test=()))
    assert roles.notes(1) == Scribe.seen
    assert len(Scribe.seen) <= sum(map(len, steps))
