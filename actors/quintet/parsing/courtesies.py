"""What models say around an answer to be polite, and no part of it."""

import re

_POLITE = r"(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|alright|all right|great|understood|got it|yes)"
_POLITE_ALONE = re.compile(rf"{_POLITE}(?:[ ,][^\n.!:]{{0,40}})?(?:![ \t]+|[.!:][ \t]*(?:\n|$))", re.IGNORECASE)
_ANNOUNCED = re.compile(
    rf"(?:{_POLITE}[,.!:]?[ \t]+)?(?:[^\n.:]{{0,80}},[ \t])?"
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|(?:the following|these|this) (?:is|are)|i (?:have )?(?:identified"
    r"|found|wrote|rewrote))\b"
    r"(?P<what>[^\n:.]{0,160})(?:[:.][ \t*_]*(?:\n|$)|:[ \t]+)",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:summar|flaw|revision|revised|suggest|plan|answer|reflection|steps|rewrit|happened|was done|went)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:please )?(?:let me know|i hope|hope this|feel free|if you(?:['’]d)? (?:need|have|want|would|like)"
    r"|would you like|do you want)\b",
    re.IGNORECASE,
)
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_LISTED = re.compile(r"[ \t]*+(?:[0-9]{1,3}[.)]|[-*•+])[ \t]")
_CANNOT = r"\bi(?: cannot| can['’]t| can not| won['’]t|['’]m (?:unable|not able) to| am (?:unable|not able) to)\b"
_REFUSAL = re.compile(
    rf"(?:(?:(?:i(?:['’]m| am) )?(?:very |really )?sorry|i apologi[sz]e|as an ai)\b[^\n]{{0,100}}?{_CANNOT}"
    rf"|{_CANNOT}(?: \w{{1,10}})? (?:help|assist|comply|fulfil|do that))[^\n]{{0,300}}\Z",
    re.IGNORECASE,
)
_LONGEST_CLOSING = 300


def without_courtesies(text: str) -> str:
    """A text without an announcement before it and an offer of help after it, where something else is left.

    An apology alone is no answer: nothing is left of it.
    """
    text = _without_closing(_without_announcement(text.strip()))
    return "" if _REFUSAL.match(text) else text


def _without_announcement(text: str) -> str:
    if polite := _POLITE_ALONE.match(text):
        text = text[polite.end() :].lstrip() or text
    announced = _ANNOUNCED.match(text)
    if announced and _KNOWN.search(announced["what"]):
        text = text[announced.end() :].lstrip() or text
    return text


def _without_closing(text: str) -> str:
    text = _without_rules(text)
    start = text.rfind("\n") + 1
    if start and len(text) - start <= _LONGEST_CLOSING and _CLOSING.match(text, start):
        return text[:start].rstrip()
    return text


def _without_rules(text: str) -> str:
    """A text without rules at its ends, and without the remark behind the last one."""
    lines = text.split("\n")
    lines = lines[next((at for at, line in enumerate(lines) if not _RULE.fullmatch(line)), len(lines)) :]
    rules = [at for at, line in enumerate(lines) if at and _RULE.fullmatch(line)]
    if (
        rules
        and not any(map(_LISTED.match, lines[rules[-1] + 1 :]))
        and sum(map(len, lines[rules[-1] :])) <= _LONGEST_CLOSING
    ):
        del lines[rules[-1] :]
    return "\n".join(lines).strip()
