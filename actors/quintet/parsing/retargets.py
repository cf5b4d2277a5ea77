"""Parses the answer to a request for the same move in other words: text in; an action, or None.

    New action is: click [27]

Source: Devil's Advocate, appendix (`New element id is:`). Differs: the whole action is asked for, not a part of it.
"""

import re

from quintet.messages.execution import Act
from quintet.parsing.answers import EMPHASIS, MARK, answer_text
from quintet.parsing.decisions import read_action, read_decision, rows_as_lines
from quintet.parsing.objects import fields, first_object

_LABEL = re.compile(
    rf"^{MARK}(?:the[ \t])?new{EMPHASIS}action{EMPHASIS}(?:is\b(?:[ \t]to\b)?)?{EMPHASIS}[:：]?",
    re.IGNORECASE | re.MULTILINE,
)
_PROSE = re.compile(r"\W*(?:i|it|there|we|you|sorry|the|this|that|no|none|nothing|if)\b", re.IGNORECASE)


def read_retargeted(completion: str) -> str | None:
    """The action in a whole completion, under a label or alone; None if there is none. Any text is allowed.

    A claim to have completed or failed is no action.
    """
    text = answer_text(completion).strip()
    found = first_object(text) if text.startswith("{") else None
    packed = fields(found.value).get("new_action") if found else None
    if isinstance(packed, str):
        text = f"Action: {packed}"
    elif "|" in text:
        text = f"{text}\n{rows_as_lines(text)}"
    text = _LABEL.sub("Action:", text)
    decision = read_decision(text) if _PROSE.match(text) else read_action(text)
    return decision.action if isinstance(decision, Act) else None
