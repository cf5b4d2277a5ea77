"""Small notebooks to test with."""

from pathlib import Path

from quintet.memory.store import Store
from quintet.messages.notes import AddNote, EditNote, Note, NoteChange, ReplaceNote, VoteNote
from quintet.messages.store import ChangeNotes, FindNotes

EGG = Note(title="Heat eggs", text="Open the microwave before you heat an egg.", task_type="heat", section="strategies")
LAMP = Note(title="Find lamps", text="Lamps stand on desks.", task_type="look", section="places")
CLEAN = Note(title="Clean", text="Put things into the sinkbasin to clean them.", about="clean a dirty mug")
ANY = Note(text="Look around first.", section="strategies")

NOTES = (EGG, LAMP, CLEAN, ANY)


def added(*notes: Note) -> tuple[NoteChange, ...]:
    """Changes that add notes."""
    return tuple(AddNote(note=note) for note in notes)


def change(*changes: NoteChange, version: int = 1, place: int = 0) -> ChangeNotes:
    """A request of changes."""
    return ChangeNotes(version=version, place=place, changes=changes)


def a_notebook(file: Path | None = None) -> Store:
    """A store with version 0 sealed, empty, and nothing else."""
    store = Store(":memory:" if file is None else file, world="alfworld", kind="notebook")
    store.seal(0)
    return store


def a_notebook_of_versions(file: Path | None = None) -> tuple[Store, tuple[int, ...]]:
    """Version 1 has four notes. Version 2 edits the first, replaces the second by the third, and votes for that."""
    store = a_notebook(file)
    ids = store.change(change(*added(*NOTES)))
    store.seal(1)
    edited = Note(title="Heat eggs", text="Open it, heat the egg, close it.", task_type="heat", section="strategies")
    store.change(
        change(
            EditNote(id=ids[0], note=edited),
            ReplaceNote(id=ids[1], by=ids[2]),
            VoteNote(id=ids[2], helpful=2, harmful=1, recalled=5),
            version=2,
        )
    )
    store.seal(2)
    return store, ids


def found(version: int = 1, **fields: object) -> FindNotes:
    """A request for notes."""
    return FindNotes(version=version, **fields)  # type: ignore[arg-type]
