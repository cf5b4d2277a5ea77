"""Finds the answer to an open question in what was read, and the names that lead on.

What a page is worth depends on how it was come by: a name of the question leads to its page, whose sentences name
others. A page explains the words of the question that stand on the way to it. The answer stands in a sentence that
explains words of the question that the way to its page does not, beside those words, and is of the kind that is asked
for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quintet.models.sim.hotpotqa.fit import fit_of, worded
from quintet.models.sim.hotpotqa.names import TextSpan, in_words, spans_in
from quintet.models.sim.hotpotqa.pages import Notebook, ReadPage, bare, mentions, names_same
from quintet.models.sim.hotpotqa.question import ParsedQuestion
from quintet.models.sim.hotpotqa.words import PREPOSITIONS, meaning, meanings_in

_BRACKETS = re.compile(r"\([^)]*\)")
_OF_A_CLAUSE = 4
"""So many words more stand between two that a comma, a semicolon or an `and` keeps apart, and between a verb and what
stands before it."""
_FAR = 10**3


@dataclass(frozen=True)
class Evidence:
    """A possible answer, and where it was read."""

    answer: str
    sentence: str
    title: str
    missing: frozenset[str]
    """The words of the question that neither the sentence nor the way to its page explains."""
    fit: int
    """How well it is of the kind that is asked for: 1 or 2."""
    sure: bool
    """It is of that kind as far as a reader can tell."""
    stray: bool = False
    """Its sentence says no word of the question that was not explained on the way to its page."""
    apart: bool = False
    """It does not stand behind the preposition that the question begins with."""
    distance: int = 0
    """Words between it and what it is the answer to."""
    hops: int = 2
    """Pages that were read to come to it, this one included; 0: no way leads from the question to its page."""

    @property
    def complete(self) -> bool:
        """Whether it explains every word of the question or, at the end of a way, surely is of the kind asked for."""
        return self.hops > 0 and self.sure and (not self.missing or (self.hops > 1 and self.fit > 1))


@dataclass(frozen=True)
class Lead:
    """A name on a page that was read, which may have a page of its own."""

    name: str
    sentence: str
    title: str
    near: bool
    """Its sentence says words of the question that nothing before it said."""


@dataclass(frozen=True)
class Way:
    """How a page was come by."""

    explained: frozenset[str]
    hops: int


def ways_to(question: ParsedQuestion, notebook: Notebook) -> Mapping[str, Way]:
    """By key of each page that was come by from the question: the best way there."""
    ways: dict[str, Way] = {}
    for key, page in notebook.pages.items():
        searched = (page.title, notebook.searched_for.get(key, page.title))
        if any(names_same(title, name) for title in searched for name in question.names):
            ways[key] = Way(frozenset(), 1)
    for _ in notebook.pages:
        for key, page in notebook.pages.items():
            for before, way in list(ways.items()):
                if before == key or key in ways:
                    continue
                searched = (page.title, notebook.searched_for.get(key, page.title))
                for sentence in notebook.pages[before].sentences:
                    if any(mentions(sentence, title) for title in searched):
                        ways[key] = Way(
                            way.explained | question.terms & _says(sentence, notebook.pages[before]), way.hops + 1
                        )
    return ways


def evidence_in(question: ParsedQuestion, notebook: Notebook) -> list[Evidence]:
    """The possible answers, the best first."""
    ways = ways_to(question, notebook)
    found = [each for key, page in notebook.pages.items() for each in _on(question, page, ways.get(key))]
    return sorted(found, key=_rank)


def _rank(of: Evidence) -> tuple[bool, int, bool, int, bool, int]:
    return of.hops == 0, len(of.missing), of.stray, -of.fit, of.apart, of.distance


def _on(question: ParsedQuestion, page: ReadPage, way: Way | None) -> Iterator[Evidence]:
    explained = way.explained if way else frozenset[str]()
    described = question.terms & _what_it_is(page)
    for sentence in page.sentences:
        says = question.terms & _says(sentence, page)
        own = says - explained
        stray = not own and bool(question.terms - explained)
        missing = question.terms - explained - says - described
        beside = frozenset({question.focus}) & says or own or says
        for span in _possible(sentence, question.terms):
            fit = fit_of(question, sentence, span)
            text = worded(question, sentence, span)
            if fit and text and not _is_named(text, question, page):
                yield Evidence(
                    answer=text,
                    sentence=sentence,
                    title=page.title,
                    missing=missing,
                    fit=fit,
                    sure=not stray and (fit > 1 or question.asked != "thing" or not question.noun),
                    stray=stray,
                    apart=not follows(sentence, span, question.preposition),
                    distance=distance_to(sentence, span, beside),
                    hops=way.hops if way else 0,
                )


def _is_named(text: str, question: ParsedQuestion, page: ReadPage) -> bool:
    """Whether it is what the question or the page is about, which is no answer."""
    return names_same(text, page.title) or mentions(question.text, text)


def _what_it_is(page: ReadPage) -> frozenset[str]:
    """What the first sentence of a page says of its subject, without the dates of a life."""
    return meanings_in(_BRACKETS.sub("", page.sentences[0])) if page.sentences else frozenset()


def _is_alias(name: str, title: str) -> bool:
    """Whether a name is a title with words left out or added."""
    words, of_title = bare(name).split(), bare(title).split()
    return set(words) <= set(of_title) or (words[0] == of_title[0] and words[-1] == of_title[-1])


def _says(sentence: str, page: ReadPage) -> frozenset[str]:
    return meanings_in(sentence) | meanings_in(page.title)


@lru_cache(maxsize=16384)
def _possible(sentence: str, terms: frozenset[str]) -> tuple[TextSpan, ...]:
    """The names, dates and numbers of a sentence, and its words without those that the question has."""
    return tuple(part for span in spans_in(sentence) for part in _parts(sentence, span, terms))


def _parts(sentence: str, span: TextSpan, terms: frozenset[str]) -> Iterator[TextSpan]:
    if span.kind != "words":
        yield span
        return
    words = in_words(sentence)
    first: int | None = None
    for at in range(span.first, span.end + 1):
        ends = at == span.end or meaning(words.tokens[at]) in terms
        if ends and first is not None:
            yield words.span("words", first, _without_participle(words.tokens, first, at))
            first = None
        elif not ends and first is None:
            first = at


def _without_participle(tokens: Sequence[str], first: int, end: int) -> int:
    """The end of the words without a participle that begins what follows: `a shopping mall owned by`."""
    leads_on = end < len(tokens) and tokens[end] in PREPOSITIONS and tokens[end - 1].endswith("ed")
    return end - 1 if leads_on and end - 1 > first else end


def follows(sentence: str, span: TextSpan, preposition: str) -> bool:
    """Whether the preposition stands before the span, perhaps with an article."""
    before = [token.lower() for token in in_words(sentence).tokens[max(0, span.first - 2) : span.first]]
    return preposition in (before if before[-1:] == ["the"] else before[-1:])


def distance_to(sentence: str, span: TextSpan, terms: frozenset[str]) -> int:
    """Words between a span and the nearest of these terms; far if the sentence has none of them."""
    words = in_words(sentence)
    beside = (at for at in _places(sentence, terms) if not span.first <= at < span.end)
    return min((_between(words.tokens, span, at) for at in beside), default=_FAR)


@lru_cache(maxsize=16384)
def _places(sentence: str, terms: frozenset[str]) -> tuple[int, ...]:
    return tuple(at for at, token in enumerate(in_words(sentence).tokens) if meaning(token) in terms)


def _between(tokens: Sequence[str], span: TextSpan, at: int) -> int:
    before = span.end <= at and span.kind != "number"
    between = tokens[span.end : at] if span.end <= at else tokens[at + 1 : span.first]
    return len(between) + _OF_A_CLAUSE * (before + sum(token in (",", ";", "and") for token in between))


def leads_in(question: ParsedQuestion, notebook: Notebook) -> list[Lead]:
    """What to search next, the best first: names beside words of the question that nothing explained before.

    After them come other words of such sentences, since not every page has a name as its title.
    """
    ways = ways_to(question, notebook)
    found: dict[str, tuple[tuple[int, int, int, int, int, int], Lead]] = {}
    for key, page in notebook.pages.items():
        way = ways.get(key)
        explained = way.explained if way else frozenset[str]()
        for sentence in page.sentences:
            own = (question.terms & _says(sentence, page)) - explained
            for span in spans_in(sentence):
                names = span.kind == "name" or (span.kind == "words" and own and span.end - span.first > 1)
                if not names or notebook.tried(span.text) or _is_alias(span.text, page.title):
                    continue
                distance = distance_to(sentence, span, own)
                apart = not follows(sentence, span, question.link)
                order = (span.kind != "name", not own, -(way.hops if way else 0), -len(own), apart, distance)
                lead = Lead(span.text, sentence, page.title, bool(own) and span.kind == "name")
                if span.text not in found or order < found[span.text][0]:
                    found[span.text] = order, lead
    return [lead for _, lead in sorted(found.values(), key=lambda each: each[0])]
