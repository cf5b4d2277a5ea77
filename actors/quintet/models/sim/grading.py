"""Grades the answer to a question by its words, in any world."""

import re
from collections.abc import Sequence

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.mind import Mind

_LINE = re.compile(r"^(question|correct answer|given answer):[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the"})


def grade_answer(messages: Sequence[ChatMessage], mind: Mind) -> str | None:
    """Whether the given answer says what the correct one does; None: the last message shows no two answers.

    It does if one of the two has the other's words in a row, without articles.
    """
    shown = {label.lower(): text.strip() for label, text in _LINE.findall(messages[-1].content)}
    target, given = shown.get("correct answer"), shown.get("given answer")
    if target is None or given is None:
        return None
    wanted, got = _words(target), _words(given)
    same = bool(wanted and got) and (_in_a_row(wanted, got) or _in_a_row(got, wanted))
    same = same != mind.misreading.wrong(shown.get("question", ""), "means the same", target, given)
    how = "mean the same" if same else "differ"
    return f"{given} and {target} {how}.\nCorrect: {'YES' if same else 'NO'}"


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _ARTICLES]


def _in_a_row(words: Sequence[str], within: Sequence[str]) -> bool:
    return any(within[start : start + len(words)] == words for start in range(len(within) - len(words) + 1))
