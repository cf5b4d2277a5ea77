"""The draws of a simulated model: chance varies answers by temperature, misreading makes errors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import TypeVar

import msgspec

from quintet.messages.prompts import ChatMessage
from quintet.ports.model import Sampling

_T = TypeVar("_T")

FALLIBLE = "sim-fallible"
"""The names of models that misread begin with it."""

ASSUMPTION = (
    "the same question in the same words is misread the same way; "
    "that other words are a new draw is an assumption about models, made here and not measured"
)
"""Every figure of a fallible level depends on it, so it is shown beside them."""

_encode = msgspec.msgpack.Encoder().encode
_SPAN = 2**64
_WORD = re.compile(r"\w+")


def _digest(drawn_from: object) -> bytes:
    return blake2b(_encode(drawn_from), digest_size=16).digest()


class Chance:
    """Chooses between alternatives as a language model would draw them, from the messages and the sampling alone.

    The best choice keeps probability 1 / (1 + temperature), the others share the rest; a `top_p` that the best choice
    alone reaches leaves only it. So at temperature 0 the best is always taken, and the seed is ignored.
    """

    def __init__(self, messages: Sequence[ChatMessage], sampling: Sampling) -> None:
        best = 1 / (1 + max(0.0, sampling.temperature))
        self._stray = 0.0 if best >= sampling.top_p else 1 - best
        self._messages = tuple(messages)
        self._random: Random | None = None
        if self._stray:
            drawn_from = (self._messages, sampling.temperature, sampling.top_p, sampling.seed)
            self._random = Random(_digest(drawn_from))

    @property
    def varies(self) -> bool:
        """Whether anything but the best can be chosen."""
        return self._stray > 0

    def choose(self, choices: Sequence[_T]) -> _T:
        """One of `choices`, of which there is at least one, the best first."""
        if self._random is None or len(choices) == 1 or self._random.random() >= self._stray:
            return choices[0]
        return self._random.choice(choices[1:])

    def guess(self, choices: Sequence[_T]) -> _T:
        """One of `choices`, of which there is at least one, all equally good.

        At temperature 0 too the guess differs between messages, as the likeliest word of a model's guess does.
        """
        return (self._random or Random(_digest(self._messages))).choice(choices)

    def order(self, items: Sequence[_T]) -> list[_T]:
        """`items` in the order in which they would be drawn, the best order being as given."""
        left, ordered = list(items), list[_T]()
        while left:
            ordered.append(self.choose(left))
            left.remove(ordered[-1])
        return ordered


@dataclass(frozen=True)
class Misreading:
    """Decides question by question whether it is misread. A pure function of its fields and the question's words.

    A question that is misread at one rate is misread at every higher one, in the same way.
    """

    rate: float
    """The probability of misreading a question, in [0, 1]."""
    seed: int | None = None
    """Makes other draws above temperature 0; None at temperature 0."""
    learnt: tuple[str, ...] = ()
    """Lines of reflections that the prompt shows. Those that name the thing are among the question's words."""

    @classmethod
    def of_call(cls, rate: float, sampling: Sampling, learnt: str = "") -> "Misreading":
        """The misreadings of a call whose prompt shows these reflections."""
        lines = tuple(line.strip() for line in learnt.splitlines() if line.strip())
        return cls(rate, sampling.seed if sampling.temperature > 0 else None, lines)

    def wrong(self, goal: str, *question: str) -> bool:
        """Whether a question is misread.

        Args:
            goal: the goal of the prompt, as it is worded.
            question: what is asked, and about which things; about the goal if it names none.
        """
        return self.rate > 0 and self._draw(goal, question)[0] < self.rate * _SPAN

    def answer(self, right: _T, others: Sequence[_T], goal: str, *question: str) -> _T:
        """The right answer to a question or, if it is misread, one of the others, all equally likely."""
        if not others or not self.wrong(goal, *question):
            return right
        return others[self._draw(goal, question)[1] % len(others)]

    def _draw(self, goal: str, question: tuple[str, ...]) -> tuple[int, int]:
        things = question[1:] or (goal,)
        return _draw(self.seed, goal, question, tuple(line for line in self.learnt if _names(line, things)))


def _names(line: str, things: tuple[str, ...]) -> bool:
    words = _in_words(line)
    return all(_in_words(thing) in words for thing in things)


@lru_cache(maxsize=16384)
def _in_words(text: str) -> str:
    """A text's words between single blanks, so that no part of a word is found in it."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


@lru_cache(maxsize=65536)
def _draw(seed: int | None, goal: str, question: tuple[str, ...], learnt: tuple[str, ...]) -> tuple[int, int]:
    """Two numbers below 2**64: the first decides whether the question is misread, the second how."""
    digest = _digest((seed, goal, question, *learnt))
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
