"""The embedder behind an OpenAI-compatible endpoint's `/embeddings`: a model whose completions are vectors."""

from base64 import b64decode
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from quintet.messages.prompts import Prompt
from quintet.models.embedding.vectors import numbers_of, unit_vectors, vectors_as_text
from quintet.models.endpoint.answer import UnreadableBody, error_text
from quintet.models.endpoint.connection import Connection
from quintet.models.endpoint.key import USUAL_KEY
from quintet.ports.effects import Effect
from quintet.ports.model import Completion, Sampling, Usage


class _Embedding(Struct):
    embedding: list[float] | str
    index: int | None = None


class _Counted(Struct):
    prompt_tokens: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class _Answer(Struct):
    data: list[_Embedding]
    usage: msgspec.Raw = msgspec.Raw(b"null")
    system_fingerprint: Any = None


_LARGEST_VECTOR = 2**16
"""Numbers, several times as many as any embedder gives."""

_answers = msgspec.json.Decoder(_Answer)
_usages = msgspec.json.Decoder(_Counted)


class EmbeddingModel:
    """A model of any endpoint with OpenAI's embeddings. A completion's text is the vectors of the prompt's messages.

    One call is one POST, neither repeated nor timed. It can be pickled, as an `Endpoint` can.

    Args:
        name: as sent and as shown.
        url: the endpoint's base address; None for that of OPENAI_BASE_URL, or else OpenAI's own.
        key: the name of the environment variable that holds the key. The usual one may be unset where `url` is given.
            None: none is sent.
        dimensions: numbers of a vector, for models that can be asked for fewer; None: as many as the model has.

    Raises:
        UsageError: there is no key, or the address is invalid or may not be shown.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str | None = None,
        key: Annotated[str | None, Effect.SENDS] = USUAL_KEY,
        dimensions: int | None = None,
    ) -> None:
        self.name = name
        self._dimensions = dimensions
        self._numbers = dimensions
        """Of every vector; None until the first answer."""
        self._connection = Connection(name, url=url, key=key)

    @property
    def account(self) -> str:
        """See `quintet.ports.model.Billed`."""
        return self._connection.account

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Embed each message of a prompt. The sampling is not sent.

        Raises:
            ModelFault: as of `Endpoint.complete`; also for vectors of another length than before, or than asked.
        """
        texts = [message.content for message in prompt.messages()]
        asked = {} if self._dimensions is None else {"dimensions": self._dimensions}
        body = msgspec.json.encode({"model": self.name, "input": texts, **asked})
        (completion,) = await self._connection.complete("/embeddings", body, partial(self._read, texts=len(texts)))
        return completion

    def _read(self, body: bytes, texts: int) -> tuple[Completion]:
        completion, numbers = _read(body, texts)
        if numbers != (self._numbers or numbers):
            raise UnreadableBody(f"vectors of {numbers:,} numbers, where {self._numbers:,} were expected")
        self._numbers = numbers
        return (completion,)

    async def aclose(self) -> None:
        """Close the running loop's connections. Otherwise the loop closes them when it ends."""
        await self._connection.aclose()


def _read(body: bytes, texts: int) -> tuple[Completion, int]:
    """The vectors of an answer in the order of the texts, and their size; an `UnreadableBody` if some are missing."""
    try:
        answer = _answers.decode(body)
        vectors = unit_vectors([_numbers(each.embedding) for each in _in_order(answer.data, texts)])
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UnreadableBody(f"{error} in: {error_text(body)}") from None
    fingerprint = answer.system_fingerprint if isinstance(answer.system_fingerprint, str) else ""
    completion = Completion(text=vectors_as_text(vectors), usage=_usage(answer.usage), fingerprint=fingerprint)
    return completion, len(numbers_of(vectors[0]))


def _in_order(data: Sequence[_Embedding], texts: int) -> Sequence[_Embedding]:
    """The embeddings in the order of the texts: by their indexes, or as they come if none has one."""
    if len(data) != texts:
        raise UnreadableBody(f"{len(data)} embeddings of {texts} texts")
    indexes = [each.index for each in data]
    if not any(index is not None for index in indexes):
        return data
    by_index = {each.index: each for each in data}
    if by_index.keys() != set(range(texts)):
        raise UnreadableBody(f"embeddings with the indexes {indexes}, where each from 0 to {texts - 1} was expected")
    return [by_index[index] for index in range(texts)]


def _numbers(embedding: list[float] | str) -> Sequence[float]:
    numbers = embedding if isinstance(embedding, list) else numbers_of(b64decode(embedding, validate=True))
    if len(numbers) > _LARGEST_VECTOR:
        raise UnreadableBody(f"a vector of {len(numbers):,} numbers, where at most {_LARGEST_VECTOR:,} were expected")
    if numbers and not any(numbers):
        raise UnreadableBody("a vector of zeros, where one with a direction was expected")
    return numbers


def _usage(raw: msgspec.Raw) -> Usage:
    try:
        return Usage(prompt_tokens=_usages.decode(raw).prompt_tokens or 0)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return Usage()
