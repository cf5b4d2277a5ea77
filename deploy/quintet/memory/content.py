"""What a person sees: a memory's types with counts and examples, its tuples or notes, and those that a search finds."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from quintet.memory.copy import MemoryVersion
from quintet.memory.ids import place_of
from quintet.memory.note_search import ranked_notes
from quintet.memory.notes import find_note, notes_in
from quintet.memory.reader import TupleRow
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import StoredNote
from quintet.messages.store import ListTypes


class ShownType(Struct, frozen=True, kw_only=True):
    """A type of a batch memory."""

    batch: int
    goal_type: int
    observation_type: int | None
    """None: it is a goal type."""
    name: str
    tuples: int
    examples: tuple[str, ...]


class ShownTuple(Struct, frozen=True, kw_only=True):
    """A tuple and where it comes from."""

    version: int
    """That it came in with; of a copied memory 0."""
    place: int
    """Of its process in the version."""
    number: int
    """In its process, from 0."""
    batch: int
    tuple: MemoryTuple
    score: float | None = None
    """BM25 within its type; None: it was not searched by words."""


class ShownNote(Struct, frozen=True, kw_only=True):
    """A note and where it comes from."""

    version: int
    """That it came in with; of a copied notebook 0."""
    place: int
    """Of the change that added it, in the version."""
    number: int
    """Of that change in its place, from 0."""
    stored: StoredNote
    score: float | None = None
    """BM25; None: it was not searched by words."""


class ShownSection(Struct, frozen=True, kw_only=True):
    """A section of a notebook."""

    section: str
    notes: int
    """That are active."""
    helpful: int
    harmful: int


def shown_notes(
    source: MemoryVersion, section: str | None = None, *, first: int = 0, most: int | None = None
) -> Iterator[ShownNote]:
    """Notes, active or not, in the order of their entry: of a section or of all, at most so many from a number on."""
    found = (each for each in notes_in(*source) if section in (None, each.note.section))
    yield from map(_shown_note, islice(found, first, None if most is None else first + most))


def shown_sections(source: MemoryVersion) -> list[ShownSection]:
    """The sections of a notebook that have active notes, in the order of their entry."""
    found: dict[str, list[StoredNote]] = {}
    for each in notes_in(*source):
        if each.state == "active":
            found.setdefault(each.note.section, []).append(each)
    return [
        ShownSection(
            section=section,
            notes=len(notes),
            helpful=sum(each.helpful for each in notes),
            harmful=sum(each.harmful for each in notes),
        )
        for section, notes in found.items()
    ]


def search_notes(source: MemoryVersion, words: str, section: str | None, most: int) -> list[ShownNote]:
    """The active notes that have the words, the best first."""
    found = ranked_notes(source.reader, source.version, words, section or "")
    return [_shown_note(each, score) for score, each in islice(found, most)]


def note_ids(source: MemoryVersion, ids: Iterable[int]) -> Iterator[ShownNote]:
    """The notes of some ids, in their order. An id that no note has is passed over."""
    before = source.reader.limit(source.version)
    for identifier in ids:
        if found := find_note(source.reader, identifier, before):
            yield _shown_note(found.stored)


def _shown_note(stored: StoredNote, score: float | None = None) -> ShownNote:
    version, place, number = place_of(stored.id)
    return ShownNote(version=version, place=place, number=number, stored=stored, score=score)


def shown_types(source: MemoryVersion, batches: Iterable[int], *, examples: int) -> Iterator[ShownType]:
    """The types of batch memories that have tuples: each goal type, and then its observation types."""
    reader, version = source
    for batch in batches:
        goals = ListTypes(version=version, batch=batch, examples=examples)
        for goal in reader.list_types(goals):
            for each in (goal, *reader.list_types(replace(goals, goal_type=goal.number))):
                yield ShownType(
                    batch=batch,
                    goal_type=goal.number,
                    observation_type=None if each is goal else each.number,
                    name=each.name,
                    tuples=each.tuples,
                    examples=each.examples,
                )


class TupleFilter(Struct, frozen=True, kw_only=True):
    """Which tuples are looked at; None: all."""

    batch: int | None = None
    goal_type: int | None = None
    observation_type: int | None = None

    def takes(self, batch: int, goal_type: int, observation_type: int) -> bool:
        """Whether tuples of a type are looked at."""
        wanted = (self.batch, self.goal_type, self.observation_type)
        found = (batch, goal_type, observation_type)
        return all(one is None or one == other for one, other in zip(wanted, found, strict=True))


def shown_tuples(
    source: MemoryVersion, wanted: TupleFilter, *, first: int = 0, most: int | None = None
) -> Iterator[ShownTuple]:
    """Tuples in the order of their entry: of those that are wanted, at most so many from number `first` on."""
    rows = source.reader.tuples(source.ids)
    found = (
        row for row in rows if wanted.takes(row.batch, row.stored.tuple.goal_type, row.stored.tuple.observation_type)
    )
    yield from map(_shown, islice(found, first, None if most is None else first + most))


def shown_ids(source: MemoryVersion, ids: Iterable[int]) -> Iterator[ShownTuple]:
    """The tuples of some ids, in the order of the ids. An id that no tuple has is passed over."""
    for identifier in ids:
        yield from map(_shown, source.reader.tuples(range(identifier, identifier + 1)))


def search_words(source: MemoryVersion, words: str, wanted: TupleFilter, most: int) -> Sequence[ShownTuple]:
    """The tuples that have the words, the best first. Scores within different types compare only roughly."""
    reader, version = source
    scored: list[tuple[float, int, int]] = []
    for row in list(reader.types(range(version + 1))):
        goal_type, number = row.type.goal_type, row.type.number
        if goal_type is None or not wanted.takes(row.batch, goal_type, number):
            continue
        type_id = reader.type_id(row.batch, goal_type, number)
        if type_id is not None:
            best = reader.words.ranked(type_id, reader.limit(version), words)
            found = ((score, each, row.batch) for score, each in best if score > 0)
            scored = nlargest(most, [*scored, *islice(found, most)])
    tuples = reader.fetch(identifier for _, identifier, _ in scored)
    return [_shown(TupleRow(batch, each), score) for each, (score, _, batch) in zip(tuples, scored, strict=True)]


def _shown(row: TupleRow, score: float | None = None) -> ShownTuple:
    version, place, number = place_of(row.stored.id)
    return ShownTuple(version=version, place=place, number=number, batch=row.batch, tuple=row.stored.tuple, score=score)
