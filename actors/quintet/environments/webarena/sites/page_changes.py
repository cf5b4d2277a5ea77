"""How a database differs from the one that it was copied from: SQLite's pages that are not the same."""

import hashlib
import struct
import zlib
from functools import lru_cache

_HEADER = struct.Struct("<16sII")
"""The first database's digest, the size of a page, the number of pages of the second."""
_NUMBER = struct.Struct("<I")


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    return 65536 if size == 1 else size


@lru_cache(maxsize=2)
def _seal(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:16]


def changed_pages(before: bytes, after: bytes) -> bytes:
    """The pages of `after` that differ from those of `before`, compressed."""
    size = _page_size(before)
    parts = [_HEADER.pack(_seal(before), size, len(after) // size)]
    for number in range(len(after) // size):
        page = after[number * size : (number + 1) * size]
        if page != before[number * size : (number + 1) * size]:
            parts += (_NUMBER.pack(number), page)
    return zlib.compress(b"".join(parts), 6)


def with_changes(before: bytes, changes: bytes) -> bytes:
    """The second database from the first and `changed_pages`.

    Raises:
        ValueError: the changes are of another first database, or damaged.
    """
    try:
        unpacked = zlib.decompress(changes)
        seal, size, pages = _HEADER.unpack_from(unpacked)
    except (zlib.error, struct.error) as error:
        raise ValueError(f"changes of a site's database: {error}") from error
    if seal != _seal(before):
        raise ValueError("changes of a site's database: expected them to be of this version's seed, got another's")
    whole = bytearray(before[: pages * size].ljust(pages * size, b"\0"))
    step = _NUMBER.size + size
    if (len(unpacked) - _HEADER.size) % step:
        raise ValueError("changes of a site's database: expected whole pages, got a part of one")
    for start in range(_HEADER.size, len(unpacked), step):
        (number,) = _NUMBER.unpack_from(unpacked, start)
        if number >= pages:
            raise ValueError(f"changes of a site's database: expected a page below {pages}, got {number}")
        whole[number * size : (number + 1) * size] = unpacked[start + _NUMBER.size : start + step]
    return bytes(whole)
