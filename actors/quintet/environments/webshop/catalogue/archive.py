"""A file of named sections that is written once, in order, and then mapped."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from mmap import ACCESS_READ, MADV_DONTNEED, mmap
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from quintet.errors import UsageError
from quintet.plugins.files import open_regular

_MAGIC = b"quintet webshop 1"
"""Ends with the format's version."""
MAPPED = 200_000_000
"""Bytes."""
_HEADER = 64
"""Bytes; sections begin at multiples of it, so that numbers in them are aligned."""
_PART = 8
"""Bytes of each of the header's last three parts: where the table of contents starts, its size and its digest."""
_MARK = _MAGIC.ljust(_HEADER - 3 * _PART)


class _Contents(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    sections: dict[str, tuple[int, int]]
    """By name, the first byte and the number of bytes."""


_decode = msgspec.msgpack.Decoder(_Contents).decode


class ArchiveWriter:
    """Writes sections one after the other, each in as many pieces as there are."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._sections: dict[str, tuple[int, int]] = {}
        file.write(bytes(_HEADER))

    @contextmanager
    def section(self, name: str) -> Generator[BinaryIO, None, None]:
        """The file, to write one section to."""
        start = self._align()
        yield self._file
        self._sections[name] = (start, self._file.tell() - start)

    def finish(self) -> None:
        """Write the table of contents. Until then, the file is of no format."""
        start = self._align()
        contents = msgspec.msgpack.encode(_Contents(self._sections))
        self._file.write(contents)
        self._file.seek(0)
        place = start.to_bytes(_PART, "little") + len(contents).to_bytes(_PART, "little")
        self._file.write(_MARK + place + _digest(contents))

    def _align(self) -> int:
        self._file.write(bytes(-self._file.tell() % _HEADER))
        return self._file.tell()


class Archive:
    """The sections by name, in memory or mapped from a file.

    Mapped pages are read when they are used, and processes share them, but they count as resident. So they are let go
    of as soon as `MAPPED` bytes may have been read; the system keeps them as long as it has memory to spare.

    Raises:
        UsageError: the data are cut off, of another version, or no archive.
    """

    def __init__(self, data: bytes | mmap, where: str) -> None:
        self._data = data
        self._where = where
        self._mapped = data if isinstance(data, mmap) else None
        self._read = 0
        header = bytes(data[:_HEADER])
        if header[: len(_MARK)] != _MARK:
            expected = "a shop of this version, as `quintet data build webshop` writes it"
            # Of any other file nothing is shown: a client of `serve-sim` may name one of its user's.
            got = repr(header[: len(_MAGIC)]) if header.startswith(_MAGIC[:-1]) else "another file"
            raise UsageError(f"data: expected {expected}, got {got} ({where})")
        start, size, digest = (header[place : place + _PART] for place in range(len(_MARK), _HEADER, _PART))
        first, end = int.from_bytes(start, "little"), int.from_bytes(start, "little") + int.from_bytes(size, "little")
        if len(data) < end:
            raise UsageError(f"data: expected {end:,} bytes, got {len(data):,}: the file is cut off ({where})")
        contents = data[first:end]
        if _digest(contents) != digest:
            raise UsageError(f"data: expected a table of contents, got damaged bytes ({where})")
        sections = _decode(contents).sections
        whole = memoryview(data)
        self.sections: Mapping[str, memoryview] = {
            name: whole[first : first + count] for name, (first, count) in sections.items()
        }

    def __reduce__(self) -> tuple[Callable[..., "Archive"], tuple[object, ...]]:
        """Another process maps the file by itself."""
        if self._mapped is not None:
            return map_archive, (Path(self._where).absolute(),)
        return Archive, (self._data, self._where)

    def count(self, size: int) -> None:
        """Count bytes that were read; let go of mapped pages if they are too many."""
        self._read += size
        if self._mapped is not None and self._read > MAPPED:
            self._read = 0
            self._mapped.madvise(MADV_DONTNEED)


def _digest(contents: bytes) -> bytes:
    return blake2b(contents, digest_size=_PART).digest()


def map_archive(path: Path) -> Archive:
    """A file, mapped."""
    try:
        with open(path, "rb", opener=open_regular) as file:
            if path.stat().st_size == 0:
                raise UsageError(f"data: expected a shop, got an empty file ({path})")
            data = mmap(file.fileno(), 0, access=ACCESS_READ)
    except OSError as error:
        raise UsageError(f"data: expected a file, got {error.strerror} ({path})") from error
    return Archive(data, str(path))
