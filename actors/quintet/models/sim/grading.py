"""Grades the answer to a question by its words, in any world; also why a task cannot be done."""

import re
from collections.abc import Sequence

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.mind import Mind

_LINE = re.compile(
    r"^(question|task|correct answer|why it cannot be done|given answer):[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE
)
_WORD = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the"})
_CANNOT = re.compile(
    r"\b(?:n/a|no|none|not|cannot|never|nothing|impossible|unable|without|lacks?|missing|\w+n['’]t)\b", re.IGNORECASE
)
_LONG = 4
"""Letters of a word that may be a reason's own."""
_COMMON = frozenset(
    {"there", "that", "this", "with", "have", "cannot", "does", "such", "because", "which", "task", "page"}
)
_SHARE = 0.5
"""Of a reason's own words, that the same reason in other words has."""


def grade_answer(messages: Sequence[ChatMessage], mind: Mind) -> str | None:
    """Whether the given answer says what it should; None: the last message does not show what.

    It is a correct answer if one of the two has the other's words in a row, without articles. It is the reason why a
    task cannot be done if it denies something, and has half of the reason's own words.
    """
    shown = {label.lower(): text.strip() for label, text in _LINE.findall(messages[-1].content)}
    given, reason = shown.get("given answer"), shown.get("why it cannot be done")
    target = shown.get("correct answer") if reason is None else reason
    if target is None or given is None:
        return None
    same = _same_answer(target, given) if reason is None else _same_reason(target, given)
    goal = shown.get("question") or shown.get("task", "")
    same = same != mind.misreading.wrong(goal, "means the same", target, given)
    how = "mean the same" if same else "differ"
    return f"{given} and {target} {how}.\nCorrect: {'YES' if same else 'NO'}"


def _same_answer(target: str, given: str) -> bool:
    wanted, got = _words(target), _words(given)
    return bool(wanted and got) and (_in_a_row(wanted, got) or _in_a_row(got, wanted))


def _same_reason(target: str, given: str) -> bool:
    wanted = _own_words(target)
    shared = wanted & _own_words(given)
    return _CANNOT.search(given) is not None and len(shared) >= _SHARE * max(len(wanted), 1)


def _own_words(text: str) -> set[str]:
    """Without the words that any reason may have, and without the `s` of plurals."""
    return {word.rstrip("s") for word in _words(text) if len(word) >= _LONG and word not in _COMMON}


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _ARTICLES]


def _in_a_row(words: Sequence[str], within: Sequence[str]) -> bool:
    return any(within[start : start + len(words)] == words for start in range(len(within) - len(words) + 1))
