"""Reads a question: the names in it, what it says of what it asks for, and the kind of answer that it wants."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from quintet.models.sim.hotpotqa.names import TextSpan, Words, in_words, spans_in
from quintet.models.sim.hotpotqa.words import COMPARATIVES, FUNCTION_WORDS, PREPOSITIONS, meaning, word_list

Asked: TypeAlias = Literal["person", "place", "year", "date", "number", "nationality", "profession", "thing"]
"""The kind of an answer. `thing`: any name, or other words."""

QuestionForm: TypeAlias = Literal["open", "either", "whether", "shared"]
"""`either`: which of two. `whether`: yes or no. `shared`: what two have in common."""

_WH = re.compile(r"who|whom|whose|what|which|when|where|how|whats|who's|what's")
_AUXILIARIES = frozenset(word_list("is are was were do does did has have had can could"))
_IS = frozenset(word_list("is are was were"))
_COUNTS = frozenset(word_list("number population attendance"))
_UNTIL = re.compile(r"(?:until|till|up to)\b", re.IGNORECASE)
_BETWEEN = 4
"""So many words at most stand between two names that are compared."""
_ARTICLES = frozenset(word_list("the a an this its his her their"))
_SHARED = re.compile(r"\b(?:in common|share[ds]?|both)\b", re.IGNORECASE)
_KINDS: dict[str, Asked] = {
    **dict.fromkeys(("year", "decade", "century"), "year"),
    **dict.fromkeys(("date", "day", "month", "birthday"), "date"),
    **dict.fromkeys(
        word_list("""number population height length age depth width area size distance elevation capacity speed"""),
        "number",
    ),
    **dict.fromkeys(["nationality", "citizenship"], "nationality"),
    **dict.fromkeys(word_list("profession occupation job career trade"), "profession"),
    **dict.fromkeys(
        word_list(
            """city town village country state county province region continent island municipality district suburb
            place location hometown birthplace nation"""
        ),
        "place",
    ),
    **dict.fromkeys(
        word_list(
            """person man woman author writer novelist poet director producer composer singer musician actor
            actress footballer player architect painter artist scientist engineer founder president king queen
            husband wife spouse father mother son daughter brother sister politician explorer philosopher
            inventor designer editor"""
        ),
        "person",
    ),
}
_KIND_NEEDS_NO_WORD = frozenset(
    word_list(
        """year decade century date day month nationality citizenship profession occupation job career trade place
        location kind type sort"""
    )
)
"""Nouns of questions that an answer need not have beside it."""
_MEASURES = frozenset(word_list("many much long tall high old large big far deep wide fast heavy"))


@dataclass(frozen=True)
class ParsedQuestion:
    """A question as it is read."""

    text: str
    form: QuestionForm
    asked: Asked
    noun: str
    """What the noun of the question means, as `river` in `which river`; empty where it has none."""
    names: tuple[str, ...]
    terms: frozenset[str]
    """What the question says of the answer beside names: meanings of words."""
    said: tuple[tuple[str, str], ...]
    """Each term with the word that says it."""
    focus: str = ""
    """The term that the answer stands beside: the verb at the end of `what does ... hold`, the noun of `who is the ...
    of`; empty where there is none."""
    link: str = ""
    """The preposition before a `which` or `whom` that goes on to say what the first name has to do with it."""
    preposition: str = ""
    """The preposition at the beginning, which may stand before the answer too."""
    counted: bool = False
    """A number of things is asked for, not a measure with its unit."""
    until: bool = False
    """The end of a time is asked for."""
    pair: tuple[str, str] | None = None
    """The two that are compared."""

    def word_for(self, term: str) -> str:
        """The question's own word for a term."""
        return next((word for each, word in self.said if each == term), term)


@lru_cache(maxsize=4096)
def read_question(text: str) -> ParsedQuestion:
    """The question in a text."""
    text = " ".join(text.split())
    words, spans = in_words(text), spans_in(text)
    names = tuple(dict.fromkeys(span.text for span in spans if span.kind == "name"))
    form, pair = _form(text, words, spans)
    asked, noun, noun_at = _asked(words)
    named = {at for span in spans if span.kind == "name" for at in range(span.first, span.end)}
    free = noun_at if noun in _KIND_NEEDS_NO_WORD or _by_which(words, noun_at) else None
    said = [
        (term, token)
        for at, token in enumerate(words.tokens)
        if at not in named and at != free and (term := meaning(token)) and not _WH.fullmatch(token.lower())
    ]
    return ParsedQuestion(
        text=text,
        form=form,
        asked=asked,
        noun=meaning(noun),
        names=_with_pair(names, pair),
        terms=frozenset(term for term, _ in said),
        said=tuple(dict.fromkeys(said)),
        focus=_focus(words, noun_at if free is None else None, said),
        link=_link(words),
        preposition=words.tokens[0].lower() if words.tokens and words.tokens[0].lower() in PREPOSITIONS else "",
        counted=asked == "number" and (free is not None or noun in _COUNTS),
        until=_UNTIL.match(text) is not None,
        pair=pair,
    )


def _with_pair(names: tuple[str, ...], pair: tuple[str, str] | None) -> tuple[str, ...]:
    """The names, those that are parts of what is compared left out."""
    if pair is None:
        return names
    return (*pair, *(name for name in names if not any(name in each for each in pair)))


