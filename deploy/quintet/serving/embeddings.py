"""Embeddings over HTTP: a request's fields that are read, the embedders that are served, and the answer."""

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from quintet.errors import UsageError
from quintet.models.embedding.vectors import numbers_of, unit_vectors
from quintet.plugins import catalogue
from quintet.ports.embedder import Embedder
from quintet.ports.model import Usage
from quintet.serving.request import decode_body
from quintet.serving.wire import invalid

_CHARACTERS_PER_TOKEN = 4
"""As of completions."""


class _Request(Struct, frozen=True):
    model: str
    input: str | Annotated[list[str], Meta(min_length=1, max_length=2_048)]
    dimensions: Annotated[int, Meta(ge=1)] | None = None
    encoding_format: Literal["float", "base64"] | None = None


_decoder = msgspec.json.Decoder(_Request)


def served_embedders() -> Mapping[str, Embedder]:
    """The embedders of the catalogue that are installed, by the name to request."""
    found: dict[str, Embedder] = {}
    for name in catalogue.names("embedder"):
        try:
            found[name] = catalogue.embedder(name)
        except UsageError:
            continue
    return found


@dataclass(frozen=True)
class EmbeddingRequest:
    """A request for embeddings."""

    model: str
    texts: tuple[str, ...]
    dimensions: int | None
    as_base64: bool

    @property
    def digest(self) -> str:
        """The same 32 hexadecimal digits for all requests for the same embeddings."""
        content = msgspec.msgpack.encode(("embeddings", self.model, self.texts, self.dimensions))
        return blake2b(content, digest_size=16).hexdigest()

    @property
    def usage(self) -> Usage:
        """Four characters or fewer are a token."""
        return Usage(prompt_tokens=sum(math.ceil(len(text) / _CHARACTERS_PER_TOKEN) for text in self.texts))

    async def embed(self, embedder: Embedder) -> tuple[bytes, ...]:
        """The vectors, cut to the dimensions that are asked for; refused if there are fewer, or a text is empty."""
        if "" in self.texts:
            raise invalid("Expected texts that are not empty.", "input")
        vectors = await embedder.embed(self.texts)
        if self.dimensions is None:
            return vectors
        rows = [numbers_of(vector) for vector in vectors]
        if self.dimensions > len(rows[0]):
            raise invalid(f"Expected at most {len(rows[0])} dimensions, got {self.dimensions}.", "dimensions")
        return unit_vectors([row[: self.dimensions] for row in rows])

    def answer(self, vectors: Sequence[bytes]) -> bytes:
        """The body of an answer."""
        data = [
            {"index": place, "embedding": self._encoded(vector), "object": "embedding"}
            for place, vector in enumerate(vectors)
        ]
        used = self.usage.prompt_tokens
        fields = {"usage": {"prompt_tokens": used, "total_tokens": used}, "system_fingerprint": "simulated"}
        return msgspec.json.encode({"model": self.model, "data": data, "object": "list", **fields})

    def _encoded(self, vector: bytes) -> tuple[float, ...] | str:
        return b64encode(vector).decode() if self.as_base64 else numbers_of(vector)


def read_embedding_request(body: bytes) -> EmbeddingRequest:
    """Read a request; a malformed one is refused."""
    asked = decode_body(_decoder, body)
    texts = (asked.input,) if isinstance(asked.input, str) else tuple(asked.input)
    return EmbeddingRequest(asked.model, texts, asked.dimensions, asked.encoding_format == "base64")
