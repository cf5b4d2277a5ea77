"""Answers questions about two things: which of them, whether both, and what they share."""

import re
from collections.abc import Iterator
from dataclasses import replace

from quintet.models.sim.hotpotqa.evidence import Evidence, distance_to
from quintet.models.sim.hotpotqa.fit import fit_of, worded
from quintet.models.sim.hotpotqa.names import TextSpan, in_words, spans_in
from quintet.models.sim.hotpotqa.pages import Notebook, ReadPage, bare, key_of, mentions, names_same
from quintet.models.sim.hotpotqa.question import ParsedQuestion, read_question
from quintet.models.sim.hotpotqa.words import COMPARATIVES, MONTHS, OF_TIME, meanings_in, number_in, scale_of

_YEAR = re.compile(r"\b(1\d{3}|20\d{2}|[1-9]\d{2})\b")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)")
_SAME = re.compile(r"\b(?:the )?same (?P<what>[\w-]+)|\b(?:in|from|of) (?:a|one) (?P<one>[\w-]+)", re.IGNORECASE)


def page_of(name: str, notebook: Notebook) -> ReadPage | None:
    """The page of a thing that the question names; None: it was not read."""
    for key, page in notebook.pages.items():
        if names_same(page.title, name) or names_same(notebook.searched_for.get(key, page.title), name):
            return page if _is_about(page, page.title) else None
    return None


def _is_about(page: ReadPage, title: str) -> bool:
    """Whether a page says a word of its own title. What does not is no page: it tells nothing, not even by silence."""
    said = {word for sentence in page.sentences for word in key_of(sentence).split()}
    return not said.isdisjoint(bare(title).split())


def compared(question: ParsedQuestion, notebook: Notebook) -> Evidence | None:
    """The answer to a question about two things; None as long as one of their pages was not read, or does not tell."""
    if question.pair is None:
        return None
    one, other = (page_of(name, notebook) for name in question.pair)
    if one is None or other is None:
        return None
    match question.form:
        case "whether":
            said = _both(question, one, other)
            return None if said is None else _evidence("yes" if said[0] else "no", said[1], other)
        case "shared":
            return _shared(question, one, other)
        case _:
            return _which(question, one, other)


def _evidence(answer: str, sentence: str, page: ReadPage) -> Evidence:
    return Evidence(answer, sentence, page.title, frozenset(), fit=2, sure=True)


def _which(question: ParsedQuestion, one: ReadPage, other: ReadPage) -> Evidence:
    """The one with the larger or smaller value; else a guess by what else their pages say."""
    assert question.pair is not None
    asked = _comparison(question)
    values = [None if asked is None else _value(question, page, of_time=asked[1]) for page in (one, other)]
    if asked is None or values[0] is None or values[1] is None or values[0][0] == values[1][0]:
        (left, sentence), (right, _) = (_told(question, page) for page in (one, other))
        told = _evidence(question.pair[left < right], sentence, one)
        return told if left != right and asked is None else replace(told, sure=False)
    first = (values[0][0] > values[1][0]) == asked[0]
    return _evidence(question.pair[0 if first else 1], values[0][1], one)


def _comparison(question: ParsedQuestion) -> tuple[bool, bool] | None:
    """Whether the larger of two values is asked for, and whether they are times; None: nothing is compared so."""
    words = map(str.lower, in_words(question.text).tokens)
    return next(((COMPARATIVES[word], word in OF_TIME) for word in words if word in COMPARATIVES), None)


def _sameness(question: ParsedQuestion) -> str | None:
    """The noun of `the same country`; None where the question has none."""
    found = _SAME.search(question.text)
    return None if found is None else (found["what"] or found["one"]).lower()


def _told(question: ParsedQuestion, page: ReadPage) -> tuple[int, str]:
    """How much of what the question says a page says, and the sentence that says most."""
    words = {sentence: len(question.terms & meanings_in(sentence)) for sentence in page.sentences}
    said = frozenset[str]().union(*map(meanings_in, page.sentences))
    return len(question.terms & said), max(words, key=lambda sentence: words[sentence])


