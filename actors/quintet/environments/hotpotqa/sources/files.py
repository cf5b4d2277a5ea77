"""Reads files of JSON records, one a line or all in one array, plain or compressed; and dumps of pages of such."""

import bz2
import gzip
import html
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from itertools import chain
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from quintet.environments.hotpotqa.corpus.corpus import CorpusPage, clean_line
from quintet.errors import UsageError
from quintet.plugins.files import open_regular

_RecordT = TypeVar("_RecordT")

_LARGEST = 2**31
"""Bytes of a line, and of an array of records."""


def read_records(file: Path, record: type[_RecordT], option: str) -> Iterator[_RecordT]:
    """The records of a file, in order.

    Args:
        file: an array of records, or one record a line; compressed if its name ends in `.gz` or `.bz2`.
        option: what named the file, for errors.

    Raises:
        UsageError: the file cannot be read, or is cut off, or a record is of another schema; the text names it.
    """
    try:
        with _opened(file) as lines:
            first = _limited(lines.readline(_LARGEST + 1), option, file)
            if first.lstrip().startswith(b"["):
                whole = _limited(first + lines.read(_LARGEST + 1), option, file)
                yield from _decode(whole, list[record], option, str(file))  # type: ignore[valid-type]
                return
            number = 1
            while first:
                if first.strip():
                    yield _decode(first, record, option, f"{file}, line {number}")
                first, number = _limited(lines.readline(_LARGEST + 1), option, file), number + 1
    except FileNotFoundError as error:
        raise UsageError(f"{option}: expected a file, got none ({file})") from error
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"{option}: expected a whole file, got {error} ({file})") from error


@contextmanager
def _opened(file: Path) -> Generator[BufferedIOBase, None, None]:
    with open(file, "rb", opener=open_regular) as opened:
        match file.suffix:
            case ".gz":
                yield gzip.GzipFile(fileobj=opened)
            case ".bz2":
                yield bz2.BZ2File(opened)
            case _:
                yield opened


def _limited(content: bytes, option: str, file: Path) -> bytes:
    if len(content) > _LARGEST:
        raise UsageError(f"{option}: expected at most {_LARGEST:,} bytes in a line or an array, got more ({file})")
    return content


def _decode(text: bytes, record: type[_RecordT], option: str, where: str) -> _RecordT:
    try:
        return msgspec.json.decode(text, type=record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{option}: expected records as HotpotQA has them, got {error} ({where})") from error


class _Record(Struct):
    """One page; further fields, such as `id` and `url`, are passed over."""

    title: str
    text: list[str | list[str]]
    """Its sentences, or its paragraphs of sentences."""


def read_dump(path: Path) -> Iterator[CorpusPage]:
    """The pages of a dump, file by file in the order of their names.

    Args:
        path: a file or a folder, with all its folders, of JSON records, one a line; `.gz` and `.bz2` are read, too.

    Raises:
        UsageError: there are no files, or one cannot be read, or a record is of another schema or has no title.
    """
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"--dump: expected files of pages, got none ({path})")
    return (page for file in files for page in _pages(file))


def _pages(file: Path) -> Iterator[CorpusPage]:
    for number, record in enumerate(read_records(file, _Record, "--dump"), start=1):
        title = clean_line(html.unescape(record.title))
        if not title:
            raise UsageError(f"--dump: expected a title, got none ({file}, page {number})")
        parts = ([part] if isinstance(part, str) else part for part in record.text)
        yield CorpusPage(title, tuple(chain.from_iterable(parts)))
