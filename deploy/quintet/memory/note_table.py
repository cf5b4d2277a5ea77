"""How every note of a notebook stands in a version, in memory: what a search needs of notes that it does not show.

A row is a change. A version is a prefix of the rows, so older versions need no table of their own.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet.memory.number_column import NumberColumn

_CHANGES = """
SELECT id, note, helpful - harmful, replaced_by IS NOT NULL, text IS NOT NULL, section, task_type FROM changes
WHERE id >= ? AND id < ? ORDER BY id
"""


class NoteStandings(NamedTuple):
    """The notes of a version, in the order of their entry."""

    ids: NDArray[np.int64]
    contents: NDArray[np.int64]
    """The ids of the changes that they have their contents from."""
    active: NDArray[np.bool_]
    votes: NDArray[np.int64]
    """Helpful ones less harmful ones."""
    sections: NDArray[np.int32]
    task_types: NDArray[np.int32]
    """Names go by their number; see `NoteTable.number`."""


class NoteTable:
    """The changes of a notebook as columns. What a version adds is read once; the standings of one version are kept.

    Args:
        select: reads rows of the notebook.
    """

    def __init__(self, select: Callable[[str, Sequence[object]], Iterator[tuple[Any, ...]]]) -> None:
        self._select = select
        self._before = 0
        self._changes, self._added = NumberColumn(np.int64), NumberColumn(np.int64)
        self._notes, self._votes = NumberColumn(np.int64), NumberColumn(np.int64)
        self._replaces, self._has_content = NumberColumn(np.bool_), NumberColumn(np.bool_)
        self._sections, self._task_types = NumberColumn(np.int32), NumberColumn(np.int32)
        self._numbers: dict[str | None, int] = {}
        self._kept: tuple[int, NoteStandings] | None = None

    def number(self, name: str) -> int:
        """The number of a section or of a task type; -1: no note has it."""
        return self._numbers.get(name, -1)

    def standings(self, before: int) -> NoteStandings:
        """The notes as changes below an id left them.

        Raises:
            TypeError, ValueError: the changes are damaged.
        """
        if self._before < before:
            self._read(before)
        if self._kept is None or self._kept[0] != before:
            self._kept = before, self._standings(before)
        return self._kept[1]

    def note_of(self, content: int, standings: NoteStandings) -> int | None:
        """The place among notes of the one that has this content; None: it was edited since.

        Raises:
            LookupError: there is no such content.
        """
        changes = self._changes.values
        row = int(np.searchsorted(changes, content))
        if row == len(changes) or changes[row] != content or not self._has_content.values[row]:
            raise LookupError(f"an index that names {content}, which is no content of a note")
        place = int(self._notes.values[row])
        return place if standings.contents[place] == content else None

    def _read(self, before: int) -> None:
        rows = list(self._select(_CHANGES, (self._before, before)))
        self._before = before
        if not rows:
            return
        changes, notes, votes, replaces, has_content, sections, task_types = zip(*rows, strict=True)
        ids, about = np.array(changes, np.int64), np.array(notes, np.int64)
        self._added.put(len(self._added), ids[ids == about])
        start = len(self._changes)
        self._changes.put(start, ids)
        self._notes.put(start, np.searchsorted(self._added.values, about))
        self._votes.put(start, np.array(votes, np.int64))
        self._replaces.put(start, np.array(replaces, np.bool_))
        self._has_content.put(start, np.array(has_content, np.bool_))
        self._sections.put(start, self._numbered(sections))
        self._task_types.put(start, self._numbered(task_types))

    def _numbered(self, names: Sequence[str | None]) -> NDArray[np.int32]:
        return np.array([self._numbers.setdefault(name, len(self._numbers)) for name in names], np.int32)

    def _standings(self, before: int) -> NoteStandings:
        size = int(np.searchsorted(self._changes.values, before))
        changes, notes = self._changes.values[:size], self._notes.values[:size]
        ids = self._added.values[: int(np.searchsorted(self._added.values, before))]
        active = np.ones(len(ids), np.bool_)
        active[notes[self._replaces.values[:size]]] = False
        having = np.flatnonzero(self._has_content.values[:size])
        rows = np.zeros(len(ids), np.int64)
        rows[notes[having]] = having  # of several contents the last one stays
        return NoteStandings(
            ids=ids,
            contents=changes[rows],
            active=active,
            votes=np.bincount(notes, self._votes.values[:size], len(ids)).astype(np.int64),
            sections=self._sections.values[rows],
            task_types=self._task_types.values[rows],
        )
