"""What a conversation shows besides its request: instructions, a plan to follow, and the steps since the task."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.pursuit import NO_PURSUIT, Pursuit

GAP = re.compile(r"\n[ \t]*\n")
"""Between paragraphs."""
GOAL_LINE = re.compile(r"^[ \t]*goal[ \t]*:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)

_HEADING = re.compile(r"^(?=[^\n]*\bplan\b)[^\n:]{1,60}:[ \t]*\n[ \t]*\n", re.MULTILINE | re.IGNORECASE)
_LEARNT = re.compile(r"^(?=[^\n]*\bfailed attempts\b)[^\n:]{1,80}:[ \t]*\n[ \t]*\n", re.MULTILINE | re.IGNORECASE)
_ACTION = re.compile(r"action[ \t]*:[ \t]*(\S.*)", re.IGNORECASE)
_LABEL = re.compile(r"\Aobservation[ \t]*:\s*", re.IGNORECASE)
_BEGINNING = re.compile(r"^(?:i (?:will |would |want to )?|let me |now )+", re.IGNORECASE)
_STEP = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True)
class PromptTask:
    """A task as a prompt words it; every world adds what it reads."""

    wording: str
    """The goal, word for word."""


@dataclass(frozen=True)
class Exchange:
    """An action, and what the world answered."""

    action: str
    observation: str
    words: tuple[str, ...] = ()
    """The words that decide whether this exchange is misread."""


TaskT = TypeVar("TaskT", bound=PromptTask)


@dataclass(frozen=True)
class Reading(Generic[TaskT]):
    """A conversation as a player reads it."""

    task: TaskT
    steps: tuple[Exchange, ...]
    texts: tuple[str, ...]
    """All that was said beside the steps: instructions, worked examples, a plan, the statement of the task, and states
    that are recalled."""
    past: tuple[Exchange, ...] | None = None
    """What a summary, or sentences on what was done, say of the past, and what is seen now. None: there is neither."""
    pursuit: Pursuit = NO_PURSUIT
    """The plan for the task, and the step that is pursued."""


def read_conversation(
    messages: Sequence[ChatMessage],
    read_task: Callable[[str], TaskT | None],
    read_exchange: Callable[[str, str], Exchange],
) -> Reading[TaskT] | None:
    """The last task in the messages, with the steps since then; None if there is no task."""
    for number in reversed(range(len(messages))):
        message = messages[number]
        if message.role == "user" and (task := read_task(message.content)) is not None:
            steps = tuple(read_exchange(answer, observed) for answer, observed in _turns(messages[number + 1 :]))
            return Reading(task, steps, (*_instructions(messages), message.content))
    return None


def _turns(messages: Sequence[ChatMessage]) -> Iterator[tuple[str, str]]:
    """Every answer with the observation after it; an observation without an answer stands beside an empty one."""
    answer = ""
    for message in messages:
        if message.role == "assistant":
            answer = message.content
        elif message.role == "user":
            yield answer, message.content
            answer = ""


def split_exchange(answer: str, observation: str) -> tuple[str, str]:
    """The last action that an answer names, empty where it names none, and the observation without a label."""
    actions = _ACTION.findall(answer)
    return actions[-1].strip() if actions else "", _LABEL.sub("", observation.strip(), count=1)


def goals_in(text: str) -> list[str]:
    """The goals that a text states, a line each, in order and without final dots; the last is the task's."""
    return [goal.rstrip(" \t.") for goal in GOAL_LINE.findall(text)]


def without_opening(action: str) -> str:
    """An action as written, without words such as `I will` or `let me` before it."""
    return _BEGINNING.sub("", action)


def _instructions(messages: Sequence[ChatMessage]) -> Iterator[str]:
    return (message.content for message in messages if message.role == "system")


def instructions_in(messages: Sequence[ChatMessage]) -> str:
    """Every instruction, as one text."""
    return "\n\n".join(_instructions(messages))


def plan_in(messages: Sequence[ChatMessage]) -> str:
    """The plan that instructions give, under a heading that calls it one; empty where they give none."""
    return next((plan for text in _instructions(messages) if (plan := _plan(text))), "")


def reflections_in(messages: Sequence[ChatMessage]) -> str:
    """What was learnt from failed attempts at the task, as instructions give it; empty where they give nothing."""
    return "\n\n".join(filter(None, map(_learnt, _instructions(messages))))


@lru_cache(maxsize=1024)
def _learnt(text: str) -> str:
    heading = _LEARNT.search(text)
    return "" if heading is None else text[heading.end() :].strip()


@lru_cache(maxsize=1024)
def _plan(text: str) -> str:
    heading = _HEADING.search(text)
    return "" if heading is None else text[heading.end() :].strip()


@lru_cache(maxsize=1024)
def plan_steps(plan: str) -> tuple[tuple[int, str], ...]:
    """The numbered lines of a plan: number and text."""
    return tuple((int(number), text.strip()) for number, text in _STEP.findall(plan))


def step_about(plan: str, subject: str) -> int | None:
    """The number of the plan's first step that matches a regular expression; None where none does."""
    about = re.compile(subject, re.IGNORECASE)
    return next((number for number, text in plan_steps(plan) if about.search(text)), None)
