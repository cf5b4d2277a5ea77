"""A prompt about a household, taken apart: the room, the goal, what was done before, the steps since, and the rest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.alfworld.goal import Goal, read_goal
from quintet.models.sim.turns import turns

_GOAL = re.compile(r"^[ \t]*(?:goal|your task is to)[ \t]*:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_ROOM = re.compile(r"you are in the middle of a room\.[^\n]*?you see ([^\n]+)", re.IGNORECASE)
_LAST = re.compile(r"^[ \t]*the last action[^:\n]*:[ \t]*(\S.*(?:\n.*\S.*)*)$", re.MULTILINE | re.IGNORECASE)
_NAME = re.compile(r"[a-z]+ [0-9]{1,9}")
_ACTION = re.compile(r"action[ \t]*:[ \t]*(\S.*)", re.IGNORECASE)
_LABEL = re.compile(r"observation[ \t]*:", re.IGNORECASE)


@dataclass(frozen=True)
class Task:
    """What a prompt poses."""

    room: tuple[str, ...]
    """The places in it, in the order of the text."""
    goal: Goal
    wording: str
    """The goal as it is worded."""
    last_action: str
    """The last action that was carried out before, with its answer; empty where the prompt has none."""

    def kinds(self) -> frozenset[str]:
        """The kinds of places in the room."""
        return frozenset(map(kind, self.room))


@dataclass(frozen=True)
class Step:
    """What was done, and what came back."""

    action: str
    observation: str


@dataclass(frozen=True)
class Reading:
    """A prompt as it was read."""

    task: Task
    steps: tuple[Step, ...]
    texts: tuple[str, ...]
    """Everything else that was said: instructions, worked examples, a plan, the statement of the task."""


def read_prompt(messages: Sequence[ChatMessage]) -> Reading | None:
    """The task that was posed last, the steps since then, and what was said beside them.

    Returns:
        None where no message poses a task that a reader of these texts could follow.
    """
    for number in reversed(range(len(messages))):
        message = messages[number]
        if message.role == "user" and (task := posed(message.content)) is not None:
            said = [other.content for other in messages if other.role == "system"]
            return Reading(
                task, tuple(_step(*turn) for turn in turns(messages[number + 1 :])), (*said, message.content)
            )
    return None


@lru_cache(maxsize=4096)
def posed(text: str) -> Task | None:
    """The task that a text ends with; worked examples may stand before it."""
    rooms, goals = list(_ROOM.finditer(text)), list(_GOAL.finditer(text))
    goal = read_goal(goals[-1][1]) if goals else None
    if goal is None or not rooms:
        return None
    before = _LAST.findall(text, rooms[-1].end())
    return Task(names_in(rooms[-1][1]), goal, goals[-1][1].rstrip(" \t."), before[-1] if before else "")


def names_in(text: str) -> tuple[str, ...]:
    """`a desk 1, a drawer 2, and a garbagecan 1` as names."""
    return tuple(dict.fromkeys(_NAME.findall(text.lower())))


def kind(name: str) -> str:
    """`mug` of `mug 2`."""
    return name.split()[0]


def bare(text: str) -> str:
    """In lower case, without a full stop."""
    return " ".join(text.lower().split()).rstrip(" .")


@lru_cache(maxsize=16384)
def _step(answer: str, observation: str) -> Step:
    actions = _ACTION.findall(answer)
    said = observation.strip()
    if label := _LABEL.match(said):
        said = said[label.end() :].strip()
    return Step(bare(actions[-1]) if actions else "", said)
