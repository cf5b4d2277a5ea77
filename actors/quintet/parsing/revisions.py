"""Parses revised plans for all tasks of a kind: text in; the new plan out, or the finding that it is unchanged."""

import re
from typing import NamedTuple

from quintet.parsing.answers import EMPHASIS, MARK, SEPARATOR, TAG, answer_text, without_courtesies
from quintet.parsing.objects import as_lines, fields, first_object

_NEW = r"(?:(?:the|my|new|general|updated|revised|improved|rewritten|final|full|complete|resulting)[ \t]++)*+"
_PLAN = (
    rf"{MARK}\[?{_NEW}(?:(?:game|task|job)[ \t]+)?plan(?:[ \t]for[ \t][^\n:]{{1,40}}|[ \t]v?[0-9]{{1,3}}"
    rf"|{EMPHASIS}\([^()\n]{{1,30}}\))?\]?"
)
_FIRST = re.compile(rf"{_PLAN}(?:{SEPARATOR}|[ \t]*+\n|[ \t]--?[ \t])\s*+", re.IGNORECASE)
_LINE = re.compile(
    rf"^(?:{_PLAN}(?:{SEPARATOR}|[ \t]--?[ \t]*)|[ \t]*+(?=\#|\*\*|__|\[){_PLAN}[ \t*_\#]*+"
    r"|(?![ \t]*+(?:[-*•+]|[0-9]{1,3}[.)]))(?=[^\n]{0,160}\b(?:here|below|follow(?:ing|s)|new|revised|updated"
    r"|improved|rewritten|stays|remains|should be|is)\b)"
    r"[^\n]{0,120}?\bplan\b[^\n:]{0,80}:[ \t*_]*+)$",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(rf"{TAG}(?:(?:new_|revised_|updated_)?plan|answer|response|output)>", re.IGNORECASE)
_LISTED = re.compile(r"^[ \t]*+(?:[0-9]{1,3}[.)]|[-*•+])[ \t]", re.MULTILINE)

_AS_IT_IS = r"(?:exactly |just )?(?:as (?:it )?is|as it (?:stands|was)|unchanged|the same|unmodified|unaltered)"
_CHANGE = (
    r"(?:chang(?:e|es|ed|ing)|revis(?:e|ed|ion|ions|ing)|modif(?:y|ied|ications?)|updat(?:e|es|ed|ing)"
    r"|edits?|rewrit(?:e|ing|ten)|adjustments?)"
)
_UNCHANGED = re.compile(
    rf"\bplan\b[^.\n]{{0,40}}\b(?:stays?|remains?|is|be|is kept|be kept|is left|be left)(?: \w{{1,12}})? {_AS_IT_IS}"
    r"|\A\W*(?:i (?:would|will|suggest) )?keep(?:ing)? (?:the|this|our) (?:current |existing )?plan\W*\Z"
    rf"|\bno reason to {_CHANGE}"
    rf"|\b(?:keep|leave|kept|left|keeping|leaving) (?:(?:the|this|current|existing|our) )*(?:plan|it) {_AS_IT_IS}"
    rf"|\bno (?:further |other )?{_CHANGE}|\bno need (?:to|for) (?:a )?{_CHANGE}|\bnothing (?:needs to be|has to be"
    rf"|to|should be) {_CHANGE}"
    r"|\b(?:do(?:es)? not|do(?:es)?n['’]t|need not)(?: (?:think|believe))?"
    r"(?: (?:that|the|this|our|current|existing|plan|it)){0,5}"
    rf" (?:needs?|requires?|be)\b[^.\n]{{0,20}}{_CHANGE}|\A\W*(?:unchanged"
    rf"|no change|(?:the )?same(?: plan)? as before)\W*\Z",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:not|cannot|can['’]t|never)(?: \w+)? (?:stay|remain|be kept|be left|keep|leave)\b|\b(?:but|except|however)\b",
    re.IGNORECASE,
)
_REMARK = (
    r"[ \t>#*_`]*+(?:(?:(?:the|key|main|what|summary of)[ \t])*chang(?:es?|ed)(?:[ \t]made)?[ \t*_]*(?::|$)"
    r"|(?:explanation|rationale|justification|reasons?|reasoning)[ \t*_]*(?::|$)"
    r"|this[ \t](?:(?:new|revised|updated|rewritten)[ \t])?plan\b|these[ \t]changes\b"
    r"|i(?:['’]ve|[ \t]have)?[ \t](?:added|changed|kept|made|removed|rewrote|rewritten|revised|updated)\b)[^\n]*+"
)
_REMARK_ABOVE = re.compile(
    rf"\A{_REMARK}\n\s*+(?=[ \t]*+(?:[0-9]{{1,3}}[.)]|[-*•+]|step\b)[ \t])", re.IGNORECASE | re.MULTILINE
)
_REMARK_BELOW = re.compile(rf"\n{_REMARK}", re.IGNORECASE | re.MULTILINE)
_LONGEST_REMARK = 300
_MOST_LAYERS = 8

_KEYS = ("plan", "new_plan", "revised_plan", "updated_plan")


class Revision(NamedTuple):
    """The result of a revision."""

    text: str
    """The new plan; empty if there is none."""
    unchanged: bool = False
    """The plan is unchanged."""


def read_revision(completion: str) -> Revision:
    """The plan at the end of a completion; any text is allowed.

    It follows the last line that is `Plan:` or announces a plan. Without such a line the whole answer is the plan.
    """
    text = _TAG.sub("", answer_text(completion)).strip()
    text = _from_object(text) or text
    for _ in range(_MOST_LAYERS):
        before, text = text, _without_remark(_without_label(without_courtesies(text)))
        if text == before:
            break
    return Revision("", unchanged=True) if _says_unchanged(text) else Revision(text)


def _without_label(text: str) -> str:
    below = (text[line.end() :].strip() for line in reversed([*_LINE.finditer(text)]))
    text = next(filter(None, below), text)
    begin = 0
    while found := _FIRST.match(text, begin):
        begin = found.end()
    return text[begin:]


def _without_remark(text: str) -> str:
    """A text without the remarks before and after its list of steps."""
    text = _REMARK_ABOVE.sub("", text)
    listed = _LISTED.search(text)
    remark = _REMARK_BELOW.search(text, listed.end()) if listed else None
    return text[: remark.start()].rstrip() if remark else text


def _says_unchanged(text: str) -> bool:
    if len(text) > _LONGEST_REMARK or _LISTED.search(text):
        return False
    return _UNCHANGED.search(text) is not None and _CHANGED.search(text) is None


def _from_object(text: str) -> str:
    found = first_object(text) if text.startswith("{") else None
    said = fields(found.value) if found else {}
    return next((plan for key in _KEYS if (plan := as_lines(said.get(key)))), "")
