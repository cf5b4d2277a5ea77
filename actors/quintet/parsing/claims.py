"""Claims: a model's statement that its task is completed, or that it cannot be."""

import re
from typing import NamedTuple

_ADVERB = r"(?:now|already|fully|successfully|finally|indeed|both|all|been|marked[ ]as|considered)"
_OWNED = r"(?:(?:the|this|my|our|your|that)\s)?(?:(?:entire|whole|current|given|assigned|overall|main)\s)?"
_NOUN = r"(?:task|goal|job|objective|mission|assignment)"
_THING = rf"{_OWNED}(?:sub)?-?{_NOUN}"
_IS = rf"(?:[\s_:=→*\"'–—-]++|(?:is|was|are|has|have|had|status|{_ADVERB})\b){{0,8}}+"
_DONE = r"(?:completed?|done|finished|accomplished|achieved|reached|fulfilled|solved|succeeded|satisfied|met)"
_LOST = r"(?:failed|fails|failure|impossible|not\spossible|unsolvable|unachievable)"
_DO = r"(?:complete|finish|accomplish|achieve|reach|solve|fulfil+)"
_CANNOT = (
    r"(?:cannot|can['’]?t|can\snot|could\snot|couldn['’]t|(?:am|was|is)\sunable\sto|(?:am|was)\snot\sable\sto"
    r"|(?:have\s)?failed\sto)"
)
_I = r"(?:i|we)(?:['’]ve|['’]m|\shave|\sam|\swas)?\s"

_CLAIM = re.compile(
    rf"""(?:
      (?P<lost> {_I}{_CANNOT}\s(?:{_ADVERB}\s)?{_DO}\s{_THING}
        | {_THING}\s(?:cannot|can['’]?t|can\snot|could\snot)\sbe\s{_DONE}
        | {_I}failed\s(?:at\s|in\s)?{_THING}
        | {_THING}{_IS}{_LOST} )
    | (?P<done> {_I}(?:{_ADVERB}\s){{0,2}}{_DONE}\s(?:with\s)?(?:{_ADVERB}\s)?{_THING}
        | (?:this|that|which)\s(?:completes|concludes|finishes|accomplishes|achieves|fulfil+s)\s{_THING}
        | {_THING}{_IS}{_DONE} )
    )\b(?!\s(?:of|for)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMES_IT = re.compile(_NOUN, re.IGNORECASE)
"""In every claim. Most actions have no such word, and are done with."""
_CLAUSE = re.compile(
    r"(?:^|[,;:—–]\s*(?:(?:so|and|thus|therefore|hence|meaning|which\smeans)\b)?|\b(?:and|so)\b)[\s\W]{0,12}",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"(?:(?:thought|action|status|result|conclusion|(?:final )?answer|so|thus|therefore|hence|now|great|perfect"
    r"|excellent|done|ok|okay|well|finally|good|yes|all done|as a result|unfortunately|sorry|that"
    r"|it (?:seems|appears|looks like)"
    r"|(?:i )?(?:think|believe|see|conclude|claim|declare|report|say|mark|consider)"
    r"|this means)\b[\s:,.!*_\"'“‘-]{0,8}){0,4}",
    re.IGNORECASE,
)
_VETO = re.compile(
    r"\b(?:if|when|whenever|once|until|unless|before|after|whether|will|would|should|must|not yet)\b", re.IGNORECASE
)
_BEHIND = re.compile(r"[\s\W]{0,12}(?:yet|if|when|once|unless|until|only|by|not|nor)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\b(?:(?:i|we)(?:['’]ll| will| need| should| must| have to| still| can now| go)|next|still|not yet|let['’]s)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_SPEAKS_OF_IT = re.compile(rf"\W*{_OWNED}(?:sub)?task\b.{{0,20}}\b(?:not|n['’]t|yet|{_DONE}|failed)\b", re.IGNORECASE)

_FAR_ENOUGH = 2_000
"""Characters from the end that are searched for a claim, since a claim ends an answer."""
_LAST = 6
"""Sentences, likewise."""


class Claimed(NamedTuple):
    """A claim, and where in the text it begins."""

    start: int
    completed: bool


def claim(text: str) -> Claimed | None:
    """The claim at the end of a text; None if there is none, or other text follows it."""
    begin = max(0, len(text) - _FAR_ENOUGH)
    for sentence in reversed([*_SENTENCE.finditer(text, begin)][-_LAST:]):
        if found := _in_sentence(sentence[0]):
            return Claimed(sentence.start() + found.start, found.completed)
        if _GOES_ON.search(sentence[0]) or sentence[0].rstrip().endswith("?"):
            return None
    return None


def claimed_by(action: str) -> bool | None:
    """What is claimed in place of an action: completed, failed, or None where an action is named."""
    sentence = _SENTENCE.match(action)
    found = sentence and _in_sentence(sentence[0])
    return found.completed if found else None


def speaks_of_the_task(action: str) -> bool:
    """Whether what stands in place of an action is about the task, as in `task not completed yet`."""
    return _SPEAKS_OF_IT.match(action) is not None or action.lower().startswith("not yet")


def _in_sentence(sentence: str) -> Claimed | None:
    if not _NAMES_IT.search(sentence) or sentence.rstrip("\n *_").endswith("?"):
        return None
    for clause in _CLAUSE.finditer(sentence):
        opened = _OPENER.match(sentence, clause.end())
        start = opened.end() if opened else clause.end()
        found = _CLAIM.match(sentence, start)
        if found and not _VETO.search(sentence, 0, start) and not _BEHIND.match(sentence, found.end()):
            return Claimed(0 if clause.start() == 0 else start, found["done"] is not None)
    return None
