"""What goals and observations about questions and pages are about."""

import re

from quintet.models.sim.hotpotqa.names import in_words
from quintet.models.sim.hotpotqa.pages import FOUND_NOTHING, sentences_in
from quintet.models.sim.hotpotqa.question import ParsedQuestion
from quintet.models.sim.hotpotqa.task import TOOL, read_reading_goal
from quintet.models.sim.hotpotqa.words import FUNCTION_WORDS
from quintet.models.sim.sorting import Topic

_RESULT = re.compile(r"\(result \d+ ?/ ?\d+\)|no (?:more )?results", re.IGNORECASE)
_CLASS = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the) (?P<what>[^,.;]+)", re.IGNORECASE)
_AREAS = {
    "person": "people",
    "place": "places",
    "year": "times",
    "date": "times",
    "number": "numbers",
    "nationality": "people",
    "profession": "people",
    "thing": "things",
}


def reading_topic(text: str) -> Topic | None:
    """The kind of thing that a question asks for, or that a page is about; None if the text is neither."""
    text = text.strip()
    if (goal := read_reading_goal(text)) is not None:
        return _of_question(goal.question)
    if TOOL.search(text):
        return Topic("the beginning", "question")
    if FOUND_NOTHING.match(text):
        return Topic("refusals", "refusal")
    if _RESULT.match(text):
        return Topic("sentences", "sentence")
    first = next(iter(sentences_in(text)), "")
    found = _CLASS.search(first)
    return None if found is None else Topic("pages", _head(found["what"]))


def _of_question(question: ParsedQuestion) -> Topic:
    if question.form != "open":
        return Topic("comparisons", {"either": "which", "whether": "both", "shared": "common"}[question.form])
    return Topic(_AREAS[question.asked], question.noun or question.asked)


def _head(words: str) -> str:
    """The last word before the first function word: `film` of `film directed by`."""
    kept: list[str] = []
    for token in in_words(words).tokens:
        if kept and (token.lower() in FUNCTION_WORDS or token.endswith("ed")):
            break
        kept.append(token.lower())
    return kept[-1] if kept else "page"
