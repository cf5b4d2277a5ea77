"""Reads a question: the names in it, what it says of what it asks for, and the kind of answer that it wants."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.models.sim.hotpotqa.names import Span, Words, in_words, spans_in
from quintet.models.sim.hotpotqa.words import FUNCTION_WORDS, meaning, words_of

Asked: TypeAlias = Literal["person", "place", "year", "date", "number", "nationality", "profession", "thing"]
"""The kind of an answer. `thing`: any name, or other words."""

QuestionForm: TypeAlias = Literal["open", "either", "whether", "shared"]
"""`either`: which of two. `whether`: yes or no. `shared`: what two have in common."""

_WH = re.compile(r"who|whom|whose|what|which|when|where|how|whats|who's|what's")
_AUXILIARIES = frozenset(words_of("""is are was were do does did has have had can could"""))
_ARTICLES = frozenset(words_of("""the a an this its his her their"""))
_SHARED = re.compile(r"\b(?:in common|share[ds]?|both)\b", re.IGNORECASE)
_SAME = re.compile(r"\b(?:the )?same (?P<what>[\w-]+)|\b(?:in|from|of) (?:a|one) (?P<one>[\w-]+)", re.IGNORECASE)

_KINDS: dict[str, Asked] = {
    **dict.fromkeys(("year", "decade", "century"), "year"),
    **dict.fromkeys(("date", "day", "month", "birthday"), "date"),
    **dict.fromkeys(
        words_of("""number population height length age depth width area size distance elevation capacity speed"""),
        "number",
    ),
    **dict.fromkeys(["nationality", "citizenship"], "nationality"),
    **dict.fromkeys(words_of("""profession occupation job career trade"""), "profession"),
    **dict.fromkeys(
        words_of("""city town village country state county province region continent island municipality district suburb place
location hometown birthplace nation"""),
        "place",
    ),
    **dict.fromkeys(
        words_of("""person man woman author writer novelist poet director producer composer singer musician actor actress
footballer player architect painter artist scientist engineer founder president king queen husband wife
spouse father mother son daughter brother sister politician explorer philosopher inventor designer editor"""),
        "person",
    ),
}
_KIND_NEEDS_NO_WORD = frozenset(
    words_of("""year decade century date day month nationality citizenship profession occupation job career trade place
location kind type sort""")
)
"""Nouns of questions that an answer need not have beside it."""
_MEASURES = {"many": "number", "much": "number", "long": "number", "tall": "number", "high": "number", "old": "number"}
_MEASURES |= dict.fromkeys(("large", "big", "far", "deep", "wide", "fast", "heavy"), "number")


@dataclass(frozen=True)
class Question:
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
    pair: tuple[str, str] | None = None
    """The two that are compared."""

    def word_for(self, term: str) -> str:
        """The question's own word for a term."""
        return next((word for each, word in self.said if each == term), term)


@lru_cache(maxsize=4096)
def read_question(text: str) -> Question:
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
    return Question(
        text, form, asked, meaning(noun), names, frozenset(term for term, _ in said), tuple(dict.fromkeys(said)), pair
    )


def _form(text: str, words: Words, spans: Sequence[Span]) -> tuple[QuestionForm, tuple[str, str] | None]:
    names = [span for span in spans if span.kind == "name"]
    first = words.tokens[0].lower() if words.tokens else ""
    for one, other in zip(names, names[1:], strict=False):
        between = [token.lower() for token in words.tokens[one.end : other.first]]
        if len(between) > 4 or not between:
            continue
        if "or" in between:
            return "either", (one.text, other.text)
        if "and" in between:
            if first in _AUXILIARIES:
                return "whether", (one.text, other.text)
            if _SHARED.search(text):
                return "shared", (one.text, other.text)
            if any(word in _COMPARATIVES for word in map(str.lower, words.tokens)):
                return "either", (one.text, other.text)
    return ("whether", None) if first in _AUXILIARIES else ("open", None)


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
            noun = _noun_after(words.tokens, at + 1)
            return ("thing", "", None) if noun is None else (_KINDS.get(tokens[noun], "thing"), tokens[noun], noun)


def _noun_after(tokens: Sequence[str], at: int) -> int | None:
    """The place of the noun that a `what` or `which` asks for: `which river flows`, `what is the name of the river`."""
    while at < len(tokens) and tokens[at].lower() in _AUXILIARIES | _ARTICLES | {"of", "name", "names"}:
        at += 1
    return _noun_phrase(tokens, at)


def _noun_phrase(tokens: Sequence[str], at: int) -> int | None:
    """The last word of the phrase that begins here; None: no phrase does. A word after a noun that ends as verbs do
    ends it.
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


_COMPARATIVES: dict[str, bool] = {
    **dict.fromkeys(
        words_of("""older oldest first earlier earliest shorter shortest smaller smallest lower lowest"""),
        False,
    ),
    **dict.fromkeys(words_of("""fewer fewest less least closer nearer"""), False),
    **dict.fromkeys(
        words_of("""younger youngest later latest newer newest last recently recent longer longest taller"""),
        True,
    ),
    **dict.fromkeys(
        words_of("""tallest higher highest larger largest bigger biggest more most greater farther further"""),
        True,
    ),
}
_OF_TIME = frozenset(
    words_of("""older oldest first earlier earliest younger youngest later latest newer newest last recently recent""")
)


def comparison_in(question: Question) -> tuple[bool, bool] | None:
    """Whether the larger of two values is asked for, and whether they are times; None: nothing is compared so."""
    for word in map(str.lower, in_words(question.text).tokens):
        if word in _COMPARATIVES:
            return _COMPARATIVES[word], word in _OF_TIME
    return None


def sameness_in(question: Question) -> str | None:
    """The noun of `the same country`; None where the question has none."""
    found = _SAME.search(question.text)
    return None if found is None else (found["what"] or found["one"]).lower()
