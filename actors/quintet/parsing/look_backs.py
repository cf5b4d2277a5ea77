"""Parses reflections on a failed trial: text in; what to do differently next time, without labels and courtesies."""

import re

from quintet.messages.execution import Act, Claim
from quintet.parsing.answers import EMPHASIS, MARK, SEPARATOR, answer_text, without_courtesies
from quintet.parsing.decisions import read_decision
from quintet.parsing.objects import as_lines, fields, first_object

_NAMES = (
    r"(?:(?:my|the|new|short|final|updated|revised)[ \t]++){0,3}+"
    r"(?:(?:self-)?reflections?|lessons?(?:[ \t]learn(?:ed|t))?|plan(?:[ \t]for[ \t]next[ \t]time)?)"
)
_LABEL = re.compile(
    rf"^(?:{MARK}\[?{_NAMES}\]?{SEPARATOR}|[ \t]*+(?:\#|\*\*|__)[ \t#*_]*+{_NAMES}{EMPHASIS}$)",
    re.IGNORECASE | re.MULTILINE,
)
_ACTS = re.compile(rf"^{MARK}action{SEPARATOR}", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"</?(?:reflection|answer|output|response|plan)>", re.IGNORECASE)
_KEYS = ("reflection", "self_reflection", "lesson", "plan", "new_plan", "text")


def read_look_back(completion: str) -> str | None:
    """The reflection in a whole completion; None if there is none. Any text is allowed.

    It follows the last label; without a label the whole answer is the reflection, unless it is a turn of the executor:
    then the model went on acting.
    """
    text = _TAG.sub("", answer_text(completion)).strip()
    found = first_object(text) if text.startswith("{") else None
    said = fields(found.value) if found else {}
    if packed := next((read for key in _KEYS if (read := as_lines(said.get(key)))), ""):
        return packed
    text = without_courtesies(text)
    labels = [*_LABEL.finditer(text)]
    if below := next((rest for label in reversed(labels) if (rest := text[label.end() :].strip())), ""):
        return without_courtesies(below) or None
    return None if labels or _goes_on_acting(text) else text or None


def _goes_on_acting(text: str) -> bool:
    decision = read_decision(text)
    return isinstance(decision, Claim) or (isinstance(decision, Act) and _ACTS.search(text) is not None)
