"""A model's GGUF file: its header, and its digest, so that a run never resumes with another file."""

import os
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from hashlib import file_digest
from pathlib import Path
from typing import BinaryIO

from quintet.errors import UsageError
from quintet.plugins.files import open_regular


@dataclass(frozen=True)
class ModelFile:
    """The identity of a file, independent of its folder."""

    name: str
    size: int
    """In bytes."""
    sha256: str


def identify_file(path: Path) -> ModelFile:
    """Identify a file, read in full once per process and after a change; a `UsageError` if it cannot be read."""
    try:
        found = path.stat()
        return ModelFile(path.name, found.st_size, _sha256(path, found.st_size, found.st_mtime_ns))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"model.file: expected a GGUF file, got {reason} ({path})") from error


@cache
def _sha256(path: Path, _size: int, _changed: int) -> str:
    with open(path, "rb", opener=open_regular) as stream:
        return file_digest(stream, "sha256").hexdigest()


_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ARCHITECTURE, _CONTEXT = b"general.architecture", b".context_length"
_CHAT_TEMPLATE = b"tokenizer.chat_template"
_LONGEST_KEY, _LONGEST_TEXT = 2**16, 2**24
_STRING, _ARRAY = 8, 9
_UNSIGNED = (0, 2, 4, 10)
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by its type; strings and arrays have a length of their own."""


@dataclass(frozen=True)
class Header:
    """The model's properties in a file's header."""

    version: int
    context: int | None
    """Tokens that a prompt and its completion may take together; None: the file does not say."""
    has_chat_template: bool
    """A model without one, as base models are, completes texts and was not taught to answer."""


class _Broken(Exception):
    """The file ends early, or is no GGUF. Its text says what was found."""


def read_header(file: Path) -> Header:
    """The header of a file; a `UsageError` if it cannot be read, or is no GGUF file of a version that is known here."""
    try:
        with open(file, "rb", opener=open_regular) as stream:
            return _header(stream)
    except OSError as error:
        raise _refused(file, (error.strerror or str(error)).lower()) from error
    except _Broken as error:
        raise _refused(file, str(error)) from None


def _refused(file: Path, got: str) -> UsageError:
    return UsageError(f"model.file: expected a GGUF file, got {got} ({file})")


def _header(stream: BinaryIO) -> Header:
    if (magic := stream.read(4)) != _MAGIC:
        raise _Broken(f"a file that begins with {magic!r}" if magic else "an empty file")
    version = _integer(stream, 4)
    if version not in _VERSIONS:
        raise _Broken(f"GGUF version {version}, which is neither 2 nor 3")
    _integer(stream, 8)  # the number of tensors
    architecture, has_chat_template = b"", False
    contexts: dict[bytes, int] = {}
    for key, value in _metadata(stream, _integer(stream, 8)):
        if key == _ARCHITECTURE and isinstance(value, bytes):
            architecture = value
        elif key == _CHAT_TEMPLATE:
            has_chat_template = True
        elif key.endswith(_CONTEXT) and isinstance(value, int):
            contexts[key.removesuffix(_CONTEXT)] = value
    return Header(version, contexts.get(architecture), has_chat_template)


def _metadata(stream: BinaryIO, count: int) -> Generator[tuple[bytes, bytes | int | None]]:
    """Keys and values in the file's order; of a value that is neither text nor an unsigned integer, None."""
    for _ in range(count):
        key = _text(stream, _LONGEST_KEY)
        kind = _integer(stream, 4)
        yield key, _value(stream, kind)


def _value(stream: BinaryIO, kind: int) -> bytes | int | None:
    if kind == _STRING:
        return _text(stream, _LONGEST_TEXT)
    if kind in _UNSIGNED:
        return _integer(stream, _SIZES[kind])
    if kind == _ARRAY:
        _skip_array(stream)
    elif kind in _SIZES:
        _read(stream, _SIZES[kind])
    else:
        raise _Broken(f"metadata of an unknown type, {kind}")
    return None


def _skip_array(stream: BinaryIO) -> None:
    kind, length = _integer(stream, 4), _integer(stream, 8)
    if kind == _STRING:
        for _ in range(length):
            _text(stream, _LONGEST_TEXT)
    elif kind in _SIZES:
        _skip(stream, length * _SIZES[kind])
    else:
        raise _Broken(f"metadata of an unknown type, a list of {kind}")


def _text(stream: BinaryIO, longest: int) -> bytes:
    length = _integer(stream, 8)
    if length > longest:
        raise _Broken(f"metadata with a text of {length:,} bytes")
    return _read(stream, length)


def _integer(stream: BinaryIO, size: int) -> int:
    return int.from_bytes(_read(stream, size), "little")


def _read(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise _Broken("one that ends within its header")
    return data


def _skip(stream: BinaryIO, size: int) -> None:
    if size > os.fstat(stream.fileno()).st_size - stream.tell():
        raise _Broken("one that ends within its header")
    stream.seek(size, os.SEEK_CUR)
