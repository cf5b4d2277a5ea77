"""Reads a dump of paragraphs: JSON records with a title and sentences, as HotpotQA's processed Wikipedia has them."""

import html
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from msgspec import Struct

from quintet.environments.hotpotqa.corpus.page import CorpusPage, clean_line
from quintet.environments.hotpotqa.sources.files import read_records
from quintet.errors import UsageError


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
