"""An embedder over a model whose completions are vectors."""

from collections.abc import Callable, Sequence
from typing import Final

from quintet.errors import ModelFault
from quintet.messages.prompts import Prompt, user
from quintet.models.embedding.vectors import vectors_of_text
from quintet.ports.model import Closes, Model, Sampling

LONGEST_BATCH: Final = 32
"""Texts of a call. With up to 6,000 numbers each, the vectors fit into the longest text that the journal takes."""

_SAMPLING = Sampling(max_tokens=0)
"""An embedding has no completion tokens."""


class ModelEmbedder:
    """Embeds by a model whose completions are vectors."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def name(self) -> str:
        return self.model.name

    def through(self, wrap: Callable[[Model], Model]) -> "ModelEmbedder":
        """The same by way of another model, which has permits and a journal, say."""
        return ModelEmbedder(wrap(self.model))

    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """Embed texts, so many a call, one call after the other; a `ModelFault` if one fails, or a text is refused."""
        vectors: list[bytes] = []
        for start in range(0, len(texts), LONGEST_BATCH):
            some = texts[start : start + LONGEST_BATCH]
            vectors += await self._call(some)
        return tuple(vectors)

    async def _call(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        prompt = Prompt(*(user(text or " ") for text in texts))  # endpoints refuse an empty text
        completion = await self.model.complete(prompt, _SAMPLING)
        if completion.finish != "stop":
            longest = max(len(text) for text in texts)
            raise ModelFault(
                f"{self.name}: expected {len(texts)} vectors, got {completion.finish} "
                f"(the longest text has {longest:,} characters)"
            )
        return vectors_of_text(completion.text)

    async def aclose(self) -> None:
        """Release what the model keeps between calls."""
        if isinstance(self.model, Closes):
            await self.model.aclose()
