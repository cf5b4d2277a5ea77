"""The plan that a prompt gives for jobs of a kind: where it stands, and its steps."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from quintet.messages.prompts import ChatMessage

_HEADING = re.compile(r"^(?=[^\n]*\bplan\b)[^\n:]{1,60}:[ \t]*\n[ \t]*\n", re.MULTILINE | re.IGNORECASE)
_STEP = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]*(\S.*)$", re.MULTILINE)


class Step(NamedTuple):
    """One step of a plan."""

    number: int
    text: str


def plan_in(messages: Sequence[ChatMessage]) -> str:
    """What instructions give as a plan, under a heading that calls it one; empty where they give none."""
    return next((plan for each in messages if each.role == "system" and (plan := _plan(each.content))), "")


@lru_cache(maxsize=1024)
def _plan(text: str) -> str:
    heading = _HEADING.search(text)
    return "" if heading is None else text[heading.end() :].strip()


@lru_cache(maxsize=1024)
def steps(plan: str) -> tuple[Step, ...]:
    """The numbered steps of a plan."""
    return tuple(Step(int(number), text.strip()) for number, text in _STEP.findall(plan))
