"""OpenAI's batches: a file of calls is uploaded, and a file of answers comes back."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Raw, Struct
from openai import AsyncOpenAI, NotFoundError

from quintet.errors import ModelFault
from quintet.models.endpoint.connection import Connection
from quintet.ports.batches import BatchLost, BatchRefused, BatchUnknown, NoRoomForBatch

ROUTE: Final = "/chat/completions"
_NAME: Final = "quintet_batch"
"""In a batch's metadata."""
_ENDED: Final = ("completed", "expired", "cancelled")
"""States in which all answers there will be are there; a batch that expired has some."""
_NO_ROOM: Final = "token_limit_exceeded"
"""The error of a batch with which more tokens would be enqueued than an organisation may have at a time."""
_AGAIN: Final = (408, 409, 429)
"""Statuses that say nothing of the call, as those from 500 on."""


class StoredAnswer(Struct, frozen=True):
    """An answer of a server to a call, as it is kept."""

    status_code: Annotated[int, Meta(ge=100, le=599)]
    body: Raw


class _Line(Struct, frozen=True):
    custom_id: str
    response: StoredAnswer | None = None


_lines = msgspec.json.Decoder(_Line)
stored_answers = msgspec.json.Decoder(StoredAnswer)


class EndpointBatches:
    """The batches of an endpoint; see `quintet.ports.batches.TakesBatches`."""

    def __init__(self, connection: Connection, model: str) -> None:
        self._connection = connection
        self._model = model

    async def submit(self, name: str, bodies: Mapping[str, bytes]) -> str:
        """Upload the bodies and begin a batch of them."""
        lines = (
            msgspec.json.encode({"custom_id": call, "method": "POST", "url": f"/v1{ROUTE}", "body": Raw(body)})
            for call, body in bodies.items()
        )
        content = b"\n".join(lines)

        async def submit(client: AsyncOpenAI) -> str:
            file = await client.files.create(file=(f"{name}.jsonl", content), purpose="batch")
            batch = await client.batches.create(
                input_file_id=file.id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata={_NAME: name},
            )
            return batch.id

        return await self._connection.with_client(submit)

    async def find(self, name: str, since: float) -> str | None:
        """The batch of that name among those made since a time."""

        async def find(client: AsyncOpenAI) -> str | None:
            async for batch in client.batches.list(limit=100):  # the newest first, page by page
                if (batch.metadata or {}).get(_NAME) == name:
                    return batch.id
                if batch.created_at < since:
                    return None
            return None

        return await self._connection.with_client(find)

    async def collect(self, batch: str) -> Mapping[str, bytes] | None:
        """The answers, or why there will be none; see `quintet.ports.batches.TakesBatches.collect_batch`."""

        async def collect(client: AsyncOpenAI) -> Mapping[str, bytes] | ModelFault | None:
            expected = f"{self._model}: expected answers of batch {batch}, got"
            try:
                found = await client.batches.retrieve(batch)
            except NotFoundError:
                return BatchUnknown(f"{expected} that there is none")
            if found.status == "failed":
                errors = (found.errors and found.errors.data) or []
                said = "; ".join(error.message or error.code or "" for error in errors) or "no reason"
                refused = NoRoomForBatch if any(error.code == _NO_ROOM for error in errors) else BatchRefused
                return refused(f"{expected} its refusal: {said}")
            if found.status not in _ENDED:
                return None
            files = filter(None, (found.output_file_id, found.error_file_id))
            try:
                contents = [(await client.files.content(file)).content for file in files]
            except NotFoundError:
                return BatchLost(f"{expected} that their file is gone")
            return {call: answer for content in contents for call, answer in _answers(content)}

        collected = await self._connection.with_client(collect)
        if isinstance(collected, ModelFault):
            raise collected
        return collected


def _answers(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Those that say something of their call; a line that cannot be read says nothing."""
    for text in content.splitlines():
        try:
            line = _lines.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        answer = line.response
        if answer is not None and answer.status_code < 500 and answer.status_code not in _AGAIN:
            yield line.custom_id, msgspec.json.encode(answer)


def as_stored(status: int, body: Any) -> bytes:
    """An answer as it is kept, of what JSON can say."""
    return msgspec.json.encode(StoredAnswer(status, Raw(msgspec.json.encode(body))))
