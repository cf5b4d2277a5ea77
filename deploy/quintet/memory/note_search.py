"""Looks up notes: all, those for a task's type, the best by votes, or the nearest by words or embedding."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.budget import within
from quintet.memory.notes import find_note
from quintet.memory.reader import MemoryReader
from quintet.messages.notes import StoredNote
from quintet.messages.parts import BY_GOAL, BY_TASK, Retrieval
from quintet.messages.store import FindNotes, NotesFound

if TYPE_CHECKING:  # numpy costs a tenth of a second, and most runs have no notebook
    import numpy as np
    from numpy.typing import NDArray

    from quintet.memory.note_table import NoteStandings

_NOTEBOOK = 0
"""The group of its documents, and of its vectors."""


class _Near(NamedTuple):
    """A note that was found."""

    place: int
    """Among the notes of the version, in the order of their entry."""
    score: float | None = None
    """None: not by nearness."""


class _Scored(NamedTuple):
    note: StoredNote
    score: float | None


def find_notes(reader: MemoryReader, request: FindNotes) -> NotesFound:
    """The notes that a request looks for.

    They are taken one after the other, at most as many as are wanted, until one does not fit the budget any more. One
    that is larger than the whole budget is passed over, and does not count. Shuffled ones are as many for another task,
    and none of those in whose place they are.

    Raises:
        UsageError: it is no notebook, or cannot be searched in this way.
        ValueError: the version is not sealed.
    """
    reader.expect("notebook")
    search = _Search(reader, request, reader.limit(request.version))
    taken, left_out = search.taken()
    if request.shuffled:
        taken = _for_another_task(search, taken)
    elif request.retrieval in ("all", "type"):
        taken = taken[::-1]
    scores = tuple(each.score for each in taken if each.score is not None)
    return NotesFound(notes=tuple(each.note for each in taken), scores=scores, left_out=left_out)


@dataclass(frozen=True)
class _Search:
    reader: MemoryReader
    request: FindNotes
    before: int
    """The first id that the version lacks."""

    @cached_property
    def standings(self) -> "NoteStandings":
        try:
            return self.reader.notes.standings(self.before)
        except (TypeError, ValueError, OverflowError) as error:
            raise self.reader.fault(ValueError(f"damaged changes of notes: {error}")) from error

    @cached_property
    def wanted(self) -> "NDArray[np.bool_]":
        """By note, whether it is active, in the section, and for the task's type."""
        found, number, wanted = self.standings.active, self.reader.notes.number, self.request
        if wanted.section:
            found = found & (self.standings.sections == number(wanted.section))
        return found & self.of_type if wanted.retrieval == "type" else found

    @property
    def of_type(self) -> "NDArray[np.bool_]":
        """By note, whether it is for the task's type or for all."""
        types, number = self.standings.task_types, self.reader.notes.number
        found: NDArray[np.bool_] = (types == number("")) | (types == number(self.request.task_type))
        return found

    def taken(self) -> tuple[list[_Scored], int]:
        """The notes, in the order in which they are taken, and how many more the budget left out."""
        most, found = self.request.most, self.candidates()
        if self.request.retrieval not in BY_GOAL:
            there = int(self.wanted.sum())
            there = there if most is None else min(most, there)
        else:
            # There is always a next nearest, so without `most` none counts as left out.
            first = [] if most is None else list(islice(found, most))
            there, found = len(first), chain(first, found)
        taken = self.fitting(map(self.read, found), most)
        return taken, max(0, there - len(taken))

    def fitting(self, notes: Iterable[_Scored], most: int | None) -> list[_Scored]:
        """At most so many of them, as the budget has room."""
        budget = self.request.budget
        fit = notes if budget is None else within(budget, notes, size=lambda each: each.note.note.size)
        return list(islice(fit, most))

    def read(self, found: _Near) -> _Scored:
        """A note from the file."""
        identifier = int(self.standings.ids[found.place])
        note = find_note(self.reader, identifier, self.before)
        if note is None:
            raise self.reader.fault(ValueError(f"a note without a content: {identifier}"))
        return _Scored(note.stored, found.score)

    def candidates(self) -> Iterator[_Near]:
        """The notes that are wanted, in the order in which they are taken."""
        return _CANDIDATES[self.request.retrieval](self)

    def newest(self) -> Iterator[_Near]:
        return (_Near(int(place)) for place in self.wanted.nonzero()[0][::-1])

    def best(self) -> Iterator[_Near]:
        """Those with the most helpful votes less harmful ones, of equals the newest."""
        from quintet.memory.bm25 import best_first

        places = self.wanted.nonzero()[0]
        return (_Near(int(places[each])) for each in best_first(self.standings.votes[places].astype(float)))

    def by_words(self) -> Iterator[_Near]:
        for score, content in self.reader.words.ranked(_NOTEBOOK, self.before, self.request.query):
            if score <= 0:
                return
            yield from self.having(content, round(score, 6))

    def by_embedding(self) -> Iterator[_Near]:
        request = self.request
        near = self.reader.vectors.in_order(_NOTEBOOK, request.version, self.before, request.vector, request.embedder)
        for cosine, content in near:
            yield from self.having(content, cosine)

    def having(self, content: int, score: float) -> Iterator[_Near]:
        """The wanted note that has this content, if there is one."""
        try:
            place = self.reader.notes.note_of(content, self.standings)
        except LookupError as error:
            raise self.reader.fault(error) from error
        if place is not None and self.wanted[place]:
            yield _Near(place, score)


