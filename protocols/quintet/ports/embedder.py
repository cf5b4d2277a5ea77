"""The embedder port: texts as vectors, for a memory that is searched by nearness."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors of length one. The same text has the same vector."""

    @property
    def name(self) -> str:
        """Part of a memory's record: vectors of two embedders cannot be compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers of a vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """A vector for each text: float32 numbers, little endian."""
        ...
