"""How a version differs from the one before, line by line, and which sentence of a reflection may explain a change.

The journal does not record why a line was written: a quote only says that two texts share words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import NamedTuple

_WORD = re.compile(r"[a-z]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_NUMBER = re.compile(r"^\s*\d+[.)]\s*")
_BULLET = re.compile(r"^\W*(?:\d+[.)]\s*)?")
_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST = 3
"""Letters of a word, also without its ending."""
_SHARED = 2
"""A sentence has to share this many words of a line, and half of its words; or all of them if it has fewer."""
_MOST_PAIRS = 250_000
"""Pairs of lines that are compared: 500 with 500, say."""
_MOST_SENTENCES = 300
"""Sentences that a line is compared with."""
_EMPTY = frozenset(
    _WORD.findall(
        "about after again all also and any anything are because been before being but can cannot could did does done "
        "each else every first for from further had has have here how instead into its itself job kind let like make "
        "may more most must need never next nor not nothing now off once one only other our out over own plan same "
        "should since so some step such sure take task than that the their them then there these they thing this those "
        "through too try under until use used using very want was way were what when where which while who will with "
        "without would you your"
    )
)


class JobReflection(NamedTuple):
    """The reflection on one job. Parts that were not requested are empty."""

    task: str
    summary: str = ""
    flaws: str = ""
    revision: str = ""
    failed: str = ""
    """Why it could not be used; the other parts are empty then."""


class LineChange(NamedTuple):
    """Neighbouring lines that replaced others; either side may be empty."""

    removed: tuple[str, ...]
    added: tuple[str, ...]


class Quote(NamedTuple):
    """A sentence of a reflection that may explain a changed line."""

    task: str
    sentence: str


class TooLong(Exception):
    """Two versions have too many lines to be compared."""


def changes(before: str, after: str) -> list[LineChange]:
    """Changes between two versions, in the order of the lines. A line that differs only in its number has not changed.

    Raises:
        TooLong: the time grows with the product of the two numbers of lines, which is too large.
    """
    old, new = ([line.rstrip() for line in text.strip().splitlines()] for text in (before, after))
    if len(old) * len(new) > _MOST_PAIRS:
        raise TooLong(f"expected {_MOST_PAIRS:,} pairs of lines at most, got {len(old):,} lines and {len(new):,}")
    bare = [[_NUMBER.sub("", line) for line in lines] for lines in (old, new)]
    steps = SequenceMatcher(a=bare[0], b=bare[1], autojunk=False).get_opcodes()
    return [
        LineChange(tuple(old[first:last]), tuple(new[start:end]))
        for tag, first, last, start, end in steps
        if tag != "equal"
    ]


class Sentences:
    """The sentences of reflections: revisions first, then flaws, then summaries.

    Args:
        reflections: of the iteration that led to a change. Only the first sentences of very long ones are read.
    """

    def __init__(self, reflections: Sequence[JobReflection]) -> None:
        said = islice(_sentences(reflections), _MOST_SENTENCES)
        self._said = [(Quote(task, sentence), _words(sentence)) for task, sentence in said]

    def quote(self, line: str, instead_of: Sequence[str] = ()) -> Quote | None:
        """The sentence that shares most words with a changed line; None if none shares enough.

        Words that the replaced lines did not have weigh most, then other shared words, then fewer words besides. Of
        equal sentences the first wins.

        Args:
            line: of either version.
            instead_of: the lines that it replaced.
        """
        words = _words(line)
        new = words.difference(*map(_words, instead_of)) or words
        best: Quote | None = None
        most: tuple[int, ...] = ()
        enough = min(len(words), max(_SHARED, len(words) / 2))
        for quote, said in self._said:
            found = len(said & new), len(said & words), -len(said - words)
            if found[1] >= max(enough, 1) and found > most:
                best, most = quote, found
        return best


def _sentences(reflections: Sequence[JobReflection]) -> Iterator[tuple[str, str]]:
    parts: Iterable[Iterable[tuple[str, str]]] = (
        ((reflection.task, reflection.revision) for reflection in reflections),
        ((reflection.task, reflection.flaws) for reflection in reflections),
        ((reflection.task, reflection.summary) for reflection in reflections),
    )
    for part in parts:
        for task, text in part:
            for sentence in _SENTENCE.split(text):
                if found := _BULLET.sub("", sentence).strip():
                    yield task, found


def _words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, in lower case and without endings."""
    return frozenset(
        _stem(word) for word in _WORD.findall(text.lower()) if len(word) >= _SHORTEST and word not in _EMPTY
    )


def _stem(word: str) -> str:
    ending = next((each for each in _ENDINGS if word.endswith(each)), "")
    return word.removesuffix(ending) if len(word) - len(ending) >= _SHORTEST else word
