"""A prompt about TextCraft, taken apart: the commands, the goal, what is carried at first, and the steps since."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from quintet.messages.prompts import ChatMessage
from quintet.models.sim.textcraft.book import Book, Needs, read_book, read_needs
from quintet.models.sim.turns import turns

_GOAL = re.compile(r"^[ \t]*goal[ \t]*:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_INVENTORY = re.compile(r"^[ \t]*inventory[ \t]*:(.*)$", re.MULTILINE | re.IGNORECASE)
_COMMANDS = re.compile(r"crafting commands[ \t]*:", re.IGNORECASE)
_CARRIED = re.compile(r"\[([^\]]+)\] \((\d{1,9})\)")
_WISH = re.compile(r"(craft|make|fetch|get|obtain|collect) (?:(\d{1,6}) )?(.+?)(?: using (.+))?", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the) ")


@dataclass(frozen=True)
class Goal:
    """What is to be done."""

    craft: bool
    """An item is to be crafted; otherwise so many of it are to be in the inventory, wherever they come from."""
    item: str
    count: int
    needs: Needs = ()
    """The ingredients to craft it from, where they are prescribed."""


@dataclass(frozen=True)
class Task:
    """What a prompt poses."""

    book: Book
    goal: Goal
    wording: str
    """The goal as it is worded."""
    carried: tuple[tuple[str, int], ...]
    """The inventory that the task states; empty where it states none."""


@dataclass(frozen=True)
class Step:
    """What was answered, and what came back."""

    answer: str
    observation: str


def read_task(messages: Sequence[ChatMessage]) -> tuple[Task, list[Step]] | None:
    """The task that was posed last, and the steps since then.

    Returns:
        None where no message poses a task that a reader of these texts could follow.
    """
    for place in reversed(range(len(messages))):
        message = messages[place]
        if message.role == "user" and (task := posed(message.content)) is not None:
            return task, [Step(*turn) for turn in turns(messages[place + 1 :])]
    return None


@lru_cache(maxsize=4096)
def posed(text: str) -> Task | None:
    """The task that a text ends with; worked examples may stand before it."""
    wishes = list(_GOAL.finditer(text))
    goal = read_goal(wishes[-1][1]) if wishes else None
    headings = list(_COMMANDS.finditer(text))
    if goal is None or not headings:
        return None
    statement = text[headings[-1].end() :]
    carried = _INVENTORY.findall(statement)
    return Task(
        book=read_book(statement),
        goal=goal,
        wording=wishes[-1][1].rstrip(" \t."),
        carried=read_inventory(carried[-1]) if carried else (),
    )


def read_goal(text: str) -> Goal | None:
    """`fetch 6 oak planks` or `craft beehive using 6 oak planks, 3 honeycomb`; None for anything else."""
    match = _WISH.fullmatch(text.strip().rstrip(" \t."))
    if match is None:
        return None
    verb, count, item, needs = match.groups()
    return Goal(
        craft=verb.lower() in ("craft", "make"),
        item=_ARTICLE.sub("", item),
        count=int(count or 1),
        needs=read_needs(needs) if needs else (),
    )


def read_inventory(text: str) -> tuple[tuple[str, int], ...]:
    """`[stick] (1) [oak planks] (4)` as items and counts."""
    return tuple((item.strip(), int(count)) for item, count in _CARRIED.findall(text))
