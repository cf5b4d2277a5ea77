"""A version of a memory or a notebook as JSON Lines: what it is, all that it has, and a last line that says so.

A plain file of notes, one a line, is read into a notebook, too.
"""

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.errors import ReplayMismatch, UsageError, one_line, utf8
from quintet.memory.copy import (
    CopiedPlace,
    CopiedProcess,
    MemoryVersion,
    add_in_order,
    add_places,
    places_of,
    processes_of,
    types_of,
)
from quintet.memory.note_writer import named_notes
from quintet.memory.store import Store
from quintet.messages.learning import MemoryKind
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import AddNote, EditNote, Increment, Note, NoteChange
from quintet.messages.parts import BatchNumber
from quintet.messages.store import ChangeNotes, NamedType, Sealed, StoreTuples
from quintet.models.embedding.vectors import check_vector
from quintet.plugins.files import limited_lines

LINES_FORMAT = 2
"""Of the lines and of the digest in the first one."""

_HIGHEST = 1_000_000
"""Number of a batch memory or of a type."""

_LONGEST_LINE = 2**26
"""Bytes."""


class _Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="line"):
    """A line; its first field says what it is."""


class HeadLine(_Line, frozen=True, kw_only=True, tag="memory"):
    """The first line."""

    format: int
    kind: MemoryKind = "memory"
    world: str
    digest: str
    """Of the version."""
    embedder: str = ""
    """Whose vectors the tuples have; empty: they have none."""


class TypeLine(_Line, frozen=True, kw_only=True, tag="type"):
    """A type; all types come before the tuples."""

    batch: BatchNumber
    type: NamedType


class TupleLine(_Line, frozen=True, kw_only=True, tag="tuple"):
    """A tuple, in order of entry."""

    process: int
    """From 0; the tuples of a process follow each other."""
    batch: BatchNumber
    tuple: MemoryTuple
    vector: bytes | None = None
    """In Base64."""


class ChangeLine(_Line, frozen=True, kw_only=True, tag="change"):
    """A change of a notebook, in order."""

    place: int
    """From 0; the changes of a place follow each other."""
    change: NoteChange
    """Of notes that go by their number in the order of entry, from 0."""
    vector: bytes | None = None
    """Of its content, in Base64."""


