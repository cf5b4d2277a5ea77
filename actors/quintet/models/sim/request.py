"""What a conversation ends with: a request of its own, told apart from what it is about.

Most prompts say once, at their beginning, what every answer has to look like (`asked.py`). Others end with what is
wanted this time: a thought, then the action that follows from it, or one part of a look back. A reader takes a closing
paragraph of that kind for what it is, and the rest for what it is about.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

from quintet.messages.prompts import ChatMessage, user
from quintet.models.sim.asked import Answer, Asked, asked
from quintet.models.sim.hindsight import read_job, tells_of_lessons

Understood: TypeAlias = tuple[Asked, tuple[ChatMessage, ...]]
"""What is wanted, and the conversation that it is about."""

_HINDSIGHT: Sequence[tuple[Answer, re.Pattern[str]]] = (
    ("revision", re.compile(r"\brevis(?:e|ed|ion|ions|ing)\b", re.IGNORECASE)),
    ("flaws", re.compile(r"\bflaw(?:s|ed)?\b", re.IGNORECASE)),
    ("summary", re.compile(r"\bsummar(?:y|i[sz]e)\b", re.IGNORECASE)),
)
"""In this order: who asks for a revision may speak of the flaws, which it is to mend."""
_THOUGHT = re.compile(r"\bthought\b", re.IGNORECASE)
_NEW_PLAN = re.compile(r"\b(?:re)?write\b[^.]*\bplan\b", re.IGNORECASE)
_REWRITE = re.compile(r"\b(?:rewrite|reword|rephrase)\b", re.IGNORECASE)
_ACTION = re.compile(r"\baction[ \t]*:", re.IGNORECASE)
_CLAIM = re.compile(r"\btask (?:is )?(?:completed?|failed)\b", re.IGNORECASE)
_THOUGHT_LABEL = re.compile(r"\s*thought[ \t]*:[ \t]*", re.IGNORECASE)
_GAP = re.compile(r"\n[ \t]*\n")


def understood(messages: Sequence[ChatMessage]) -> Understood | None:
    """What is wanted, and of what.

    Returns:
        None where neither a closing request nor the instructions ask for anything that is known here.
    """
    messages = tuple(messages)
    if messages and messages[-1].role == "user" and (closing := _closing(messages)) is not None:
        return closing
    wanted = asked(messages)
    return None if wanted is None else (wanted, messages)


def _closing(messages: tuple[ChatMessage, ...]) -> Understood | None:
    said = messages[-1].content
    if tells_of_lessons(said):
        lessons = _before(said, lambda paragraph: _NEW_PLAN.search(paragraph) is not None, last=True)
        return None if lessons is None else (Asked(answer="update"), (*messages[:-1], user(lessons)))
    if any(form.search(said) for _, form in _HINDSIGHT) and (found := read_job(messages)):
        _, wish = found
        return next(((Asked(answer=answer), messages) for answer, form in _HINDSIGHT if form.search(wish)), None)
    if label := _ACTION.match(said.strip()):
        return _labelled(messages, bare=label.end() == len(said.strip()))
    observed = _before(said, _asks_for_a_thought)
    return None if observed is None else _playing("thought", (*messages[:-1], user(observed)))


def _labelled(messages: tuple[ChatMessage, ...], *, bare: bool) -> Understood | None:
    """`Action:` after a thought asks for the action; with one beside it, it may ask for that in other words."""
    *before, _ = messages
    if bare and before and before[-1].role == "assistant":
        thought = _THOUGHT_LABEL.sub("", before[-1].content, count=1).strip()
        return _playing("action", tuple(before[:-1]), thought)
    if not bare and all(each.role == "system" for each in before) and any(_REWRITE.search(e.content) for e in before):
        return Asked(answer="formal"), messages
    return None


def _playing(answer: Answer, messages: tuple[ChatMessage, ...], thought: str = "") -> Understood:
    claims = any(_CLAIM.search(each.content) for each in messages if each.role == "system")
    return Asked(answer=answer, thought=thought, claims=claims), messages


def _asks_for_a_thought(paragraph: str) -> bool:
    """For that alone: who shows what a whole answer looks like shows an action too."""
    return _THOUGHT.search(paragraph) is not None and _ACTION.search(paragraph) is None


def _before(text: str, asks: Callable[[str], bool], *, last: bool = False) -> str | None:
    """What stands before the first paragraph that asks, or the last one; None where none does."""
    starts = [0, *(gap.end() for gap in _GAP.finditer(text))]
    asking = [start for start, end in pairwise([*starts, len(text)]) if asks(text[start:end])]
    return text[: asking[-1 if last else 0]].rstrip() if asking else None


def instructions(messages: Sequence[ChatMessage]) -> str:
    """What was said as an instruction."""
    return "\n\n".join(each.content for each in messages if each.role == "system")


def action_to_reword(messages: Sequence[ChatMessage]) -> str:
    """The action that a conversation gives to be put in other words."""
    return _ACTION.sub("", messages[-1].content, count=1).strip()
