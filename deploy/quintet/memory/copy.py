"""Copies memories or notebooks into another: one to begin a run with, or several merged."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.ids import ids_of_version, place_of, tuple_id
from quintet.memory.notes import changes_in
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import AddNote, EditNote, NoteChange, ReplaceNote
from quintet.messages.store import ChangeNotes, NamedType, Sealed, StoreTuples

_TUPLES_AT_ONCE = 2_000
"""Added in one transaction."""


class MemoryVersion(NamedTuple):
    """A version of a memory or a notebook that can be read."""

    reader: MemoryReader
    version: int

    @property
    def sealed(self) -> Sealed:
        """What it consists of; a `UsageError` if there is no such version."""
        versions = self.reader.versions()
        if self.version not in versions:
            there = "none" if not versions else f"0 to {max(versions)}"
            raise UsageError(f"memory: expected a version ({there}), got {self.version} ({self.reader.file})")
        return versions[self.version]

    @property
    def ids(self) -> range:
        """All ids that it may have."""
        return range(ids_of_version(self.version).stop)


class CopiedProcess(NamedTuple):
    """The tuples of a process, for a new memory."""

    batch: int
    tuples: tuple[MemoryTuple, ...]
    vectors: tuple[bytes, ...]
    """One for each tuple, or none."""
    embedder: str
    """Whose vectors they are; empty: there are none."""


class CopiedPlace(NamedTuple):
    """The changes of a place, for a new notebook."""

    changes: tuple[NoteChange, ...]
    """Of notes that go by their number in the order of entry."""
    vectors: tuple[bytes, ...]
    """One for each content, or none."""
    embedder: str
    """Whose vectors they are; empty: there are none."""


def copy_version(source: MemoryVersion, into: Store) -> Sealed:
    """Copy a version, with all before it, as version 0.

    Args:
        into: without a sealed version. A copy that was cut short may be made again.

    Returns:
        Version 0, sealed. Its digest is that of the source's version, if nothing else was there.

    Raises:
        UsageError: there is no such version, or the source is of another world or kind.
    """
    _copy([source], into)
    return into.seal(0)


def merge_versions(sources: Sequence[MemoryVersion], into: Store) -> Sealed:
    """Copy several versions into one, and seal it: the batch memories of each further one have the next numbers.

    A memory has vectors of one embedder: those of the first source that has any. Others are left out. Notes that say
    the same stay apart.

    Raises:
        UsageError: there is no such version, or a source is of another world or kind.
    """
    _copy(sources, into)
    return into.seal(0)


def _copy(sources: Sequence[MemoryVersion], into: Store) -> None:
    batches, place = 0, 0
    embedder = next((name for source in sources if (name := source.reader.vectors.embedder)), "")
    for source in sources:
        found = source.sealed
        source.reader.expect(into.reader.kind)
        if (world := source.reader.world) != into.reader.world:
            raise UsageError(f"memory: expected one of {into.reader.world}, got one of {world} ({source.reader.file})")
        if source.reader.kind == "notebook":
            place = add_places(into, places_of(source, embedder=embedder), place)
            continue
        for batch, types in types_of(source):
            into.add(StoreTuples(version=0, batch=batches + batch, place=place, processes=(), types=types))
        place = add_in_order(into, processes_of(source, batches=batches, embedder=embedder), place)
        batches += found.batches


def places_of(source: MemoryVersion, *, embedder: str) -> Iterator[CopiedPlace]:
    """The changes of a notebook up to a version, place by place."""
    wanted = source.reader.vectors.embedder == embedder
    numbers: dict[int, int] = {}
    for _, some in groupby(changes_in(source.reader, source.ids), key=lambda row: place_of(row.id)[:2]):
        rows = list(some)
        for row in rows:
            if isinstance(row.change, AddNote):
                numbers[row.id] = len(numbers)
        contents = [row.id for row in rows if isinstance(row.change, AddNote | EditNote)]
        vectors = source.reader.vectors.of(range(rows[0].id, rows[-1].id + 1)) if wanted else {}
        complete = bool(contents) and len(vectors) == len(contents)
        yield CopiedPlace(
            tuple(_renamed(row.change, numbers.__getitem__) for row in rows),
            tuple(vectors[identifier] for identifier in contents) if complete else (),
            embedder if complete else "",
        )


def add_places(into: Store, places: Iterable[CopiedPlace], place: int = 0) -> int:
    """Add the changes of a notebook to version 0 from a place on, and return the place after the last one."""
    ids: list[int] = []
    for each in places:
        asked: list[NoteChange] = []
        for number, change in enumerate(each.changes):
            if isinstance(change, AddNote):
                ids.append(tuple_id(0, place, number))
            asked.append(_renamed(change, ids.__getitem__))
        into.change(
            ChangeNotes(version=0, place=place, changes=tuple(asked), vectors=each.vectors, embedder=each.embedder)
        )
        place += 1
    return place


def _renamed(change: NoteChange, name: Callable[[int], int]) -> NoteChange:
    """A change of the same notes, which go by other numbers."""
    match change:
        case AddNote():
            return change
        case ReplaceNote(id=identifier, by=by):
            return ReplaceNote(id=name(identifier), by=None if by is None else name(by))
        case _:
            return replace(change, id=name(change.id))


def types_of(source: MemoryVersion) -> Iterator[tuple[int, tuple[NamedType, ...]]]:
    """The types of each batch memory, goal types first."""
    rows = source.reader.types(range(source.version + 1))
    for batch, each in groupby(rows, key=lambda row: row.batch):
        yield batch, tuple(row.type for row in each)


def processes_of(source: MemoryVersion, *, batches: int = 0, embedder: str) -> Iterator[CopiedProcess]:
    """The processes of a version in the order of their entry."""
    wanted = source.reader.vectors.embedder == embedder
    for _, rows in groupby(source.reader.tuples(source.ids), key=lambda row: place_of(row.stored.id)[:2]):
        each = list(rows)
        vectors = source.reader.vectors.of(range(each[0].stored.id, each[-1].stored.id + 1))
        complete = wanted and len(vectors) == len(each)
        yield CopiedProcess(
            batches + each[0].batch,
            tuple(row.stored.tuple for row in each),
            tuple(vectors[row.stored.id] for row in each) if complete else (),
            embedder if complete else "",
        )


def add_in_order(into: Store, processes: Iterable[CopiedProcess], place: int = 0) -> int:
    """Add processes to version 0 from a place on, and return the place after the last one."""
    waiting: list[CopiedProcess] = []
    for process in processes:
        full = sum(len(each.tuples) for each in waiting) >= _TUPLES_AT_ONCE
        others = waiting and (waiting[-1].batch, waiting[-1].embedder) != (process.batch, process.embedder)
        if waiting and (full or others):
            _add(into, place, waiting)
            place += len(waiting)
            waiting = []
        waiting.append(process)
    if waiting:
        _add(into, place, waiting)
    return place + len(waiting)


def _add(into: Store, place: int, processes: Sequence[CopiedProcess]) -> None:
    embedder = processes[0].embedder
    into.add(
        StoreTuples(
            version=0,
            batch=processes[0].batch,
            place=place,
            processes=tuple(each.tuples for each in processes),
            vectors=tuple(each.vectors for each in processes) if embedder else (),
            embedder=embedder,
        )
    )
