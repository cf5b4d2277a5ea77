"""A corpus as a file: built from pages, and opened for reading."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from quintet.environments.hotpotqa.corpus.corpus import (
    CORPUS_FORMAT,
    CORPUS_MARK,
    Corpus,
    CorpusPage,
    clean_line,
    title_key,
    title_words,
)
from quintet.environments.whole_file import whole_file
from quintet.errors import UsageError
from quintet.plugins.files import open_regular

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (id INTEGER PRIMARY KEY, title TEXT NOT NULL, key TEXT NOT NULL, sentences TEXT NOT NULL);
CREATE TABLE words (word TEXT PRIMARY KEY, titles INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE titles
    USING fts5(words, content='', detail=none, columnsize=0, tokenize='unicode61 remove_diacritics 0');
"""
_INDEX = """
CREATE INDEX page_keys ON pages (key, title);
DELETE FROM pages WHERE id IN (
    SELECT id FROM pages AS later WHERE EXISTS (
        SELECT 1 FROM pages AS first
        WHERE first.key = later.key AND first.title = later.title AND first.id < later.id
    )
);
INSERT INTO titles (rowid, words) SELECT id, words_of(title) FROM pages;
INSERT INTO titles (titles) VALUES ('optimize');
CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, titles, row);
INSERT INTO words SELECT term, doc FROM temp.vocabulary;
DROP TABLE temp.vocabulary;
"""
_HEADER = 100
"""Bytes at the start of a SQLite file; its page size and number of pages are in them."""


def open_corpus(file: Path) -> Corpus:
    """The corpus in a file, which is opened for reading only.

    Raises:
        UsageError: there is no such file, or it is no corpus, or a part of one.
    """
    try:
        with open(file, "rb", opener=open_regular) as opened:
            header, size = opened.read(_HEADER), os.fstat(opened.fileno()).st_size
    except OSError as error:
        raise UsageError(f"corpus: expected a file, got {error.strerror} ({file})") from error
    if header[:16] != b"SQLite format 3\0" or int.from_bytes(header[68:72]) != CORPUS_MARK:
        raise UsageError(f"corpus: expected one made by `quintet data build`, got another file ({file})")
    page = int.from_bytes(header[16:18])
    whole = (65_536 if page == 1 else page) * int.from_bytes(header[28:32])
    if size != whole:
        raise UsageError(f"corpus: expected a whole file of {whole:,} bytes, got {size:,} ({file})")
    return Corpus(file.resolve(), str(file))


def corpus_of(pages: Iterable[CorpusPage], *, date: str, source: str) -> Corpus:
    """A corpus in memory, of some pages; for a few thousand."""
    with closing(sqlite3.connect(":memory:")) as made:
        _write(made, pages, date=date, source=source)
        image = made.serialize()
    return Corpus(image, source)


def build_corpus(file: Path, pages: Iterable[CorpusPage], *, date: str, source: str) -> Corpus:
    """Write a corpus to a new file. Of pages with one title the first is kept.

    Args:
        date: when the pages were as they are, such as 2017-10-01.
        source: where they come from, for people.

    Raises:
        UsageError: the file exists, or cannot be written, or there are no pages.
    """
    if file.exists():
        raise UsageError(f"--out: expected a new file, got one that exists ({file})")
    try:
        with whole_file(file) as partial, closing(sqlite3.connect(partial)) as made:
            made.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")
            _write(made, pages, date=date, source=source)
    except sqlite3.Error as error:
        raise UsageError(f"--out: expected a file that can be written, got {error} ({file})") from error
    return open_corpus(file)


def _write(made: sqlite3.Connection, pages: Iterable[CorpusPage], *, date: str, source: str) -> None:
    def words_of(title: str) -> str:
        return " ".join(title_words(title))

    made.create_function("words_of", 1, words_of, deterministic=True)
    made.executescript(f"PRAGMA application_id = {CORPUS_MARK}; {_TABLES}")
    digest = blake2b(digest_size=8)

    def rows() -> Iterable[tuple[str, str, str]]:
        for page in pages:
            title, text = clean_line(page.title), "\n".join(map(clean_line, page.sentences))
            digest.update(f"{title}\n{text}\n\n".encode())
            yield title, title_key(title), text

    made.executemany("INSERT INTO pages (title, key, sentences) VALUES (?, ?, ?)", rows())
    made.executescript(_INDEX)
    (count,) = made.execute("SELECT count(*) FROM pages").fetchone()
    if not count:
        raise UsageError(f"corpus: expected pages, got none ({source})")
    facts = {"format": CORPUS_FORMAT, "date": date, "source": source, "pages": str(count), "digest": digest.hexdigest()}
    made.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
    made.commit()