class PlainNote(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a plain file: a note as a person writes it."""

    text: Annotated[str, Meta(min_length=1)]
    title: str = ""
    description: str = ""
    section: str = ""
    task_type: str = ""
    about: str = ""
    helpful: Increment = 0
    harmful: Increment = 0


class EndLine(_Line, frozen=True, kw_only=True, tag="end"):
    """The last line."""

    lines: int
    """Before it."""
    digest: str
    """SHA-256 of those lines, in hex."""


_AnyLine: TypeAlias = HeadLine | TypeLine | TupleLine | ChangeLine | EndLine
_DECODER: msgspec.json.Decoder[_AnyLine] = msgspec.json.Decoder(_AnyLine)


def write_lines(lines: Iterable[bytes], file: Path) -> int:
    """Write a new file, all or nothing; the number of lines. A `UsageError` if it exists or cannot be written."""
    part = file.with_name(f"{file.name}.part")
    written = 0
    try:
        with part.open("wb") as out:
            for line in lines:
                out.write(line)
                written += 1
        os.link(part, file)  # unlike a rename it replaces no file
    except OSError as error:
        raise UsageError(f"export: expected a new file, got {error.strerror or error} ({file})") from error
    finally:
        part.unlink(missing_ok=True)
    return written


def encoded_lines(source: MemoryVersion) -> Iterator[bytes]:
    """The lines of a version, each with its line break."""
    digest, lines = sha256(), 0
    for line in _lines(source):
        encoded = msgspec.json.encode(line) + b"\n"
        digest.update(encoded)
        lines += 1
        yield encoded
    yield msgspec.json.encode(EndLine(lines=lines, digest=digest.hexdigest())) + b"\n"


def _lines(source: MemoryVersion) -> Iterator[_AnyLine]:
    yield HeadLine(
        format=LINES_FORMAT,
        kind=source.reader.kind,
        world=source.reader.world,
        digest=source.sealed.digest,
        embedder=source.reader.vectors.embedder,
    )
    if source.reader.kind == "notebook":
        yield from _change_lines(source)
        return
    for batch, types in types_of(source):
        yield from (TypeLine(batch=batch, type=each) for each in types)
    for number, process in enumerate(processes_of(source, embedder=source.reader.vectors.embedder)):
        vectors = process.vectors or (None,) * len(process.tuples)
        for each, vector in zip(process.tuples, vectors, strict=True):
            yield TupleLine(process=number, batch=process.batch, tuple=each, vector=vector)


def _change_lines(source: MemoryVersion) -> Iterator[ChangeLine]:
    for number, place in enumerate(places_of(source, embedder=source.reader.vectors.embedder)):
        vectors = iter(place.vectors)
        for change in place.changes:
            vector = next(vectors, None) if isinstance(change, AddNote | EditNote) else None
            yield ChangeLine(place=number, change=change, vector=vector)


def numbered_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, numbered from 1; a `UsageError` if there is none or it is unreadable."""
    empty = True
    try:
        for number, line in limited_lines(file, _LONGEST_LINE):
            if (text := line.removeprefix(BOM_UTF8) if number == 1 else line).strip():
                empty = False
                yield number, text
    except OSError as error:
        raise UsageError(f"import: expected a file that can be read, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"import: {error}") from error
    if empty:
        raise UsageError(f"import: expected an export or a note a line, got an empty file ({file})")


class ExportedMemory:
    """Reads an export, line by numbered line: the first at once, and the others when it is imported.

    Raises:
        UsageError: there is no first line, or it is not of this format.
    """

    def __init__(self, lines: Iterator[tuple[int, bytes]], name: str) -> None:
        number, first = next(lines, (1, b""))
        head = _read(number, first, name)
        if not isinstance(head, HeadLine):
            raise _wrong(number, "the line of a memory", head, name)
        if head.format != LINES_FORMAT:
            found = (
                f"got {head.format}; use the {'older' if head.format < LINES_FORMAT else 'newer'} quintet that wrote it"
            )
            raise UsageError(f"import: line {number}: expected format {LINES_FORMAT}, {found} ({name})")
        self.head = head
        self._lines = lines
        self._name = name
        self._digest = sha256(_with_break(first))

    def import_into(self, store: Store) -> Sealed:
        """Read it into a store of its world as version 0, sealed; a `UsageError` if a line is wrong or missing."""
        try:
            if self.head.kind == "notebook":
                grouped = groupby(self._changes(), key=lambda line: line.place)
                add_places(store, (_place(list(lines), self.head.embedder) for _, lines in grouped))
            else:
                processes = groupby(self._tuples(store), key=lambda line: line.process)
                add_in_order(store, (_process(list(lines), self.head.embedder) for _, lines in processes))
        except ValueError as error:
            raise UsageError(f"import: {error} ({self._name})") from error
        sealed = store.seal(0)
        if sealed.digest != self.head.digest:
            expected = f"expected types and tuples of the digest {self.head.digest}, which the first line says"
            raise UsageError(f"import: {expected}, got {sealed.digest} ({self._name})")
        return sealed

    def _tuples(self, into: Store) -> Iterator[TupleLine]:
        """The tuples; types are stored on the way."""
        for number, line in self._content():
            match line:
                case TypeLine():
                    self._store(into, number, line)
                case TupleLine():
                    yield line
                case _:
                    raise _wrong(number, "a type, a tuple or the end", line, self._name)

    def _changes(self) -> Iterator[ChangeLine]:
        added = 0
        for number, line in self._content():
            if not isinstance(line, ChangeLine):
                raise _wrong(number, "a change or the end", line, self._name)
            if unknown := [note for note in named_notes(line.change) if note >= added]:
                expected = f"expected a change of one of the {added:,} notes before it"
                raise UsageError(f"import: line {number}: {expected}, got one of note {unknown[0]:,} ({self._name})")
            added += isinstance(line.change, AddNote)
            yield line

    def _content(self) -> Iterator[tuple[int, _AnyLine]]:
        """The lines before the last one, which says that they are all."""
        for number, encoded in self._lines:
            line = _read(number, encoded, self._name)
            if isinstance(line, EndLine):
                self._check(number, line)
                return
            yield number, line
            self._digest.update(_with_break(encoded))
        raise UsageError(f"import: expected a last line of the end, got none: the file is cut off ({self._name})")

    def _store(self, into: Store, number: int, line: TypeLine) -> None:
        if (found := max(line.batch, line.type.number)) > _HIGHEST:
            at_most = f"expected a batch memory and a type of at most {_HIGHEST:,}"
            raise UsageError(f"import: line {number}: {at_most}, got {found:,} ({self._name})")
        try:
            into.add(StoreTuples(version=0, batch=line.batch, place=0, processes=(), types=(line.type,)))
        except ReplayMismatch as error:
            raise UsageError(f"import: line {number}: {error} ({self._name})") from error

    def _check(self, number: int, end: EndLine) -> None:
        if end.lines != number - 1:
            raise UsageError(f"import: expected {end.lines:,} lines before the end, got {number - 1:,} ({self._name})")
        if end.digest != self._digest.hexdigest():
            raise UsageError(f"import: expected the lines that were exported, got others ({self._name})")


def _with_break(line: bytes) -> bytes:
    """A line with one line feed, whatever ended it."""
    return line.rstrip(b"\r\n") + b"\n"


def _process(lines: list[TupleLine], embedder: str) -> CopiedProcess:
    vectors = tuple(line.vector for line in lines if line.vector is not None)
    for vector in vectors:
        check_vector(vector)
    complete = len(vectors) == len(lines)
    return CopiedProcess(
        lines[0].batch,
        tuple(line.tuple for line in lines),
        vectors if complete else (),
        embedder if complete else "",
    )


def _place(lines: list[ChangeLine], embedder: str) -> CopiedPlace:
    vectors = tuple(line.vector for line in lines if line.vector is not None)
    for vector in vectors:
        check_vector(vector)
    complete = bool(vectors) and len(vectors) == sum(isinstance(line.change, AddNote | EditNote) for line in lines)
    return CopiedPlace(tuple(line.change for line in lines), vectors if complete else (), embedder if complete else "")


def is_export(first: bytes) -> bool:
    """Whether a file that begins with a line is an export; if not, it is one of plain notes."""
    try:
        return "line" in msgspec.json.decode(first, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return True  # which says what is wrong with it


def import_notes(lines: Iterable[tuple[int, bytes]], name: str, store: Store) -> Sealed:
    """Read a plain file of notes, a `PlainNote` a line, into a notebook as version 0, sealed.

    Raises:
        UsageError: a line is no note, with the line and the field.
    """
    name = utf8(name)
    for place, (number, line) in enumerate(lines):
        where = f"{name}, line {number}"
        try:
            plain = msgspec.json.decode(line, type=PlainNote)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(f"import: expected a note, got another: {one_line(error)} ({where})") from error
        counters = {"helpful": plain.helpful, "harmful": plain.harmful}
        given = {field: value for field, value in msgspec.structs.asdict(plain).items() if field not in counters}
        note = Note(**given, episode=where)
        store.change(ChangeNotes(version=0, place=place, changes=(AddNote(note=note, **counters),)))
    return store.seal(0)


def _read(number: int, line: bytes, name: str) -> _AnyLine:
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        expected = "expected a line that `quintet memory export` wrote"
        raise UsageError(f"import: line {number}: {expected}, got another: {one_line(error)} ({name})") from error


def _wrong(number: int, expected: str, line: _AnyLine, name: str) -> UsageError:
    found = line.__struct_config__.tag
    return UsageError(f"import: line {number}: expected {expected}, got one of {found!r} ({name})")
