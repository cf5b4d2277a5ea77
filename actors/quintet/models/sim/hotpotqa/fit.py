"""Whether some words of a sentence are of the kind that a question asks for, and how they read as an answer."""

import re
from collections.abc import Sequence

from quintet.models.sim.hotpotqa.names import TextSpan, in_words
from quintet.models.sim.hotpotqa.question import ParsedQuestion
from quintet.models.sim.hotpotqa.words import MONTHS, PREPOSITIONS, meaning, word_list

_NO_PERSON = frozenset(
    word_list(
        """river lake sea bay mount mountain valley hill forest island street road bridge castle tower square park
        station airport railway university college school academy institute museum gallery library theatre
        theater hall festival award prize company records studios studio press society association foundation
        party league club union army war battle orchestra band city town village county state province kingdom
        republic house church cathedral"""
    )
)
_PLACE_AFTER = frozenset(word_list("in at near from of through into around outside"))
_ROLES = frozenset(
    map(
        meaning,
        word_list(
            """director writer author composer producer actor actress singer architect painter founder inventor
            engineer scientist physicist chemist botanist astronomer explorer politician president king queen
            prince princess sculptor poet novelist husband wife father mother son daughter brother sister
            teacher editor footballer player captain philosopher mathematician historian journalist photographer
            designer"""
        ),
    )
)
_MEASURES = frozenset(
    word_list(
        """metres metre meters meter feet foot kilometres kilometre kilometers kilometer km m miles mile years year
        square tonnes tons kilograms kilogram kg grams litres days weeks months hectares acres degrees
        inhabitants people pages minutes hours percent million billion thousand members seats"""
    )
)
_LIFE = frozenset(map(meaning, ("born", "died")))
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2}|[1-9]\d{2})\b")
_MONTH = re.compile("|".join(MONTHS), re.IGNORECASE)
_PASSIVE = frozenset(word_list("is are was were been be being"))
_DETERMINERS = frozenset(word_list("a an the his her its their this that"))
"""A word right before one of these is no noun."""
_UNTIL = frozenset(word_list("to until till and – -"))
_IS = frozenset(word_list("is was are were became become remained"))
_NEAR = 2
"""So many words beside a name may say what it is."""


def fit_of(question: ParsedQuestion, sentence: str, span: TextSpan) -> int:
    """How well these words are of the kind asked for: 0 not at all, 1 they may be, 2 they surely are."""
    tokens = [token.lower() for token in in_words(sentence).tokens]
    before = tokens[max(0, span.first - _NEAR) : span.first]
    after = tokens[span.end : span.end + _NEAR]
    inside = tokens[span.first : span.end]
    if _is_verb(span, before, after):
        return 0
    match question.asked:
        case "year":
            if span.kind != "date" or not _YEAR.search(span.text):
                return 0
            return 1 if question.until and not set(before) & _UNTIL else 2
        case "date":
            return 0 if span.kind != "date" else 2 if _MONTH.search(span.text) else 1
        case "number":
            return _counts(question, span, after)
        case "person":
            behind = question.preposition and before[-1:] in ([question.preposition], ["a"], ["an"])
            return 1 if behind and span.kind == "words" else _person(span, before, inside)
        case "place":
            if span.kind != "name":
                return 0
            said = _says_noun(question, before, inside, after)
            return 2 if said or (before[-1:] and before[-1] in _PLACE_AFTER) else 1
        case "nationality":
            return 2 if span.kind == "adjective" else 0
        case "profession":
            return _profession(span, tokens)
        case "thing":
            if span.kind in ("date", "number", "adjective"):
                return 0
            return 2 if question.noun and _says_noun(question, before, inside, after) else 1


def worded(question: ParsedQuestion, sentence: str, span: TextSpan) -> str:
    """The span as an answer: a year without its day, a measure with its unit."""
    tokens = in_words(sentence).tokens
    after = tokens[span.end].lower() if span.end < len(tokens) else ""
    match question.asked:
        case "year":
            found = _YEAR.search(span.text)
            return found[0] if found else ""
        case "number" if not question.counted and _is_unit(after):
            return f"{span.text} {tokens[span.end]}"
        case "number" if after in ("million", "billion", "thousand"):
            return f"{span.text} {tokens[span.end]}"
        case _:
            return span.text


def _is_unit(word: str) -> bool:
    """Whether a word after a number tells what it counts: `metres`, or any plural."""
    return word in _MEASURES or (word.endswith("s") and bool(meaning(word)) and not word.endswith("ss"))


def _is_verb(span: TextSpan, before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the words around tell that it is no noun: `shows a`, `were written at`."""
    if span.kind != "words" or not after:
        return False
    return after[0] in _DETERMINERS or (bool(set(before[-1:]) & _PASSIVE) and after[0] in PREPOSITIONS)


def _counts(question: ParsedQuestion, span: TextSpan, after: Sequence[str]) -> int:
    if span.kind not in ("number", "date") or (span.kind == "date" and not span.text.isdigit()):
        return 0
    if any(meaning(word) == question.noun for word in after if question.noun):
        return 2
    return 0 if span.kind == "date" else 2 if after[:1] and after[0] in _MEASURES else 1


def _person(span: TextSpan, before: Sequence[str], inside: Sequence[str]) -> int:
    if span.kind != "name" or any(word in _NO_PERSON for word in inside):
        return 0
    if before[-1:] == ["by"] or any(meaning(word) in _ROLES for word in before if meaning(word)):
        return 2
    return 1


def _profession(span: TextSpan, tokens: Sequence[str]) -> int:
    """A profession follows `is a`, perhaps after a nationality."""
    if span.kind != "words" or meaning(span.text) in _LIFE:
        return 0
    before = tokens[max(0, span.first - 3) : span.first]
    return 2 if any(word in _IS for word in before) and any(word in ("a", "an") for word in before) else 1


def _says_noun(question: ParsedQuestion, before: Sequence[str], inside: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the noun of the question stands in the words, or beside them."""
    beside = (*before, *inside, *after)
    return bool(question.noun) and any(meaning(word) == question.noun for word in beside)
