"""Parses several candidate actions with the model's confidences in them: text in, a ranking out.

A candidate is asked for as `Action: ... (confidence 0.5)`. It is found in lists, sentences, tables and JSON too, with
its confidence behind it, before it or on a line of its own (`quintet.parsing.confidences`).
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from quintet.messages.execution import Act, Claim, Unreadable
from quintet.parsing.actions import VERB, command, starts_plainly
from quintet.parsing.answers import EMPHASIS, MARK, answer_text, has_text
from quintet.parsing.confidences import CONFIDENCE, as_confidence, confidence_in
from quintet.parsing.decisions import read_decision, rows_as_lines, uncut
from quintet.parsing.objects import as_plain_text, fields, items, loose_fields, value_at
from quintet.ports.model import Finish


class ReadCandidate(NamedTuple):
    """A candidate as it was written; its confidence is at least 0, or None if it is missing or no number."""

    decision: Act | Claim
    confidence: float | None


class Ranking(NamedTuple):
    """Candidates that differ, the most confident first, with confidences that sum to one."""

    candidates: tuple[tuple[Act | Claim, float], ...]
    adjusted: bool
    """The confidences are not those that were written."""


class _Line(NamedTuple):
    """A part of a line that may name a candidate."""

    said: str
    weighed: bool
    """A confidence belongs to it, perhaps one that is no number."""
    confidence: float | None
    labelled: bool = False
    listed: bool = False


_TOLERANCE = 1e-6
_DEEPEST = 6
_JOINING_GLANCE = 20
_LONGEST = 1_000
_TRIES = 8
_ACTION_KEYS = ("action", "next_action", "command", "candidate", "option")
_LISTS = ("actions", "candidates", "options")
_CONFIDENCE_KEYS = ("confidence", "probability", "likelihood", "score", "prob", "conf", "weight", "p")
_OPENING = re.compile(r"(?<!\w)[{\[]")
_CHUNK = re.compile(r"\{[^{}]*+\}")

_ITEM = re.compile(
    r"[ \t]*+(?:[>#*_]{1,4}[ \t]*+)?(?:\(?#?[0-9]{1,3}[.):]|#[0-9]{1,3}(?=[ \t])|[-*+•](?=[ \t]))[ \t]*+"
)
_LABEL = re.compile(
    rf"{MARK}(?:candidates?|option|choice|alternative|actions?|act|command)[ \t]*+"
    rf"(?:\#?[0-9]{{1,3}}|[A-H])?{EMPHASIS}(?:[:：]|$){EMPHASIS}",
    re.IGNORECASE,
)
_THOUGHT = re.compile(
    rf"{MARK}(?:thoughts?|think|thinking|reasoning){EMPHASIS}[0-9]{{0,3}}{EMPHASIS}[:：]", re.IGNORECASE
)
_OBSERVATION = re.compile(rf"{MARK}observation{EMPHASIS}[0-9]{{0,3}}{EMPHASIS}[:：]", re.IGNORECASE)
_SUM = re.compile(rf"{MARK}(?:total|sum|overall)\b", re.IGNORECASE)
_JOINED = re.compile(r"[\s,;.|]*+(?:(?:and|or|then|finally)\b[\s,]*+)?", re.IGNORECASE)
_JOINING = re.compile(r"[\s,;]{1,8}(?:and|or)\s*\Z", re.IGNORECASE)
_TAG = re.compile(r"</?\w{1,20}>")
_CODE = re.compile(r"`([^`\n]{1,400})`")
_SPOKEN = re.compile(rf"\b(?:to|should|would|could|might|can|will|is|try)[ \t]+(?={VERB}\b)", re.IGNORECASE)
_INTRODUCED = re.compile(
    rf"(?:[a-z][\w '-]{{0,30}}:|(?:otherwise|alternatively|else|then|or|perhaps|maybe),?)[ \t]+(?={VERB}\b|\w+ ?\[)",
    re.IGNORECASE,
)
_WORDED = re.compile(r"[\s,;(–-]{0,8}\b(?:confidence|probability|likelihood)\b[^\n]{0,30}\Z", re.IGNORECASE)
"""A confidence in words, before the number."""
_NO_ACTION = re.compile(r"\W*(?:(?:i(?: am|['’]m)|there(?: is|['’]s)|with|and|or|a|an|my|that)\b\W*)*", re.IGNORECASE)


def read_candidates(completion: str, finish: Finish = "stop") -> list[ReadCandidate]:
    """The candidates of an answer as they were written; any text is allowed.

    Args:
        finish: how it ended. Of an answer that was cut off, the candidates that were whole before the cut are read.
    """
    return [*_found(completion, finish)]


@lru_cache(maxsize=32)  # an answer is read before it is committed, and again when it is used
def _found(completion: str, finish: Finish) -> tuple[ReadCandidate, ...]:
    if not has_text(finish):
        return ()
    text = answer_text(completion)
    if finish == "length":
        text = uncut(text)
    unweighed: list[ReadCandidate] = []
    for found in _readings(text):
        if any(each.confidence is not None for each in found):
            return tuple(found)
        unweighed = unweighed or found
    if unweighed:
        return tuple(unweighed)
    decision = read_decision(completion, finish)
    return () if isinstance(decision, Unreadable) else (ReadCandidate(decision, None),)


def rank(read: Sequence[ReadCandidate], n: int) -> Ranking:
    """At most `n` different candidates by confidence.

    The confidences of equal candidates are added. Candidates without one share equally what the others leave of one. If
    no confidence is above 0, candidates are counted instead.
    """
    given = [each.confidence for each in read if each.confidence is not None]
    written = math.fsum(given)
    missing = len(read) - len(given)
    share = max(0.0, 1 - written) / missing if missing else 0.0
    summed: dict[str | bool, tuple[Act | Claim, float]] = {}
    for decision, confidence in read:
        key = decision.action if isinstance(decision, Act) else decision.completed
        first, before = summed.get(key, (decision, 0.0))
        summed[key] = first, before + (1.0 if not written else share if confidence is None else confidence)
    best = sorted(summed.values(), key=lambda each: -each[1])[:n]
    total = math.fsum(confidence for _, confidence in best)
    if written and not missing and abs(total - 1) <= _TOLERANCE:
        return Ranking(tuple(best), adjusted=False)
    return Ranking(tuple((decision, confidence / total) for decision, confidence in best), adjusted=bool(best))


def _read(said: str, confidence: float | None, thought: str = "") -> Iterator[ReadCandidate]:
    """The candidate of a text that stands for an action, if it does."""
    decision = read_decision(f"Action: {said}") if said else None
    match decision:
        case Act(action=action):
            yield ReadCandidate(Act(thought=thought, action=action), confidence)
        case Claim(completed=completed):
            yield ReadCandidate(Claim(thought=thought, completed=completed), confidence)
        case _:
            return


def _readings(text: str) -> Iterator[list[ReadCandidate]]:
    """The text as JSON, as a table, and as lines."""
    yield [*_in_json(text)]
    yield _in_lines(rows_as_lines(text))
    yield _in_lines(text)


def _in_json(text: str) -> Iterator[ReadCandidate]:
    """The candidates of all objects and lists; of malformed JSON, those of its innermost objects."""
    at, tries, found = 0, 0, False
    while tries < _TRIES and (opening := _OPENING.search(text, at)):
        value = value_at(text, opening.start())
        for each in _in_value(value.value) if value else ():
            found = True
            yield each
        at, tries = (value.end, tries) if value else (opening.end(), tries + 1)
    for chunk in () if found else _CHUNK.finditer(text):
        said = {key: field.value for key, field in loose_fields(chunk[0]).items()}
        yield from _read(_first(said, _ACTION_KEYS), confidence_in(chunk[0]), _first(said, ("thought", "reasoning")))


def _in_value(value: Any, depth: int = 0) -> Iterator[ReadCandidate]:
    said, listed = fields(value), items(value)
    if depth == _DEEPEST:
        return
    if len(listed) == 2 and isinstance(listed[0], str) and as_confidence(listed[1]) is not None:
        yield from _read(listed[0], as_confidence(listed[1]))
    elif listed:
        for each in listed:
            yield from _read(each, None) if isinstance(each, str) else _in_value(each, depth + 1)
    elif any(items(said.get(key)) or fields(said.get(key)) for key in _LISTS):
        yield from _in_fields(said, depth)
    elif _first(said, _ACTION_KEYS) or any(key in said for key in _CONFIDENCE_KEYS):
        confidence = next((said[key] for key in _CONFIDENCE_KEYS if key in said), None)
        yield from _in_object(value, as_confidence(confidence))
    elif said and all(as_confidence(each) is not None for each in said.values()):
        for key, each in value.items():
            yield from _read(key, as_confidence(each))
    else:
        yield from _in_fields(said, depth)


def _in_object(value: Any, confidence: float | None) -> Iterator[ReadCandidate]:
    decision = read_decision(json.dumps(value))
    if isinstance(decision, Unreadable):
        yield from _read(_first(fields(value), _ACTION_KEYS), confidence)
    else:
        yield ReadCandidate(decision, confidence)


def _in_fields(said: dict[str, Any], depth: int) -> Iterator[ReadCandidate]:
    """Actions and confidences as a list each, or else the lists and objects of an object."""
    actions = next((items(said[key]) for key in _LISTS if items(said.get(key))), ())
    confidences = next((items(said[key]) for key in (f"{key}s" for key in _CONFIDENCE_KEYS) if key in said), ())
    if actions and len(actions) == len(confidences):
        for action, confidence in zip(actions, confidences, strict=True):
            yield from _read(as_plain_text(action), as_confidence(confidence))
    else:
        for each in (actions,) if actions else said.values():
            yield from _in_value(each, depth + 1) if not isinstance(each, str) else ()


def _first(said: dict[str, Any], keys: Sequence[str]) -> str:
    return next(filter(None, (as_plain_text(said.get(key)) for key in keys)), "")


def _in_lines(text: str) -> list[ReadCandidate]:
    found: list[tuple[_Line, ReadCandidate]] = []
    thought, alone = "", None
    for line in text.split("\n"):
        if found and _OBSERVATION.match(line):
            break
        if label := _THOUGHT.match(line):
            thought = line[label.end() :].strip()
        elif not _SUM.match(line):
            for part in _parts(line):
                if not (part.weighed and not part.said):
                    for read in _candidate(part, thought):
                        found.append(_with_confidence(part, read, alone))
                        thought, alone = "", None
                elif found and not found[-1][0].weighed:
                    found[-1] = _with_confidence(*found[-1], part)
                else:
                    alone = part
    return _clearest(found)


def _with_confidence(line: _Line, read: ReadCandidate, alone: _Line | None) -> tuple[_Line, ReadCandidate]:
    """A candidate with the confidence on a line of its own, below it or above, if it has none yet."""
    if alone is None or line.weighed:
        return line, read
    return line._replace(weighed=True), read._replace(confidence=alone.confidence)


def _clearest(found: Sequence[tuple[_Line, ReadCandidate]]) -> list[ReadCandidate]:
    """Where some have a confidence, the others must at least be labelled; else labelled ones, listed ones, or all."""
    if any(line.weighed for line, _ in found):
        return [read for line, read in found if line.weighed or line.labelled]
    labelled = [read for line, read in found if line.labelled]
    return labelled or [read for line, read in found if line.listed] or [read for _, read in found]


def _parts(line: str) -> Iterator[_Line]:
    """The parts of a line, each with the confidence that belongs to it."""
    marks = [*CONFIDENCE.finditer(line)]
    if not marks:
        yield _line(line)
        return
    borders = [(0, 0), *(mark.span() for mark in marks), (len(line), len(line))]
    between = [line[end:start] for (_, end), (start, _) in pairwise(borders)]
    before = _line(between[0], weighed=True)
    after = not before.said or _NO_ACTION.fullmatch(before.said) is not None
    for number, mark in enumerate(marks):
        part = _line(between[number + after], weighed=True)
        yield part._replace(
            confidence=confidence_in(mark[0]),
            labelled=part.labelled or (after and before.labelled),
        )


def _line(text: str, *, weighed: bool = False) -> _Line:
    """A text without what marks it as a candidate."""
    text = _TAG.sub("", text)
    joined = _JOINED.match(text) if weighed else None
    text = text[joined.end() :] if joined and not _ITEM.match(text) else text
    item = _ITEM.match(text)
    text = text[item.end() :] if item else text
    label = _LABEL.match(text)
    text = text[label.end() :] if label else text
    item_behind = _ITEM.match(text) if label else None
    text = text[item_behind.end() :] if item_behind else text
    joining = _JOINING.search(text, max(0, len(text) - _JOINING_GLANCE)) if weighed else None
    text = text[: joining.start()] if joining else text
    text = _WORDED.sub("", text) if weighed and len(text) <= _LONGEST else text
    said = text.strip().rstrip(" \t,;|:=–—>-([{/") if weighed else text.strip()
    said = "" if not said.strip(" \t*_`~#>|.,;:-") else said
    return _Line(said, weighed, None, labelled=label is not None, listed=item is not None)


def _candidate(part: _Line, thought: str) -> Iterator[ReadCandidate]:
    said = part.said
    if not (part.weighed or part.labelled):
        plain = (part.listed and starts_plainly(said)) or command(said)
        said = said if plain else ""
    elif not starts_plainly(said):
        if code := _CODE.search(said):
            said = code[1]
        elif introduced := _INTRODUCED.match(said):
            said = said[introduced.end() :]
        elif spoken := _SPOKEN.search(said):
            said = said[spoken.end() :]
    yield from _read(said, part.confidence, thought)
