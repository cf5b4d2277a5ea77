"""Embedders that break their contract in one place each."""

import os
from collections.abc import Sequence

from quintet.models.embedding.hashed_words import HashedWords
from quintet.models.embedding.vectors import numbers_of, unit_vectors, vector_of


class Words(HashedWords):
    """Keeps it."""

    def __init__(self) -> None:
        super().__init__()


class Nameless(Words):
    def __init__(self) -> None:
        super().__init__()
        self.name = " "


class Long(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        vectors = await super().embed(texts)
        return tuple(vector_of([2 * number for number in numbers_of(vector)]) for vector in vectors)


class Short(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return (await super().embed(texts))[:1]


class Companionable(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return await super().embed([f"{text} {texts[0]}" for text in texts])


class Wordy(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return await super().embed(texts or ["nothing"])


class Elsewhere(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return await super().embed([f"{text} {os.getpid()}" for text in texts])


class Constant(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return unit_vectors([[1.0, 0.0]] * len(texts)) if texts else ()
