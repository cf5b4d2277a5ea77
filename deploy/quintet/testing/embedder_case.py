"""What the contract of embedders is tried on: an embedder, asked on one event loop as in a run."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from quintet.ports.embedder import Embedder
from quintet.testing.model_case import CaseOnLoop
from quintet.testing.subprocesses import NamedPlugIn, name_plug_in


class EmbedderCase(CaseOnLoop):
    """An embedder; used by `with`.

    Args:
        name: the embedder's in the catalogue, or that of an endpoint's model; or what makes it, or `FILE.py:OBJECT`.
        options: the embedder's, as JSON can say them.
    """

    def __init__(self, name: str | Callable[..., Embedder], options: Mapping[str, Any] | None = None) -> None:
        plug_in = name_plug_in("embedder", name, options)
        self.embedder: Embedder = plug_in.embedder()
        super().__init__(plug_in, self.embedder)

    def embed(self, *texts: str) -> tuple[bytes, ...]:
        """The vectors of texts, embedded together."""
        return self._runner.run(self._embed(texts))

    def embed_concurrently(self, *texts: str) -> list[bytes]:
        """The vectors of texts, each embedded alone, all at a time."""

        async def embed_all() -> list[tuple[bytes, ...]]:
            return await asyncio.gather(*(self._embed([text]) for text in texts))

        return [vector for [vector] in self._runner.run(embed_all())]

    async def _embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        self.calls += 1
        return await self.embedder.embed(texts)

    def __str__(self) -> str:
        return f"embedder {self.plug_in.name}"


class EmbeddingsRequest(Struct, frozen=True, kw_only=True):
    """Embeddings to make, perhaps in another process."""

    plug_in: NamedPlugIn
    texts: tuple[str, ...]


def embed_all(request: EmbeddingsRequest) -> tuple[bytes, ...]:
    """A vector for each text."""
    with EmbedderCase(request.plug_in.place, request.plug_in.options) as case:
        return case.embed(*request.texts)
