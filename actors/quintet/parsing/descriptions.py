"""Parses descriptions: what an action did and whether it serves its step, and a long observation in short.

    The action is to open the fridge, which shows a mug.
    YES

The description is the last sentence that begins with `The action is to` and stands before the YES or NO that counts, or
else behind it; without one, it is what stands before that. An observation in short follows the label `Short
description:`; without a label it is the whole answer.

Source: Devil's Advocate, appendix.
"""

import re
from typing import NamedTuple

from quintet.parsing.answers import MARK, SEPARATOR, answer_text, on_one_line, without_courtesies
from quintet.parsing.judgements import last_statement, packed_verdict
from quintet.parsing.labelled import labelled_text
from quintet.parsing.objects import as_plain_text, fields, first_object

_SENTENCE = re.compile(r"\bthe action is to\b[ \t*_`:：]*+(?:\n\s*+)?(?=\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"\n|(?<=[.!?])[*_`\"')]*+(?=[ \t]++[A-Z*_`\"'(])|(?<=[。！？])")
_LABEL = re.compile(rf"^{MARK}(?:description|action|summary|what happened|step 1){SEPARATOR}", re.IGNORECASE)
_ASKS = re.compile(r"(?:^|(?<=[.!?\n]))[^.!?\n]{0,80}[:：?？=→][ \t*_`\"'(]*+\Z")
"""A label or a question of the model's own before its verdict."""
_AROUND = " \t\n*_`|>-–—→:;,(「」『』【】"
_KEYS = ("description", "action", "what_happened", "summary")
_VERDICT_KEYS = ("aligned", "aligns", "alignment", "serves", "verdict", "answer", "result")

read_condensed = labelled_text(
    "description|summary|version", "short_description", "description", "summary", "text"
).read
"""Reads an observation in short."""


class Alignment(NamedTuple):
    """What an action did, and whether it serves its step."""

    description: str
    """One line; empty if there is none."""
    aligned: bool | None
    """None: the answer does not say."""


def read_alignment(completion: str) -> Alignment:
    """The alignment in a whole completion; any text is allowed."""
    text = answer_text(completion).strip()
    found = first_object(text) if "{" in text else None
    said = fields(found.value) if found else {}
    if (packed := packed_verdict(text, _VERDICT_KEYS)) is not None:
        description = next(filter(None, (as_plain_text(said.get(key)) for key in _KEYS)), "")
        return Alignment(on_one_line(description), packed)
    stated = last_statement(text)
    if stated is None:
        return Alignment(_sentence(text), None)
    before = text[: stated.start]
    return Alignment(_sentence(before) or _sentence(text) or _paragraph(before), stated.yes)


def _sentence(text: str) -> str:
    """The last sentence on what the action is; empty if there is none."""
    for sentence in reversed([*_SENTENCE.finditer(text)]):
        end = _SENTENCE_END.search(text, sentence.end())
        if said := on_one_line(text[sentence.end() : end.start() if end else len(text)].rstrip(_AROUND)):
            return f"The action is to {said}"
    return ""


def _paragraph(text: str) -> str:
    """The first paragraph before a verdict, without labels."""
    text = without_courtesies(_ASKS.sub("", text.rstrip())).strip(_AROUND)
    return on_one_line(_LABEL.sub("", text.partition("\n\n")[0]).strip(_AROUND))
