"""The one draw by which an answer goes wrong."""

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from quintet.messages.environment import Task

Draw: TypeAlias = Literal["goal", "thing"]
"""What a slip is drawn from. `goal`: the thing and the words of the goal, so that other words are a new draw; that is
the assumption under which decomposition helps. `thing`: the thing alone, so that it goes wrong whatever the words."""

_WORD = re.compile(r"\w+")
_SPAN = 2**64


class Slips(NamedTuple):
    """Decides what goes wrong. A pure function of its fields, the thing and the goal.

    What goes wrong at one rate goes wrong at every higher one.
    """

    rate: float
    """The probability, in [0, 1]."""
    draw: Draw
    task: Task | None
    """None: the question is about no task."""
    seed: int | None
    """None at temperature 0."""

    def go_wrong(self, thing: str, goal: str) -> bool:
        """Whether what is asked about a thing goes wrong."""
        return self.rate > 0 and self._drawn(thing, goal) < self.rate * _SPAN

    def _drawn(self, thing: str, goal: str) -> int:
        task = None if self.task is None else (self.task.name, self.task.seed)
        drawn_from = (self.seed, task, thing, goal if self.draw == "goal" else None)
        return int.from_bytes(blake2b(msgspec.msgpack.encode(drawn_from), digest_size=8).digest())


def thing_of(action: str) -> str:
    """The words of an action without numbers, unless only one word would be left: with them then."""
    words = _WORD.findall(action.lower())
    kept = [word for word in words if not word.isdecimal()]
    return " ".join(kept if len(kept) > 1 else words)


def says(text: str, action: str) -> bool:
    """Whether a text has the words of an action, one after the other."""
    words = in_words(action)
    return bool(words.strip()) and words in in_words(text)


@lru_cache(maxsize=4096)
def in_words(text: str) -> str:
    """A text's words between single blanks, so that no part of a word is found in it."""
    return f" {' '.join(_WORD.findall(text.lower()))} "
