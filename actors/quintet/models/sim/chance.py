"""Variation at a temperature above 0: drawn from the messages and the sampling parameters, and from nothing else."""

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

import msgspec

from quintet.messages.prompts import ChatMessage
from quintet.ports.model import Sampling

T = TypeVar("T")

_encode = msgspec.msgpack.Encoder().encode


def _random(drawn_from: object) -> Random:
    return Random(blake2b(_encode(drawn_from), digest_size=16).digest())


class Chance:
    """Chooses between alternatives as a language model would draw them.

    The best choice keeps probability 1 / (1 + temperature), the others share the rest; a `top_p` that the best choice
    alone reaches leaves only it. So at temperature 0 the best is always taken, and the seed is not looked at.
    """

    def __init__(self, messages: Sequence[ChatMessage], sampling: Sampling) -> None:
        best = 1 / (1 + max(0.0, sampling.temperature))
        self._stray = 0.0 if best >= sampling.top_p else 1 - best
        self._messages = tuple(messages)
        self._random: Random | None = None
        if self._stray:
            self._random = _random((self._messages, sampling.temperature, sampling.top_p, sampling.seed))

    @property
    def varies(self) -> bool:
        """Whether anything but the best can be chosen."""
        return self._stray > 0

    def choose(self, choices: Sequence[T]) -> T:
        """One of `choices`, of which there is at least one, the best first."""
        if self._random is None or len(choices) == 1 or self._random.random() >= self._stray:
            return choices[0]
        return self._random.choice(choices[1:])

    def guess(self, choices: Sequence[T]) -> T:
        """One of `choices`, of which there is at least one, and none better than another.

        At temperature 0 too it falls differently for different messages, as the likeliest word of a guess does.
        """
        return (self._random or _random(self._messages)).choice(choices)

    def order(self, items: Sequence[T]) -> list[T]:
        """`items` in the order in which they would be drawn, the best order being as given."""
        left, ordered = list(items), list[T]()
        while left:
            ordered.append(self.choose(left))
            left.remove(ordered[-1])
        return ordered
