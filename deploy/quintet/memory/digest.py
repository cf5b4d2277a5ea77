"""What a version consists of, with its digest: computed when it is sealed, and again whenever its memory is opened.

A digest is of content alone: SHA-256 of the last link of a chain and of the types. A link is SHA-256 of the link
before, and of the batch and the tuples of a process, or of the changes of a place, in which a note goes by its number
in the order of entry. So a digest covers all versions before, and a copy that has them as one version has the same
digest.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from quintet.errors import UsageError
from quintet.memory.ids import ids_of_version, place_of
from quintet.memory.notes import NO_NOTE, count_replaced, note_changes
from quintet.memory.reader import MemoryReader
from quintet.messages.learning import MemoryKind
from quintet.messages.store import Sealed

_TYPES = """
SELECT coalesce(max(batch), 0), count(*) FILTER (WHERE goal_type = 0), count(*) FILTER (WHERE goal_type <> 0)
FROM types WHERE version <= ?
"""
_NAMES = """
SELECT batch, goal_type, number, name FROM types WHERE version <= ? ORDER BY batch, goal_type, number
"""
_THERE = "SELECT type, id >> 48 AS version, count(*) AS tuples FROM tuples WHERE id >> 48 <= :newest GROUP BY 1, 2"
_COUNTED = "SELECT type, version, tuples FROM counts WHERE version <= :newest"
_MISCOUNTED = f"""
SELECT batch, goal_type, number FROM (
    SELECT * FROM ({_THERE} EXCEPT {_COUNTED}) UNION ALL SELECT * FROM ({_COUNTED} EXCEPT {_THERE})
) AS other LEFT JOIN types ON types.id = other.type LIMIT 1
"""
"""Types that are listed with more or fewer tuples than they have, or not at all."""

_encode = msgspec.msgpack.Encoder().encode


class VersionContent(NamedTuple):
    """What a memory has, up to a version."""

    sealed: Sealed
    """What the version consists of."""
    link: bytes
    """The last of the chain."""
    added: Mapping[int, int] = {}
    """The numbers of the notes that the version added, by id."""


class VersionChain:
    """The versions of a memory so far, each of which follows from the one before it and from what it added."""

    def __init__(self) -> None:
        self._last = VersionContent(Sealed(added=0, digest=""), b"")
        self._numbers: dict[int, int] = {}

    def append(self, content: VersionContent) -> None:
        """Go on to the version that follows."""
        self._last = content
        self._numbers |= content.added

    def following(self, reader: MemoryReader, version: int) -> VersionContent:
        """The content up to the version that follows, as its file has it now."""
        return self._notes(reader, version) if reader.kind == "notebook" else self._tuples(reader, version)

    def _tuples(self, reader: MemoryReader, version: int) -> VersionContent:
        link, added = self._linked(reader.tuple_cells(ids_of_version(version)))
        digest = sha256(link)
        for row in reader.rows(_NAMES, (version,)):
            digest.update(_encode(row))
        ((batches, goal_types, observation_types),) = reader.rows(_TYPES, (version,))
        sealed = Sealed(
            batches=batches,
            tuples=self._last.sealed.tuples + added,
            added=added,
            goal_types=goal_types,
            observation_types=observation_types,
            digest=digest.hexdigest(),
        )
        return VersionContent(sealed, link)

    def _notes(self, reader: MemoryReader, version: int) -> VersionContent:
        before = self._last.sealed
        numbers: dict[int, int] = {}

        def number(identifier: int | None) -> int | None:
            if identifier is None or identifier == NO_NOTE:
                return identifier
            found = numbers.get(identifier, self._numbers.get(identifier))
            if found is None:
                raise reader.fault(ValueError(f"a change of a note that is not there: {identifier}"))
            return found

        def numbered() -> Iterator[tuple[Any, ...]]:
            for identifier, note, replaced_by, *content in note_changes(reader, ids_of_version(version)):
                if note == identifier:
                    numbers[note] = len(self._numbers) + len(numbers)
                yield identifier, number(note), number(replaced_by), *content

        link, added = self._linked(numbered())
        replaced = count_replaced(reader, ids_of_version(version))
        sealed = Sealed(
            added=added,
            notes=before.notes + len(numbers) - replaced,
            replaced=before.replaced + replaced,
            digest=sha256(link).hexdigest(),
        )
        return VersionContent(sealed, link, numbers)

    def _linked(self, rows: Iterable[tuple[Any, ...]]) -> tuple[bytes, int]:
        """The link after some rows, each an id and its content, and how many they are."""
        link, added = self._last.link, 0
        for _, process in groupby(rows, key=lambda each: place_of(each[0])[:2]):
            encoded = [_encode(each[1:]) for each in process]
            link = sha256(b"".join((link, *encoded))).digest()
            added += len(encoded)
        return link, added


def check_digests(reader: MemoryReader, newest: int | None) -> VersionChain:
    """The versions up to a sealed one; a `UsageError` if one of them has other content than it had.

    Args:
        newest: None: no version is sealed.
    """
    sealed, chain = reader.versions(), VersionChain()
    for version in range(0 if newest is None else newest + 1):
        content = chain.following(reader, version)
        if version not in sealed:
            raise UsageError(f"memory: version {version}: expected a sealed one, got none ({reader.file})")
        if content.sealed != sealed[version]:
            found = _difference(reader.kind, sealed[version], content.sealed)
            raise UsageError(f"memory: version {version}: {found} ({reader.file})")
        chain.append(content)
    for batch, goal_type, number in reader.rows(_MISCOUNTED, {"newest": -1 if newest is None else newest}):
        where = f"batch {batch}, observation type {goal_type}.{number}"
        raise UsageError(f"memory: {where}: expected the count of its tuples, got another ({reader.file})")
    return chain


def _difference(kind: MemoryKind, sealed: Sealed, found: Sealed) -> str:
    what, changed = ("notes", "notes") if kind == "notebook" else ("tuples", "types or tuples")
    before, now = (f"{getattr(each, what):,}" for each in (sealed, found))
    expected = f"expected the digest {sealed.digest} of {before} {what}, with which it was sealed"
    return f"{expected}, got {found.digest} of {now}: its {changed} were changed since"
