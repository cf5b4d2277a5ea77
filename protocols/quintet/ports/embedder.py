"""The embedder port: texts as vectors, by which a memory finds the nearest tuples."""

from collections.abc import Sequence
from typing import Protocol


def state_text(goal: str, observation: str) -> str:
    """The text by which a state is embedded, when it is stored and when tuples are recalled for it."""
    return f"{goal}\n{observation}"


class Embedder(Protocol):
    """Turns texts into vectors of length one. The same text has the same vector, whatever it is embedded with."""

    @property
    def name(self) -> str:
        """Part of a memory's record: vectors of two embedders cannot be compared."""
        ...

    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """Embed texts.

        Returns:
            A vector for each text, in order, all of as many numbers: float32, little endian.

        Raises:
            ModelFault: the texts cannot be embedded, say because one is too long.
        """
        ...
