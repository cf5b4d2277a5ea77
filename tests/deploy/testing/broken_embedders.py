"""Embedders that break their contract in one place each."""

import os
from collections.abc import Sequence

from quintet.models.embedding.hashed_words import HashedWords
from quintet.models.embedding.vectors import from_bytes, to_bytes


class Words(HashedWords):
    """Keeps it."""

    def __init__(self) -> None:
        super().__init__()


class Nameless(Words):
    name = " "


class Long(Words):
    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return tuple((2 * from_bytes([vector])).tobytes() for vector in await super().embed(texts))


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
        return to_bytes([[1.0, 0.0]] * len(texts)) if texts else ()
