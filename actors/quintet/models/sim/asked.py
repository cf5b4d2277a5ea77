"""What the instructions of a prompt ask to be answered with."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from quintet.messages.prompts import ChatMessage

_ACTION = re.compile(r"\baction\s*:", re.IGNORECASE)
_PLAN = re.compile(r"\bexecution order\s*:|\bstep \w+\s*:", re.IGNORECASE)
_ORDER = re.compile(r"\bexecution order\s*:", re.IGNORECASE)
_THOUGHT = re.compile(r"\bthought\s*:", re.IGNORECASE)


Answer: TypeAlias = Literal["action", "plan", "thought", "formal", "summary", "flaws", "revision", "update"]
"""`formal`: an action in other words. `summary`, `flaws`, `revision`: a part of a look back on a job. `update`: a plan
for all jobs of a kind, written anew."""


@dataclass(frozen=True)
class Asked:
    """The form of the answer that is wanted."""

    answer: Answer
    aloud: bool = False
    """A thought is to be written before an action."""
    ordered: bool = False
    """A plan is to end in its execution order."""
    thought: str = ""
    """What was thought before, where an action is to follow from it."""
    claims: bool = True
    """One may say that the goal is reached, or cannot be."""


def asked(messages: Sequence[ChatMessage]) -> Asked | None:
    """The form that instructions and worked examples use most, as a reader without other hints would take it.

    Returns:
        None where they name neither an action nor the steps of a plan.
    """
    return _form("\n".join(_before_the_answers(messages)))


def _before_the_answers(messages: Sequence[ChatMessage]) -> Iterator[str]:
    """What was said before the model first spoke, and every instruction."""
    spoken = False
    for message in messages:
        spoken = spoken or message.role == "assistant"
        if message.role == "system" or (message.role == "user" and not spoken):
            yield message.content


@lru_cache(maxsize=1024)
def _form(instructions: str) -> Asked | None:
    actions, steps = len(_ACTION.findall(instructions)), len(_PLAN.findall(instructions))
    if not actions and not steps:
        return None
    return Asked(
        answer="action" if actions >= steps else "plan",
        aloud=_THOUGHT.search(instructions) is not None,
        ordered=_ORDER.search(instructions) is not None,
    )
