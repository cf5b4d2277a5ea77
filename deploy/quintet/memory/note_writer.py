"""Writes the changes of a notebook, each once, and indexes the words of their texts."""

from collections.abc import Sequence
from typing import Any

from quintet.errors import ReplayMismatch
from quintet.memory.ids import ids_of_process, tuple_id
from quintet.memory.notes import FIELDS, NO_NOTE, note_changes
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.notes import AddNote, EditNote, Note, NoteChange, ReplaceNote, VoteNote
from quintet.messages.store import ChangeNotes

_INSERT = f"INSERT INTO changes VALUES ({', '.join('?' * (6 + len(FIELDS)))})"
_ADDED = "SELECT 1 FROM changes WHERE id = ? AND note = id"
_TO_INDEX = """
SELECT id, title, description, text, about FROM changes WHERE id BETWEEN ? AND ? AND text IS NOT NULL ORDER BY id
"""
_NOTEBOOK = 0
"""The group of its documents; see `quintet.memory.words`."""


def index_notes(reader: MemoryReader, ids: range) -> None:
    """Index the contents of notes that a version brought."""
    rows = list(reader.rows(_TO_INDEX, (ids.start, ids.stop - 1)))
    reader.words.add(
        _NOTEBOOK,
        (
            (identifier, Note(title=title, description=description, text=text, about=about).found_by)
            for identifier, title, description, text, about in rows
        ),
    )


class NoteWriter:
    """Changes notes in the transactions of a store. Nothing depends on which place's changes arrive first."""

    def __init__(self, reader: MemoryReader) -> None:
        self._reader = reader

    def change(self, request: ChangeNotes, following: int) -> tuple[int, ...]:
        """Write the changes, unless they are there, and return the id of the note that each is about.

        Args:
            following: the version that takes changes.
        """
        rows = [
            _row(tuple_id(request.version, request.place, number), change)
            for number, change in enumerate(request.changes)
        ]
        there = list(note_changes(self._reader, ids_of_process(request.version, request.place)))
        if there:
            if there != [_as_read(row) for row in rows]:
                raise _mismatch(request, f"the {len(there)} changes that are there, got others")
        elif rows:
            if request.version != following:
                raise _mismatch(request, f"changes of version {following}, which is not sealed, got new ones")
            self._write(request, rows)
        return tuple(row[1] for row in rows)

    def _write(self, request: ChangeNotes, rows: Sequence[tuple[Any, ...]]) -> None:
        with_content = [row[0] for row in rows if row[6] is not None]
        if request.vectors and len(request.vectors) != len(with_content):
            got = len(request.vectors)
            raise ValueError(f"place {request.place}: expected {len(with_content)} vectors, got {got}")
        for change, row in zip(request.changes, rows, strict=True):
            if isinstance(change, ReplaceNote) and change.by == change.id:
                raise self._refused(request, "another note to stand in a note's place", change.id)
            for note in named_notes(change):
                self._expect_note(request, row[0], note)
            self._reader.connection.execute(_INSERT, row)
        for identifier, vector in zip(with_content, request.vectors, strict=False):
            self._reader.vectors.insert(identifier, vector, request.embedder)

    def _expect_note(self, request: ChangeNotes, change: int, note: int) -> None:
        if note >= change or not list(self._reader.rows(_ADDED, (note,))):
            raise self._refused(request, "a note that was added before", note)

    def _refused(self, request: ChangeNotes, expected: str, note: int) -> ValueError:
        where = f"version {request.version}, place {request.place}"
        return ValueError(f"memory: {where}: expected {expected}, got {note} ({self._reader.file})")


def named_notes(change: NoteChange) -> tuple[int, ...]:
    """The notes that must be there already."""
    match change:
        case AddNote():
            return ()
        case ReplaceNote(id=of, by=by) if by is not None:
            return of, by
        case _:
            return (change.id,)


def _row(identifier: int, change: NoteChange) -> tuple[Any, ...]:
    match change:
        case AddNote(note=note):
            return (identifier, identifier, *_counters(change), None, *_cells(note))
        case EditNote(id=of, note=note):
            return (identifier, of, 0, 0, 0, None, *_cells(note))
        case ReplaceNote(id=of, by=by):
            return (identifier, of, 0, 0, 0, NO_NOTE if by is None else by, *_cells(None))
        case VoteNote(id=of):
            return (identifier, of, *_counters(change), None, *_cells(None))


def _counters(change: AddNote | VoteNote) -> tuple[int, int, int]:
    return change.helpful, change.harmful, change.recalled


def _cells(note: Note | None) -> tuple[str | None, ...]:
    return tuple(None if note is None else getattr(note, field) for field in FIELDS)


def _as_read(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row as `note_changes` reads it."""
    identifier, note, helpful, harmful, recalled, replaced_by, *content = row
    return (identifier, note, replaced_by, helpful, harmful, recalled, *content)


def _mismatch(request: ChangeNotes, text: str) -> ReplayMismatch:
    where = f"version {request.version}, place {request.place}"
    remedy = f"If the machine crashed, its journal may lack calls: remove {MEMORY_FILE}, and the run builds it again"
    return ReplayMismatch(f"memory: {where}: expected {text}. {remedy}")
