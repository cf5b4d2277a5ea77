"""An embedder that needs nothing: hashed words, and their parts of three letters."""

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from math import log1p

from quintet.models.embedding.vectors import unit_vectors

_WORD = re.compile(r"\w+")


class HashedWords:
    """Adds up a signed axis for each word and for each three letters of it. Near are texts that share words.

    No language model: words of like meaning that share no letters are far from each other. The same on every machine.

    Source: Weinberger et al., Feature hashing for large scale multitask learning (2009). Differs: counts by their
    logarithm, and parts of words, which count a third.
    """

    def __init__(self, dimensions: int = 256) -> None:
        if not 1 <= dimensions <= 4_096:
            raise ValueError(f"dimensions: expected 1 to 4,096, got {dimensions:,}")
        self._dimensions = dimensions
        self.name = f"hashed-words-{dimensions}"

    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        return unit_vectors([self._row(text) for text in texts]) if texts else ()

    def _row(self, text: str) -> list[float]:
        row = [0.0] * self._dimensions
        words = Counter(_WORD.findall(text.lower()))
        parts = Counter[str]()
        for word, count in words.items():
            padded = f"<{word}>"
            for start in range(len(padded) - 2):
                parts[padded[start : start + 3]] += count
        for features, kind, weight in ((words, "word", 1.0), (parts, "part", 1 / 3)):
            for feature, count in features.items():
                place, sign = self._axis(f"{kind} {feature}")
                row[place] += sign * weight * log1p(count)
        return row

    def _axis(self, feature: str) -> tuple[int, int]:
        number = int.from_bytes(blake2b(feature.encode(errors="replace"), digest_size=8).digest(), "big")
        return (number >> 1) % self._dimensions, 1 if number & 1 else -1
