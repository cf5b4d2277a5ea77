"""Names, dates and numbers in a text, with their places in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from quintet.models.sim.hotpotqa.words import (
    FUNCTION_WORDS,
    MONTHS,
    NO_NAMES,
    PREPOSITIONS,
    TOKEN,
    number_in,
    word_list,
)

TextSpanKind: TypeAlias = Literal["name", "adjective", "date", "number", "words"]
"""`adjective`: a capitalized word before the word that it belongs to. `words`: other words that stand together."""

_JOINS = frozenset(word_list("of the de da di du del der den van von la le el al y e bin ibn"))
_OPENING_QUOTES = '"“«'
_TITLE = re.compile(r'["“«]([^"”»]{1,120})["”»]')
_FORMS_OF_ADDRESS = frozenset(
    word_list(
        """captain sir lady dr professor president senator minister general colonel admiral mr mrs ms prime
        chancellor"""
    )
)
"""Words before a name that its page is not found by."""
_WITHIN = PREPOSITIONS | {"the", "a", "an"}
_SHORTEST_TITLE = 3
_YEAR = re.compile(r"1\d{3}|20\d{2}|[1-9]\d{2}")
_ADJECTIVAL = re.compile(r".+(?:ian|ean|an|ish|ese|ic|i|ch)")
_PARTICIPLE = re.compile(r".+(?:ed|ing|ly)")
_COMMON = re.compile(r".+(?:ed|ing|ly|[^su']s)")
"""A capital alone makes no name of a word with such an ending at the beginning of a sentence."""


@dataclass(frozen=True)
class TextSpan:
    """Some words of a text, as they stand there."""

    text: str
    kind: TextSpanKind
    first: int
    """Its first token."""
    end: int
    """The token after its last one."""


@dataclass(frozen=True)
class Words:
    """A text in tokens: words, numbers and marks."""

    text: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    """Where each token begins, and where the last one ends."""

    def span(self, kind: TextSpanKind, first: int, end: int) -> TextSpan:
        """These tokens, word for word, without the ending of an owner before what it owns."""
        last = end - 1
        text = self.text[self.starts[first] : self.starts[last] + len(self.tokens[last])]
        owns = end < len(self.tokens) and self.tokens[end][0].isalnum() and self.tokens[end] not in FUNCTION_WORDS
        return TextSpan(text.removesuffix("'s").removesuffix("’s") if owns else text, kind, first, end)


@lru_cache(maxsize=16384)
def in_words(text: str) -> Words:
    """The tokens of a text."""
    found = list(TOKEN.finditer(text))
    return Words(text, tuple(token[0] for token in found), tuple(token.start() for token in found))


@lru_cache(maxsize=16384)
def spans_in(text: str) -> tuple[TextSpan, ...]:
    """Quoted titles, names, dates and numbers, in the order of the text, and the words between function words."""
    words = in_words(text)
    taken = [False] * len(words.tokens)
    found: list[TextSpan] = []
    for read in (_titles, _dates, _appositions, _names, _numbers, _chunks):
        for span in read(words, taken):
            found.append(span)
            taken[span.first : span.end] = [True] * (span.end - span.first)
    return tuple(sorted(found, key=lambda span: span.first))


def name_spans_in(text: str) -> tuple[TextSpan, ...]:
    """The quoted titles and names of a text."""
    return tuple(span for span in spans_in(text) if span.kind == "name")


def _titles(words: Words, taken: Sequence[bool]) -> Iterator[TextSpan]:
    for quoted in _TITLE.finditer(words.text):
        inside = [at for at, start in enumerate(words.starts) if quoted.start(1) <= start < quoted.end(1)]
        if inside and (words.tokens[inside[0]][0].isupper() or words.tokens[inside[0]][0].isdigit()):
            end = inside[-1] + 1
            while end > inside[0] + 1 and words.tokens[end - 1] in ",.;":
                end -= 1
            yield words.span("name", inside[0], end)


def _dates(words: Words, taken: Sequence[bool]) -> Iterator[TextSpan]:
    """`2 March 1972`, `March 2, 1972`, `March 1972`, `1972`, `1972-75` counts as its first year."""
    tokens = words.tokens
    at = 0
    while at < len(tokens):
        end = _date_end(tokens, at)
        if end is not None and not any(taken[at:end]):
            yield words.span("date", at, end)
            at = end
        else:
            at += 1


def _date_end(tokens: Sequence[str], at: int) -> int | None:
    def is_day(place: int) -> bool:
        return place < len(tokens) and re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", tokens[place]) is not None

    def is_month(place: int) -> bool:
        return place < len(tokens) and tokens[place][0].isupper() and tokens[place].lower() in MONTHS

    def year_at(place: int) -> int:
        place += place < len(tokens) and tokens[place] == ","
        return place + 1 if place < len(tokens) and _YEAR.fullmatch(tokens[place]) else 0

    if is_day(at) and is_month(at + 1):
        return year_at(at + 2) or at + 2
    if is_month(at):
        return (year_at(at + 2) or at + 2) if is_day(at + 1) else year_at(at + 1) or None
    before = tokens[at - 1].lower() if at else ""
    if re.fullmatch(r"1\d{3}|20\d{2}", tokens[at]) or (_YEAR.fullmatch(tokens[at]) and before in ("in", "since")):
        return at + 1
    return None


def _appositions(words: Words, taken: Sequence[bool]) -> Iterator[TextSpan]:
    """Names with function words in them, such as `Nine Ways to Fold a Map`, where commas keep them apart."""
    tokens = words.tokens
    marks = [-1, *(at for at, token in enumerate(tokens) if not token[0].isalnum()), len(tokens)]
    for before, end in pairwise(marks):
        inside = tokens[before + 1 : end]
        if before < 0 or tokens[before] != "," or len(inside) < _SHORTEST_TITLE or any(taken[before + 1 : end]):
            continue
        within = all(token[0].isupper() or token in _WITHIN for token in inside)
        if within and inside[0][0].isupper() and inside[-1][0].isupper():
            yield words.span("name", before + 1, end)


def _names(words: Words, taken: Sequence[bool]) -> Iterator[TextSpan]:
    tokens = words.tokens
    at = 0
    while at < len(tokens):
        if taken[at] or not _begins_name(tokens, at):
            at += 1
            continue
        end = at + 1
        while (after := _goes_on(tokens, end)) and not any(taken[end:after]):
            end = after
        if end == at + 1 and _is_adjective(tokens, at):
            yield words.span("adjective", at, end)
        elif not (end == at + 1 and _only_begins_sentence(tokens, at)):
            first = at
            while first + 2 < end and tokens[first].lower() in _FORMS_OF_ADDRESS and _is_capital(tokens[first + 1]):
                first += 1
            yield words.span("name", first, end)
        at = end


def _is_capital(token: str) -> bool:
    return token[0].isupper() and token.lower() not in NO_NAMES


def _begins_name(tokens: Sequence[str], at: int) -> bool:
    token = tokens[at]
    if not _is_capital(token) or number_in(token) is not None:
        return False
    return not (token.lower() in FUNCTION_WORDS and _begins_sentence(tokens, at))


def _begins_sentence(tokens: Sequence[str], at: int) -> bool:
    return at == 0 or tokens[at - 1] in ".!?:" or tokens[at - 1] in _OPENING_QUOTES


def _only_begins_sentence(tokens: Sequence[str], at: int) -> bool:
    return _begins_sentence(tokens, at) and (at > 0 or len(tokens) > 1) and bool(_COMMON.fullmatch(tokens[at]))


def _goes_on(tokens: Sequence[str], at: int) -> int:
    """The token after the next part of a name; 0: it ends here."""
    if at >= len(tokens):
        return 0
    token = tokens[at]
    if token[0].isupper() and token.lower() not in MONTHS:
        return at + 1
    if token == "." and len(tokens[at - 1]) <= 2 and at + 1 < len(tokens) and tokens[at + 1][0].isupper():
        return at + 2
    if token == "&" and at + 1 < len(tokens) and tokens[at + 1][0].isupper():
        return at + 2
    if re.fullmatch(r"\d{1,3}|[IVXLC]+", token):
        return at + 1
    end = at
    while end < len(tokens) and tokens[end] in _JOINS and end - at < 2 and not tokens[at - 1].isupper():
        end += 1
    return end + 1 if end > at and end < len(tokens) and _is_capital(tokens[end]) else 0


def _is_adjective(tokens: Sequence[str], at: int) -> bool:
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    qualifies = after[:1].islower() and after.lower() not in FUNCTION_WORDS and not _PARTICIPLE.fullmatch(after)
    return qualifies and _ADJECTIVAL.fullmatch(tokens[at].lower()) is not None


def _numbers(words: Words, taken: Sequence[bool]) -> Iterator[TextSpan]:
    for at, token in enumerate(words.tokens):
        if not taken[at] and number_in(token) is not None:
            yield words.span("number", at, at + 1)


def _chunks(words: Words, taken: Sequence[bool]) -> Iterator[TextSpan]:
    """What stands between function words, names and marks: nouns with what qualifies them, and verbs."""
    first: int | None = None
    for at, token in enumerate((*words.tokens, ".")):
        ends = at == len(words.tokens) or taken[at] or token.lower() in FUNCTION_WORDS or not token[0].isalnum()
        if ends and first is not None:
            yield words.span("words", first, at)
            first = None
        elif not ends and first is None:
            first = at
