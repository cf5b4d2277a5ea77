"""What a version consists of, with its digest: computed when it is sealed, and again whenever its memory is opened.

A digest is of content alone: SHA-256 of the last link of a chain and of the types. A link is SHA-256 of the link
before, and of the batch and the tuples of a process. So a digest covers all versions before, and a copy that has them
as one version has the same digest.
"""

from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

import msgspec

from quintet.errors import UsageError
from quintet.memory.ids import ids_of_version, place_of
from quintet.memory.reader import MemoryReader
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


EMPTY_CONTENT = VersionContent(Sealed(batches=0, tuples=0, added=0, goal_types=0, observation_types=0, digest=""), b"")
"""Before version 0."""


def read_content(reader: MemoryReader, version: int, before: VersionContent) -> VersionContent:
    """The content up to a version as its file has it now; `before` is the version before it."""
    link, added = before.link, 0
    cells = reader.tuple_cells(ids_of_version(version))
    for _, process in groupby(cells, key=lambda each: place_of(each[0])[:2]):
        encoded = [_encode(each[1:]) for each in process]
        link = sha256(b"".join((link, *encoded))).digest()
        added += len(encoded)
    digest = sha256(link)
    for row in reader.rows(_NAMES, (version,)):
        digest.update(_encode(row))
    ((batches, goal_types, observation_types),) = reader.rows(_TYPES, (version,))
    sealed = Sealed(
        batches=batches,
        tuples=before.sealed.tuples + added,
        added=added,
        goal_types=goal_types,
        observation_types=observation_types,
        digest=digest.hexdigest(),
    )
    return VersionContent(sealed, link)


def check_digests(reader: MemoryReader, newest: int | None) -> VersionContent:
    """The content up to a sealed version; a `UsageError` if one up to it has other types or tuples than it had.

    Args:
        newest: None: no version is sealed.
    """
    sealed, content = reader.versions(), EMPTY_CONTENT
    for version in range(0 if newest is None else newest + 1):
        content = read_content(reader, version, content)
        if version not in sealed:
            raise UsageError(f"memory: version {version}: expected a sealed one, got none ({reader.file})")
        if content.sealed != sealed[version]:
            raise UsageError(
                f"memory: version {version}: {_difference(sealed[version], content.sealed)} ({reader.file})"
            )
    for batch, goal_type, number in reader.rows(_MISCOUNTED, {"newest": -1 if newest is None else newest}):
        where = f"batch {batch}, observation type {goal_type}.{number}"
        raise UsageError(f"memory: {where}: expected the count of its tuples, got another ({reader.file})")
    return content


def _difference(sealed: Sealed, found: Sealed) -> str:
    expected = f"the digest {sealed.digest} of {sealed.tuples:,} tuples, with which it was sealed"
    return f"expected {expected}, got {found.digest} of {found.tuples:,}: its types or tuples were changed since"
