"""Finds the text under a label: a summary, a reflection, an observation in short, an action in other words.

It follows the last label, however it is dressed: on its line, as a heading, in an object. Without a label it is the
whole answer, without courtesies.
"""

import re
from typing import NamedTuple

from quintet.messages.execution import Act, Claim
from quintet.parsing.answers import EMPHASIS, MARK, SEPARATOR, TAG, answer_text, without_courtesies
from quintet.parsing.decisions import read_action, read_decision, rows_as_lines
from quintet.parsing.objects import as_lines, fields, first_object

_ACTS = re.compile(rf"^{MARK}action{SEPARATOR}", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(rf"{TAG}(?:reflection|answer|output|response|plan)>", re.IGNORECASE)


class LabelledText(NamedTuple):
    """A reader of a text under a label."""

    label: re.Pattern[str]
    keys: tuple[str, ...]
    """Of an object that has the text."""
    acts: bool
    """Whether a turn of the executor in place of an answer is none: then the model went on acting."""

    def read(self, completion: str) -> str | None:
        """The text in a whole completion; None if there is none. Any text is allowed."""
        text = _TAG.sub("", answer_text(completion)).strip()
        found = first_object(text) if text.startswith("{") else None
        said = fields(found.value) if found else {}
        if packed := next((read for key in self.keys if (read := as_lines(said.get(key)))), ""):
            return packed
        text = without_courtesies(text)
        labels = [*self.label.finditer(text)]
        if below := next((rest for label in reversed(labels) if (rest := text[label.end() :].strip())), ""):
            return without_courtesies(below) or None
        return None if labels or (self.acts and _goes_on_acting(text)) else text or None


def labelled_text(names: str, *keys: str, acts: bool = False) -> LabelledText:
    """A reader of the text under one of some labels.

    Args:
        names: of the label, as a regular expression. What they are called may stand before them, and what of behind.
        keys: of an object that has the text.
        acts: see `LabelledText.acts`.
    """
    qualified = r"(?:(?:my|the|a|new|short(?:er)?|brief|final|condensed|current|updated|revised)[ \t]++){0,3}+"
    name = rf"{qualified}(?:{names})"
    label = (
        rf"^(?:{MARK}\[?{name}(?:[ \t]of[ \t][^\n:.]{{0,60}})?\]?{SEPARATOR}"
        rf"|[ \t]*+(?:\#|\*\*|__)[ \t#*_]*+{name}{EMPHASIS}$)"
    )
    return LabelledText(re.compile(label, re.IGNORECASE | re.MULTILINE), keys, acts)


def _goes_on_acting(text: str) -> bool:
    decision = read_decision(text)
    return isinstance(decision, Claim) or (isinstance(decision, Act) and _ACTS.search(text) is not None)


read_look_back = labelled_text(
    r"(?:self-)?reflections?|lessons?(?:[ \t]learn(?:ed|t))?|plan(?:[ \t]for[ \t]next[ \t]time)?",
    "reflection",
    "self_reflection",
    "lesson",
    "plan",
    "new_plan",
    "text",
    acts=True,
).read
"""Reads a reflection on a failed trial: what to do differently next time."""


_GIVEN = labelled_text("answer", "answer")
_ANSWER_HEADING = re.compile(r"^[ \t>*_`]*+#{2,}[ \t]*+answer\b[ \t*_]*+[:：]?", re.IGNORECASE | re.MULTILINE)


def read_given_answer(completion: str) -> str | None:
    """The answer to a task in a whole completion, without what stands around it; None if there is none.

    It ends at the first blank line below its label, and loses emphasis and one pair of quotation marks around it.
    """
    said = _GIVEN.read(_ANSWER_HEADING.sub("Answer: ", completion))
    if said is None:
        return None
    answer = said.partition("\n\n")[0].strip(" \t\n*`")
    quoted = len(answer) > 2 and answer[0] == answer[-1] and answer[0] in "\"'" and answer[0] not in answer[1:-1]
    return (answer[1:-1] if quoted else answer) or None


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