def _focus(words: Words, noun_at: int | None, said: Sequence[tuple[str, str]]) -> str:
    """The noun that is asked for, else the last word before a `which` that does not begin the question.

    Else, where an auxiliary stands before its subject, it is the verb at the end.
    """
    if not said:
        return ""
    if noun_at is not None:
        return meaning(words.tokens[noun_at])
    wh = next((at for at, token in enumerate(words.tokens) if _WH.fullmatch(token.lower())), 0)
    before = [term for token in words.tokens[:wh] for term, word in said if word == token]
    if before:
        return before[-1]
    asks_with_auxiliary = any(token.lower() in _AUXILIARIES for token in words.tokens)
    return said[-1][0] if asks_with_auxiliary else said[0][0]


def _link(words: Words) -> str:
    lowered = [token.lower() for token in words.tokens]
    places = [at for at, token in enumerate(lowered) if at > 1 and token in ("which", "whom")]
    return next((lowered[at - 1] for at in places if lowered[at - 1] in PREPOSITIONS), "")


def _form(text: str, words: Words, spans: Sequence[TextSpan]) -> tuple[QuestionForm, tuple[str, str] | None]:
    names = [span for span in spans if span.kind == "name"]
    first = words.tokens[0].lower() if words.tokens else ""
    lowered = [token.lower() for token in words.tokens]
    beside = [(one, other, lowered[one.end : other.first]) for one, other in pairwise(names)]
    near = [(one, other, between) for one, other, between in beside if 0 < len(between) <= _BETWEEN]
    for one, other, between in near:
        if "or" in between and not (first in _AUXILIARIES and "both" in lowered):
            start = _chain_start(names, one, lowered)
            return "either", (words.span("name", start, one.end).text, other.text)
    for one, other, between in near:
        if "and" in between or "or" in between:
            pair = (one.text, other.text)
            if first in _AUXILIARIES:
                return "whether", pair
            if _SHARED.search(text):
                return "shared", pair
            if any(word in COMPARATIVES for word in lowered):
                return "either", pair
    return ("whether", None) if first in _AUXILIARIES else ("open", None)


def _chain_start(names: Sequence[TextSpan], last: TextSpan, lowered: Sequence[str]) -> int:
    """Where `Kolbe and Daughter` begins, which is one name before an `or`."""
    before = next((name for name in names if lowered[name.end : last.first] == ["and"]), last)
    return before.first


def _asked(words: Words) -> tuple[Asked, str, int | None]:
    """The kind of answer, the noun that names it, and its place."""
    tokens = [token.lower() for token in words.tokens]
    at = next((place for place, token in enumerate(tokens) if _WH.fullmatch(token)), None)
    if at is None:
        return "thing", "", None
    match tokens[at]:
        case "who" | "whom" | "whose" | "who's":
            return "person", "", None
        case "when":
            return "date", "", None
        case "where":
            return "place", "", None
        case "how":
            measured = at + 1 < len(tokens) and tokens[at + 1] in _MEASURES
            noun = _noun_phrase(words.tokens, at + 2) if measured and tokens[at + 1] == "many" else None
            return ("number", tokens[noun], noun) if noun else ("number" if measured else "thing", "", None)
        case _:
            noun = _noun_after(words.tokens, at + 1, fronted=at > 0)
            return ("thing", "", None) if noun is None else (_KINDS.get(tokens[noun], "thing"), tokens[noun], noun)


def _noun_after(tokens: Sequence[str], at: int, *, fronted: bool) -> int | None:
    """The place of the noun that a `what` or `which` asks for: `which river flows`, `what is the name of the river`.

    Args:
        tokens: of the question.
        at: the place after the `what`.
        fronted: whether other words stand before it; then its noun follows it at once.
    """
    if at < len(tokens) and tokens[at].lower() in _AUXILIARIES and (fronted or tokens[at].lower() not in _IS):
        return None
    while at < len(tokens) and tokens[at].lower() in _AUXILIARIES | _ARTICLES | {"of", "name", "names"}:
        at += 1
    return _noun_phrase(tokens, at)


def _noun_phrase(tokens: Sequence[str], at: int) -> int | None:
    """The last word of the phrase that begins here; None: no phrase does.

    A word after a noun that ends as verbs do ends it.
    """
    noun: int | None = None
    while at < len(tokens) and tokens[at][0].isalnum() and tokens[at].lower() not in FUNCTION_WORDS:
        word = tokens[at].lower()
        acts = word.endswith(("ed", "es")) or (word.endswith("s") and not word.endswith(("ss", "us", "is")))
        if noun is not None and acts and not tokens[noun].lower().endswith("ed"):
            break
        noun = at
        at += 1
    return noun


def _by_which(words: Words, noun_at: int | None) -> bool:
    """Whether the noun stands after its `which` or `what`, with nothing but what qualifies it in between."""
    if noun_at is None:
        return False
    before = [token.lower() for token in words.tokens[:noun_at]]
    place = max((at for at, token in enumerate(before) if _WH.fullmatch(token)), default=noun_at)
    return not any(token in _AUXILIARIES for token in before[place:])
