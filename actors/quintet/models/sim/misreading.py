"""Misreadings: which questions a fallible reader gets wrong, drawn from the words in which they are asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

import msgspec

from quintet.ports.model import Sampling

T = TypeVar("T")

FALLIBLE = "sim-fallible"
"""What the names of models that misread begin with."""

ASSUMPTION = (
    "the same question in the same words is misread the same way; "
    "that other words are a new draw is an assumption about models, made here and not measured"
)
"""What every figure of a fallible level rests on. It is shown beside them."""

_encode = msgspec.msgpack.Encoder().encode
_SPAN = 2**64


@dataclass(frozen=True)
class Misreading:
    """Decides question by question whether it is misread. A pure function of its fields and the question's words.

    A question that is misread at one rate is misread at every higher one, in the same way.
    """

    rate: float
    """The probability of misreading a question, in [0, 1]."""
    seed: int | None = None
    """Makes other draws above temperature 0; None at temperature 0."""

    @classmethod
    def by(cls, rate: float, sampling: Sampling) -> "Misreading":
        """The misreadings of a call."""
        return cls(rate, sampling.seed if sampling.temperature > 0 else None)

    def wrong(self, goal: str, *question: str) -> bool:
        """Whether a question is misread.

        Args:
            goal: the goal of the prompt, as it is worded.
            question: what is asked, and of which thing.
        """
        return self.rate > 0 and _draw(self.seed, goal, question)[0] < self.rate * _SPAN

    def answer(self, right: T, others: Sequence[T], goal: str, *question: str) -> T:
        """The right answer to a question; if it is misread, one of the others, none likelier than another."""
        if not others or not self.wrong(goal, *question):
            return right
        return others[_draw(self.seed, goal, question)[1] % len(others)]


@lru_cache(maxsize=65536)
def _draw(seed: int | None, goal: str, question: tuple[str, ...]) -> tuple[int, int]:
    """Two numbers below 2**64: one decides whether the question is misread, the other how."""
    digest = blake2b(_encode((seed, goal, question)), digest_size=16).digest()
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