def _value(question: ParsedQuestion, page: ReadPage, *, of_time: bool) -> tuple[tuple[float, ...], str] | None:
    """The time or number of a page that stands nearest to the words of the question, with its sentence."""
    found: list[tuple[int, tuple[float, ...], str]] = []
    for sentence in page.sentences:
        for span in spans_in(sentence):
            if span.kind != ("date" if of_time else "number"):
                continue
            value = _time(span.text) if of_time else _number(sentence, span)
            if value is not None:
                found.append((distance_to(sentence, span, question.terms), value, sentence))
    return min(found, key=lambda each: each[0])[1:] if found else None


def _time(text: str) -> tuple[float, ...] | None:
    year = _YEAR.search(text)
    if year is None:
        return None
    month = next((number for number, name in enumerate(MONTHS, 1) if name in text.lower()), 0)
    day = _DAY.search(text.replace(year[0], ""))
    return float(year[0]), float(month), float(day[1]) if day else 0.0


def _number(sentence: str, span: TextSpan) -> tuple[float, ...] | None:
    tokens = in_words(sentence).tokens
    value = number_in(span.text)
    scale = scale_of(tokens[span.end]) if span.end < len(tokens) else 1.0
    return None if value is None else (value * scale,)


def _both(question: ParsedQuestion, one: ReadPage, other: ReadPage) -> tuple[bool, str] | None:
    """Whether both are what the question says, with a sentence that shows it."""
    if noun := _sameness(question):
        if _values(noun, one) or _values(noun, other):
            shared = _values(noun, one) & _values(noun, other)
            return bool(shared), other.sentences[0]
        return None
    asked = question.terms
    names = [name for name in question.names if name not in (question.pair or ())]
    for page in (one, other):
        said = frozenset[str]().union(*map(meanings_in, page.sentences))
        if asked - said or not all(any(mentions(each, name) for each in page.sentences) for name in names):
            return False, page.sentences[0]
    return True, other.sentences[0]


def _values(noun: str, page: ReadPage) -> frozenset[str]:
    """What a page says of itself under a noun: `Velmari` or `Norland` under `country`, `painter` under `profession`."""
    asked = read_question(f"What {noun}?")
    places = asked.asked in ("place", "nationality")
    found: set[str] = set()
    for sentence in page.sentences:
        for span in spans_in(sentence):
            nation = span.kind == "adjective" and places
            if (nation or fit_of(asked, sentence, span) > 1) and not names_same(span.text, page.title):
                found |= meanings_in(worded(asked, sentence, span))
    return frozenset(found)


def _shared(question: ParsedQuestion, one: ReadPage, other: ReadPage) -> Evidence | None:
    """The words that both pages say and that are of the kind that is asked for."""
    there = {word for sentence in other.sentences for word in meanings_in(sentence)}
    for fit in (2, 1):
        for sentence in one.sentences:
            for text in _of_kind(question, sentence, fit):
                words = meanings_in(text)
                if words and words <= there and not mentions(question.text, text):
                    return _evidence(text, sentence, one)
    return None


def _of_kind(question: ParsedQuestion, sentence: str, fit: int) -> Iterator[str]:
    for span in spans_in(sentence):
        if fit_of(question, sentence, span) == fit:
            yield worded(question, sentence, span)


def unread(question: ParsedQuestion, notebook: Notebook) -> list[str]:
    """The names of the question that are to be searched: those that are compared first, then those of several words.

    A name that stands on a page that was read is explained there.
    """
    compared = question.pair or ()
    others = [name for name in question.names if name not in compared and not _is_explained(name, notebook)]
    named = (*compared, *sorted(others, key=lambda name: len(name.split()) == 1))
    return [name for name in dict.fromkeys(named) if not notebook.tried(name)]


def _is_explained(name: str, notebook: Notebook) -> bool:
    pages = notebook.pages.values()
    return any(mentions(text, name) for page in pages for text in (page.title, *page.sentences))
