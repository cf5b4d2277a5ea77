"""A page of the encyclopedia, and how a corpus is read: a page by its title, and titles that are similar to a text."""

import os
import re
import sqlite3
import threading
import unicodedata
from collections.abc import Sequence
from itertools import combinations, islice
from math import prod
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from quintet.errors import UsageError, WorldFault

_WORD = re.compile(r"[^\W_]+")
_MOST = 1_000
"""Characters of a title that are compared; no title is nearly so long."""


class CorpusPage(Struct, frozen=True):
    """One page: its title and the sentences of its text."""

    title: str
    sentences: tuple[str, ...]

    @property
    def lists_others(self) -> bool:
        """It is a list of pages with one name."""
        return "may refer to:" in self.sentences[0] if self.sentences else False

    def with_keyword(self, keyword: str) -> list[str]:
        """The sentences that contain a text, in either case."""
        sought = keyword.lower()
        return [sentence for sentence in self.sentences if sentence and sought in sentence.lower()]


def clean_line(text: str) -> str:
    """A text with single blanks, which UTF-8 can encode."""
    return " ".join(text.encode(errors="replace").decode().split())


def title_key(title: str) -> str:
    """A title without case, accents and runs of blanks, by which a search finds it."""
    plain = unicodedata.normalize("NFKD", title[:_MOST].replace("_", " ").casefold())
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())


def title_words(title: str) -> list[str]:
    """The different words of a title, in order."""
    return list(dict.fromkeys(_WORD.findall(title_key(title))))


CORPUS_FORMAT = "1"
"""Raise this when a file of before can no longer be read."""
CORPUS_MARK = 0x48504F54
"""Marks a SQLite file as a corpus."""
_SIMILAR = 5
_CANDIDATES = 20
"""Titles that are compared for each number of words that they share with the text; more only cost time."""
_GROUPS = 6
"""Sets of words of one size that are looked up, those of the rarest words first."""
_WORDS = 8
"""Words of a text that are looked up, the rarest first."""
_READ = 100_000
"""Entries of the index that one text may cost, as estimated before they are read: some 1 ms."""
_SKIPPED = 1_000
"""Entries that are read to find the next one of a common word beside a rare one."""


class CorpusFacts(Struct, frozen=True, kw_only=True):
    """What a corpus says of itself."""

    format: str
    date: str
    """When its pages were as they are, such as 2017-10-01."""
    source: str
    pages: int
    digest: str
    """Of titles and texts."""


class _Connection(sqlite3.Connection):
    """One that is closed with the last reference to it: a world has no end at which to close it."""

    def __del__(self) -> None:
        self.close()


class Corpus:
    """The pages of an encyclopedia. Any number of threads may read it, and processes that were forked.

    As with all of SQLite, a process that forks while another of its threads reads may leave its child waiting.

    Args:
        content: the SQLite file that holds them, or its bytes.
        digest: that its pages must have, as where another process opened it before; None: any.

    Raises:
        UsageError: it is no corpus, or one of another format or with other pages.
    """

    def __init__(self, content: Path | bytes, where: str, digest: str | None = None) -> None:
        self._content = content
        self._where = where
        self._local = threading.local()
        self._digest = digest
        self.facts = self._read_facts()
        self._digest = self.facts.digest

    def __reduce__(self) -> tuple[type["Corpus"], tuple[Path | bytes, str, str]]:
        return Corpus, (self._content, self._where, self.facts.digest)

    def page(self, title: str, *, exact: bool = False) -> CorpusPage | None:
        """The page whose title is a text.

        Args:
            exact: whether case, accents and blanks must be as in the title, too.
        """
        found = self._all("SELECT title, sentences FROM pages WHERE key = ? ORDER BY id", title_key(title))
        same = [row for row in found if row[0] == title] or ([] if exact else found)
        return CorpusPage(same[0][0], tuple(same[0][1].split("\n"))) if same else None

    def similar(self, title: str) -> tuple[str, ...]:
        """Up to five titles that share words with a text, those with most of its rare words first.

        Of titles alike in this the shorter comes first, then the earlier in the corpus.
        """
        sought = title_words(title)
        marks = ",".join("?" * len(sought))
        counts: dict[str, int] = dict(self._all(f"SELECT word, titles FROM words WHERE word IN ({marks})", *sought))
        words = sorted(counts, key=lambda word: (counts[word], word))[:_WORDS]
        found: dict[str, None] = {}
        left = float(_READ)
        for size in range(len(words), 0, -1):
            for group in islice(combinations(words, size), _GROUPS):
                cost = self._cost([counts[word] for word in group])
                if cost <= left:
                    left -= cost
                    found.update(dict.fromkeys(self._titles_with(group)))
            if len(found) >= _SIMILAR:
                break
        return tuple(found)[:_SIMILAR]

    def _cost(self, counts: Sequence[int]) -> float:
        """How many entries of the index are read, roughly, for titles with some words; these ascending."""
        read = sum(min(count, _SKIPPED * counts[0]) for count in counts)
        expected = self.facts.pages * prod(count / self.facts.pages for count in counts)
        return read * min(1.0, _CANDIDATES / expected)

    def _titles_with(self, words: Sequence[str]) -> list[str]:
        matched = " AND ".join(f'"{word}"' for word in words)
        query = (
            "SELECT pages.title FROM (SELECT rowid FROM titles WHERE titles MATCH ? LIMIT ?) AS found "
            "JOIN pages ON pages.id = found.rowid ORDER BY length(pages.title), pages.id"
        )
        return [row[0] for row in self._all(query, matched, _CANDIDATES)]

    def _read_facts(self) -> CorpusFacts:
        try:
            written = dict(self._all("SELECT name, value FROM facts"))
        except WorldFault as error:
            raise UsageError(str(error)) from error
        if (got := written.get("format")) != CORPUS_FORMAT:
            raise UsageError(f"corpus: expected format {CORPUS_FORMAT}, got {got}; build it anew ({self._where})")
        try:
            return msgspec.convert(written, CorpusFacts, strict=False)
        except msgspec.ValidationError as error:
            raise UsageError(f"corpus: expected the facts of a corpus, got {error} ({self._where})") from error

    def _all(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._connection().execute(query, values).fetchall()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise WorldFault(f"corpus: expected a whole file, got {error} ({self._where})") from error

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection. One that was open when the process forked is left alone."""
        known = getattr(self._local, "known", None)
        if known is None or known[0] != os.getpid():
            opened = self._connect()
            self._check_pages(opened)
            self._local.known = known = (os.getpid(), opened)
        connection: sqlite3.Connection = known[1]
        return connection

    def _check_pages(self, connection: sqlite3.Connection) -> None:
        """Threads and processes open the file one by one, and it may have been replaced since the first did."""
        if self._digest is not None:
            got = connection.execute("SELECT value FROM facts WHERE name = 'digest'").fetchone()
            if got != (self._digest,):
                text = (
                    f"corpus: expected pages of digest {self._digest}, which were opened first, got a file with others"
                )
                raise WorldFault(f"{text} ({self._where})")

    def _connect(self) -> sqlite3.Connection:
        # A connection is used by its own thread, but closed by whichever thread collects the garbage.
        if isinstance(self._content, Path):
            address = f"{self._content.as_uri()}?mode=ro&immutable=1"
            return sqlite3.connect(address, uri=True, check_same_thread=False, factory=_Connection)
        opened = sqlite3.connect(":memory:", check_same_thread=False, factory=_Connection)
        opened.deserialize(self._content)
        return opened
