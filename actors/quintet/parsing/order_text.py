"""The text of an execution order: from its label on, with the lines below that belong to it."""

import re
from collections.abc import Sequence

from quintet.parsing.answers import EMPHASIS, MARK

LISTED = rf"{MARK}(?:\(?[0-9]{{1,3}}[.)]{EMPHASIS})?"
ORDER = re.compile(
    rf"{LISTED}(?:final[ \t])?(?:execution[ \t_-]*order|order[ \t]of[ \t]execution)(?:{EMPHASIS}(?:[:：=]"
    rf"|--?(?=[ \t])|[–—]))?"
    rf"(?![ \t]+(?:is|should|must|of|for|was)\b)(.*)"
    rf"|{LISTED}(?:final[ \t])?(?:execution|order|logic(?:al[ \t](?:order|expression))?"
    rf"|combination){EMPHASIS}[:：=](.*)",
    re.IGNORECASE,
)
_ORDER_ITEM = re.compile(r"(?:\(?[0-9]{1,3}[.)]|[-*•+])[ \t]++(?=[(\[{]*steps?[ \t_]?[0-9])", re.IGNORECASE)
_REFERENCE = re.compile(r"\W*(?:[a-z]+\W+){0,2}?(?:steps?[ \t_]?)?[0-9]{1,4}\W*\Z", re.IGNORECASE)
"""A line that holds nothing but a step of an order."""
_PRINTED_AGAIN = re.compile(
    r"\W*(?P<step>(?:steps?[ \t_]?)?[0-9]{1,4})[.):][ \t]++"
    r"(?!\W*(?:x?or|else|either|otherwise|alternatively|if|unless)\b)(?!.*\bsteps?[ \t_]?[0-9])",
    re.IGNORECASE,
)
"""A line of an order that says a step in full."""
_UNFINISHED = re.compile(r"(?:\b(?:and|or|then)|[,&|(])\s*\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\W{0,4}(?:and|or|then)\b|[)\]}|&]", re.IGNORECASE)
_BRACKET = re.compile(r"[()\[\]{}]")
_MORE = re.compile(
    r"\W{0,6}(?:(?:and|or|then)\b(?:\W*$|[\s(\[{,]*(?:[0-9]|steps?\b|either\b|then\b|else\b|if\b))"
    r"|(?:steps?[ \t_]?)?[0-9]|[)\]}|&]|either\b)",
    re.IGNORECASE,
)
_SAYS = re.compile(r"[\w()\[\]{}|&]")
_AROUND = " \t*_`."
"""Signs around an order."""
MOST_LINES = 50
GLANCE = 40


def whole_order(lines: Sequence[str], at: int, begin: str) -> tuple[str, int]:
    """An order with its continuation lines, and the index of the last one."""
    order, last = begin.strip(_AROUND), at
    listed = not order or _PRINTED_AGAIN.match(order) is not None
    for below in range(at + 1, min(at + MOST_LINES, len(lines))):
        line = lines[below].strip(_AROUND)
        if not _SAYS.search(line):
            continue
        if listed and (item := _ORDER_ITEM.match(line)):
            line = line[item.end() :]
        elif listed and (again := _PRINTED_AGAIN.match(line)):
            line = again["step"]
        elif order and not (_REFERENCE.match(line) or _continues(order, line)):
            break
        else:
            listed = False
        unfinished = not order or _UNFINISHED.search(order[-GLANCE:]) or _GOES_ON.match(line)
        order, last = order + (" " if unfinished else ", ") + line, below
    return order.strip(), last


def _continues(order: str, line: str) -> bool:
    """Whether an order goes on in a line, since it is unfinished before or the line begins like the rest of one."""
    opened = sum(1 if bracket in "([{" else -1 for bracket in _BRACKET.findall(order))
    unfinished = _UNFINISHED.search(order[-GLANCE:]) or _GOES_ON.match(line) or opened > 0
    return bool(unfinished) and _MORE.match(line) is not None
