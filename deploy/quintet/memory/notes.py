"""Reads a notebook: its notes, each as it is in a version, and the changes that led to them."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from quintet.errors import ReplayMismatch
from quintet.memory.ids import place_of
from quintet.memory.reader import MemoryReader
from quintet.messages.notes import AddNote, EditNote, Note, NoteChange, ReplaceNote, StoredNote, VoteNote

NO_NOTE: Final = -1
"""Stands in the column `replaced_by` where no other note stands in a note's place."""

FIELDS: Final = Note.__struct_fields__
"""The columns of a note's content."""

_CHANGES = f"""
SELECT id, note, replaced_by, helpful, harmful, recalled, {", ".join(FIELDS)} FROM changes
WHERE id BETWEEN ? AND ? ORDER BY id
"""
_REPLACED = "replaced_by IS NOT NULL"
_NOTE = f"""
SELECT content.id, counted.*, (
    SELECT replaced_by FROM changes WHERE note = :note AND id < :limit AND {_REPLACED} ORDER BY id LIMIT 1
), {", ".join(f"content.{field}" for field in FIELDS)}
FROM changes AS content, (
    SELECT sum(helpful), sum(harmful), sum(recalled) FROM changes WHERE note = :note AND id < :limit
) AS counted
WHERE content.note = :note AND content.id < :limit AND text IS NOT NULL ORDER BY content.id DESC LIMIT 1
"""
_NEWLY_REPLACED = f"""
SELECT count(DISTINCT note) FROM changes AS here WHERE id BETWEEN ?1 AND ?2 AND {_REPLACED}
AND NOT EXISTS (SELECT 1 FROM changes WHERE note = here.note AND id < ?1 AND {_REPLACED})
"""


class FoundNote(NamedTuple):
    """A note as it is in a version."""

    stored: StoredNote
    content: int
    """The id of the change that it has its content from."""


class ChangeRow(NamedTuple):
    """A change of a notebook."""

    id: int
    note: int
    """The note that it is about."""
    change: NoteChange


def note_changes(reader: MemoryReader, ids: range) -> Iterator[tuple[Any, ...]]:
    """The changes whose ids lie in a range, in their order, as cells: id, note, replaced by, counters, content."""
    return reader.rows(_CHANGES, (ids.start, ids.stop - 1))


def changes_in(reader: MemoryReader, ids: range) -> Iterator[ChangeRow]:
    """The same as a learner asked for them."""
    for identifier, note, replaced_by, helpful, harmful, recalled, *content in note_changes(reader, ids):
        counters = {"helpful": helpful, "harmful": harmful, "recalled": recalled}
        change: NoteChange
        if replaced_by is not None:
            change = ReplaceNote(id=note, by=None if replaced_by == NO_NOTE else replaced_by)
        elif content[0] is None:
            change = VoteNote(id=note, **counters)
        elif identifier == note:
            change = AddNote(note=_note(content), **counters)
        else:
            change = EditNote(id=note, note=_note(content))
        yield ChangeRow(identifier, note, change)


def count_replaced(reader: MemoryReader, ids: range) -> int:
    """How many notes the changes in a range replace that were active before."""
    return next(int(count) for (count,) in reader.rows(_NEWLY_REPLACED, (ids.start, ids.stop - 1)))


def find_note(reader: MemoryReader, identifier: int, before: int) -> FoundNote | None:
    """A note as changes below an id left it; None: there is none of this id."""
    for content, helpful, harmful, recalled, replaced_by, *cells in reader.rows(
        _NOTE, {"note": identifier, "limit": before}
    ):
        stored = StoredNote(
            id=identifier,
            note=_note(cells),
            helpful=helpful,
            harmful=harmful,
            recalled=recalled,
            state="active" if replaced_by is None else "replaced",
            replaced_by=None if replaced_by == NO_NOTE else replaced_by,
        )
        return FoundNote(stored, content)
    return None


def fetch_notes(reader: MemoryReader, ids: Iterable[int], version: int) -> tuple[StoredNote, ...]:
    """Notes by id, in the order of the ids; a `ReplayMismatch` if there is none of an id."""
    before, found = reader.limit(version), list[StoredNote]()
    for identifier in ids:
        note = find_note(reader, identifier, before)
        if note is None:
            of, place, number = place_of(identifier)
            where = f"note {number} of place {place} in version {of}"
            raise ReplayMismatch(f"memory: expected {where}, found none ({reader.file})")
        found.append(note.stored)
    return tuple(found)


def notes_in(reader: MemoryReader, version: int) -> Iterator[StoredNote]:
    """All notes of a version, active or not, in the order of their entry."""
    before = reader.limit(version)
    for (identifier,) in reader.rows("SELECT id FROM changes WHERE id = note AND id < ? ORDER BY id", (before,)):
        if found := find_note(reader, identifier, before):
            yield found.stored


def _note(cells: Iterable[Any]) -> Note:
    return Note(**dict(zip(FIELDS, cells, strict=True)))