_CANDIDATES: Mapping[Retrieval, Callable[[_Search], Iterator[_Near]]] = {
    "all": _Search.newest,
    "type": _Search.newest,
    "best": _Search.best,
    "lexical": _Search.by_words,
    "embedding": _Search.by_embedding,
}


def ranked_notes(reader: MemoryReader, version: int, words: str, section: str) -> Iterator[tuple[float, StoredNote]]:
    """The active notes of a version, or of a section of it, that have one of the words: with scores, the best first."""
    request = FindNotes(version=version, retrieval="lexical", query=words, section=section)
    search = _Search(reader, request, reader.limit(version))
    return ((score or 0.0, note) for note, score in map(search.read, search.candidates()))


def _for_another_task(search: _Search, found: Iterable[_Scored]) -> list[_Scored]:
    """What would be recalled for the task that another note is about, which is drawn by seed and query."""
    request, taken = search.request, {each.note.id for each in found}
    if request.retrieval not in BY_TASK:
        raise UsageError(
            f"shuffled: expected a retrieval that differs from task to task ({', '.join(BY_TASK)}), got "
            f"{request.retrieval!r}"
        )
    drawn = _drawn(search, taken) if taken else None
    if drawn is None:
        return []
    place, note = drawn
    content = int(search.standings.contents[place])
    vector = search.reader.vectors.of(range(content, content + 1)).get(content, b"")
    asked = replace(request, query=note.note.found_by, task_type=note.note.task_type, vector=vector)
    other = _Search(search.reader, asked, search.before)
    notes = map(other.read, other.candidates())
    return other.fitting(
        (each for each in notes if each.note.id not in taken and not _is_of_this_task(request, each.note)), len(taken)
    )


def _drawn(search: _Search, taken: set[int]) -> tuple[int, StoredNote] | None:
    """A note that is about another task, and its place; None: there is none."""
    import numpy as np

    request, standings = search.request, search.standings
    everything = _Search(search.reader, replace(request, retrieval="all"), search.before).wanted
    free = everything & ~np.isin(standings.ids, list(taken))
    others = np.flatnonzero(free & ~search.of_type if request.retrieval == "type" else free)
    key = f"{request.seed} {request.task_type} {request.query}".encode()
    number = int.from_bytes(blake2b(key, digest_size=8).digest())
    for turn in range(len(others)):
        place = int(others[(number + turn) % len(others)])
        note = search.read(_Near(place)).note
        if not _is_of_this_task(request, note):
            return place, note
    return None


def _is_of_this_task(request: FindNotes, found: StoredNote) -> bool:
    if request.retrieval == "type":
        return found.note.task_type in ("", request.task_type)
    return found.note.found_by == request.query
