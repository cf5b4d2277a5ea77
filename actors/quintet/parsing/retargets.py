"""Parses the answer to a request for the same move in other words: text in; an action, or None.

    New action is: click [27]

Source: Devil's Advocate, appendix (`New element id is:`). Differs: the whole action is asked for, not a part of it.
"""

import re

from quintet.messages.execution import Act
from quintet.parsing.answers import EMPHASIS, MARK, answer_text
from quintet.parsing.decisions import read_action
from quintet.parsing.objects import fields, first_object

_LABEL = re.compile(
    rf"^{MARK}(?:the[ \t])?new{EMPHASIS}action{EMPHASIS}(?:is\b)?{EMPHASIS}[:：]?", re.IGNORECASE | re.MULTILINE
)


def read_retargeted(completion: str) -> str | None:
    """The action in a whole completion; None if there is none. Any text is allowed.

    A claim to have completed or failed is no action.
    """
    text = answer_text(completion).strip()
    found = first_object(text) if text.startswith("{") else None
    packed = fields(found.value).get("new_action") if found else None
    text = f"Action: {packed}" if isinstance(packed, str) else _LABEL.sub("Action:", text)
    decision = read_action(text)
    return decision.action if isinstance(decision, Act) else None
