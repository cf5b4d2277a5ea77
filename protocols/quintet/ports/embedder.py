"""The embedder port: texts as vectors, for a memory that is searched by nearness."""

from collections.abc import Sequence
from typing import Protocol


def state_text(goal: str, observation: str) -> str:
    """The text by which a state is embedded: that of a tuple, and that whose like are looked for."""
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
            ModelFault: there are none, because a text is too long, say.
        """
        ...
