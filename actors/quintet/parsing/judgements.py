"""Parses answers to a question of yes or no: text in; the answer that a model settled on, or None.

It is asked for as a line of its own, `YES` or `NO`, which may follow or precede reasons: the last clear statement
counts. Clear is a word in capitals, or one that begins a line or sentence (`Yes, because ...`) or follows a label
(`Answer: no`). No statement is a word of a choice (`YES or NO`), of a condition (`If it is, answer YES`) or behind a
`not`, nor a `no` that belongs to what follows (`No further action is needed`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from quintet.parsing.answers import MARK, answer_text
from quintet.parsing.objects import as_plain_text, fields, first_object

_WORD = re.compile(r"(?<![\w-])(?<!\w['’])(?:yes|no|true|false)(?!\w|['’-]\w)", re.IGNORECASE)
_DRESS = " \t*_`\"'“”‘’«»()<>[]{}#~$•+「」『』【】《》（）"
_CHOICE = re.compile(r"[^\w\n.!?。]{0,6}(?:(?:or|and|vs)\b[^\w\n]{0,6})?", re.IGNORECASE)
"""What stands between two words of which one is to be chosen."""
_BEGINS = ":：?？=→|.!。！；;,，、—–-"
_SAYS = re.compile(r"\b(?:is|be|say|says|said|answer|answered|so|thus|therefore|hence|verdict)\Z", re.IGNORECASE)
_ENDS = re.compile(r"\Z|[.,;:!?|\n。，！？；：、…—–-]")
_REASONS = re.compile(r"(?:because|since|as|it|its|it['’]s|the|this|that|i|we)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?\n。！？]")
_CONDITION = re.compile(
    rf"{MARK}(?:(?:and|but|only|please|then|so)[ \t,]+){{0,3}}(?:if|when|once|whether|unless|should)\b", re.IGNORECASE
)
_VETO = re.compile(r"\b(?:if|when|once|until|unless|whether|before|after|as soon as)\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|cannot|never|neither|nor|can['’]t|\w{2,7}n['’]t)\b[^.!?\n]{0,20}\Z", re.IGNORECASE)
_FAR_BACK = 200
"""Characters before a word that are searched for the start of its sentence."""

_DONE = r"(?:completed?|done|finished|achieved|reached|fulfilled|accomplished|satisfied|aligned)"
_ADVERBS = r"(?:now|already|fully|successfully|indeed|clearly|therefore|thus|not|yet|still|been)"
_STATED = re.compile(
    rf"(?:\b(?:task|step|goal|subtask|objective|action|it)(?:[ \t][0-9]{{1,3}})?[ \t](?:is|has|was|does|are)"
    rf"|^{MARK}(?:(?:status|verdict|answer|result|conclusion)[ \t*_]*[:：])?)"
    rf"(?P<adverbs>(?:[ \t]*+\b{_ADVERBS}\b)*+)[ \t*_`\"']*+(?P<word>{_DONE}|incomplete|unfinished|misaligned|align)\b"
    r"(?:[ \t](?:yet|with|to)\b[^.!?\n]*+)?[ \t*_`\"')]*+(?=[.!。！]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_PARTLY = re.compile(
    r"\bcorrect\b[\s*_`\"']*[:：][\s*_`\"']*(?:partial|part)ly\b|\b(?:partial|part)ly[ \t]+correct\b", re.IGNORECASE
)
_FAR_ENOUGH = 4_000
"""Characters from the end that are searched."""

_FIELDS = ("completed", "complete", "correct", "verdict", "answer", "done", "finished", "result")
"""Of an object that says it; the first that has an answer counts."""


class _Verdict(NamedTuple):
    """A statement, and where its word begins."""

    start: int
    yes: bool


def read_verdict(completion: str) -> bool | None:
    """Whether a whole completion says that something is so; None: it does not say. Any text is allowed."""
    text = answer_text(completion).strip()
    packed = packed_verdict(text, _FIELDS)
    if packed is not None:
        return packed
    found = last_statement(text)
    return None if found is None else found.yes


def read_grade(completion: str) -> bool | None:
    """Whether a whole completion says that an answer is correct; partly correct is not. None: it does not say."""
    found = read_verdict(completion)
    return False if found is None and _PARTLY.search(answer_text(completion)) else found


def packed_verdict(text: str, keys: Sequence[str]) -> bool | None:
    """What the first object of a text says under the first of these keys that has an answer."""
    found = first_object(text) if "{" in text else None
    said = fields(found.value) if found else {}
    for key in keys:
        if isinstance(value := said.get(key), bool):
            return value
        if stated := last_statement(as_plain_text(value)):
            return stated.yes
    return None


def last_statement(text: str) -> _Verdict | None:
    """The last clear statement; None: there is none.

    Without a yes or no, a sentence may end in the state (`The task is not completed yet.`), if none says the opposite.
    """
    start = max(0, len(text) - _FAR_ENOUGH)
    found = None
    for found in _statements(text, start):  # noqa: B007  the last one is wanted
        pass
    return found or _in_words(text, start)


def _statements(text: str, start: int) -> Iterator[_Verdict]:
    words = [*_WORD.finditer(text, start)]
    offered = {id(word) for pair in _choices(text, words) for word in pair}
    for word in words:
        if id(word) not in offered and _is_clear(text, word):
            yield _Verdict(word.start(), word[0].lower() in ("yes", "true"))


def _choices(text: str, words: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The pairs of words that are offered, not said. A word belongs to one pair."""
    taken = None
    for one, other in pairwise(words):
        between = text[one.end() : other.start()]
        if one is not taken and one[0].lower() != other[0].lower() and _CHOICE.fullmatch(between):
            taken = other
            yield one, other


def _is_clear(text: str, word: re.Match[str]) -> bool:
    sentence, before = _sentence_before(text, word.start())
    if _CONDITION.match(sentence.lstrip()) or _NEGATION.search(sentence):
        return False
    behind = text[word.end() : word.end() + 40].lstrip(_DRESS)
    ends = _ENDS.match(behind) is not None
    begins = not any(map(str.isalnum, before)) or before[-1] in _BEGINS
    match word[0]:
        case "YES" | "NO":
            return True
        case "yes" | "Yes" | "no" | "No":
            goes_on = word[0].lower() == "yes" or _REASONS.match(behind) is not None
            return (begins and (ends or goes_on)) or (ends and _SAYS.search(before) is not None)
        case _:
            return begins and ends


def _sentence_before(text: str, end: int) -> tuple[str, str]:
    """What stands on the line before a place: of the sentence there, and all of it, without marks at its end."""
    line = text.rfind("\n", max(0, end - _FAR_BACK), end) + 1
    before = text[max(line, end - _FAR_BACK) : end].rstrip(_DRESS)
    ends = [ending.end() for ending in _SENTENCE_END.finditer(before)]
    return before[ends[-1] if ends else 0 :], before


def _in_words(text: str, start: int) -> _Verdict | None:
    """The last sentence that ends in a state; None: there is none, or others say the opposite."""
    stated = [
        _Verdict(found.start(), _is_positive(found))
        for found in _STATED.finditer(text, start)
        if not _VETO.search(_sentence_before(text, found.start())[0])
    ]
    return stated[-1] if len({each.yes for each in stated}) == 1 else None


def _is_positive(stated: re.Match[str]) -> bool:
    if stated["word"].lower() in ("incomplete", "unfinished", "misaligned"):
        return False
    return "not" not in stated["adverbs"].lower().split()
