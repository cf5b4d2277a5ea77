"""Completions that are read by people: text in; the same out, without what models put around it."""

import re

_REASONING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)

_MARK = r"[ \t>#*_`-]*"
_COLON = r"[ \t*_`]*:[ \t*_`]*"
_PLAN = rf"{_MARK}(?:(?:the|new|updated|revised|improved|rewritten)[ \t]+)*(?:game[ \t]+|task[ \t]+)?plan{_COLON}"
_PLAN_LINE = re.compile(rf"^{_PLAN}$", re.IGNORECASE | re.MULTILINE)
_PLAN_FIRST = re.compile(rf"{_PLAN}\s*", re.IGNORECASE)


def plain(completion: str) -> str:
    """A completion without reasoning, fences and null characters, its lines ended alike; any text is allowed."""
    text = "\n".join(completion.replace("\0", "").splitlines())
    return _FENCE.sub("", _REASONING.sub("", text))


def read_part(completion: str, *labels: str) -> str:
    """What a completion says, without the label that it may begin with; any text is allowed.

    Args:
        labels: one of which may stand first with a colon behind it, in any case.
    """
    label = re.compile(rf"{_MARK}(?:{'|'.join(map(re.escape, labels))}){_COLON}\s*", re.IGNORECASE)
    return _unlabelled(plain(completion).strip(), label)


def read_task_plan(completion: str) -> str:
    """The plan that a completion ends with; empty where there is none, and any text is allowed.

    It stands below the last line that says no more than `Plan:` or `New plan:`, if one does, and else is all of it.
    """
    text = plain(completion).strip()
    below = (text[line.end() :].strip() for line in reversed([*_PLAN_LINE.finditer(text)]))
    return _unlabelled(next(filter(None, below), text), _PLAN_FIRST)


def _unlabelled(text: str, label: re.Pattern[str]) -> str:
    """A text without the labels that it begins with; they bring the white space behind them."""
    begin = 0
    while found := label.match(text, begin):
        begin = found.end()
    return text[begin:]
