"""A server at an address: messages by streamable HTTP."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx2
import mcp_types
import pydantic
from mcp.client.streamable_http import streamable_http_client

from quintet.environments.mcp.process import LARGEST_MESSAGE, TransportStreams

_STREAM: Final = "text/event-stream"
_SESSION: Final = "mcp-session-id"
_NOT_LET_IN: Final = (401, 403)
_NOT_FOUND: Final = 404
"""Of a request in a session: there is no such session any more."""
_TIMEOUT: Final = httpx2.Timeout(30.0, read=None)
"""Seconds to connect and to send; how long an answer may take is the caller's."""


@asynccontextmanager
async def address_streams(address: str, headers: Mapping[str, str]) -> AsyncGenerator[TransportStreams]:
    """The streams that a client of the package takes.

    Args:
        headers: of every request. They go to the address alone: the package follows redirects within its origin only.
    """
    plain = {**headers, "Accept-Encoding": "identity"}  # a small body may be a large text, packed
    async with (
        httpx2.AsyncClient(headers=plain, timeout=_TIMEOUT, event_hooks={"response": [_refuse, _bound]}) as client,
        streamable_http_client(address, http_client=client, max_sse_event_size=LARGEST_MESSAGE) as streams,
    ):
        yield streams


async def _refuse(response: httpx2.Response) -> None:
    """Make what is said instead of an answer, as by a gateway, or of a lost session the end of the connection.

    The package makes it an error of the tool, without its status, which a model would read.
    """
    if response.is_error and response.request.method == "POST":
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        body = b"".join([part async for part in _BoundedBody(response.stream)])
        await response.stream.aclose()
        no_session = response.status_code == _NOT_FOUND and _SESSION in response.request.headers
        ended = no_session or response.status_code in _NOT_LET_IN or not _answers(body)
        response.stream = httpx2.ByteStream(_ended(response, body) if ended else body)
        response.headers = httpx2.Headers({"Content-Type": "application/json"})


def _answers(body: bytes) -> bool:
    """Whether an error answers a message; one that names none is said before any message is read."""
    try:
        message = mcp_types.jsonrpc_message_adapter.validate_json(body, by_name=False)
    except pydantic.ValidationError:
        return False
    return isinstance(message, mcp_types.JSONRPCError) and message.id is not None


def _ended(response: httpx2.Response, body: bytes) -> bytes:
    said = f"{response.status_code} {response.reason_phrase} {body.decode(errors='replace')}"
    error = mcp_types.ErrorData(code=mcp_types.CONNECTION_CLOSED, message=said)
    return mcp_types.JSONRPCError(jsonrpc="2.0", id=None, error=error).model_dump_json(by_alias=True).encode()


async def _bound(response: httpx2.Response) -> None:
    """Bound a body; one that is a stream of events is bounded by event, by the package."""
    if not response.headers.get("content-type", "").lower().startswith(_STREAM):
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _BoundedBody(response.stream)


class _BoundedBody(httpx2.AsyncByteStream):
    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._body:
            size += len(part)
            if size > LARGEST_MESSAGE:
                raise httpx2.ReadError(f"expected messages of at most {LARGEST_MESSAGE:,} bytes, got a longer one")
            yield part

    async def aclose(self) -> None:
        await self._body.aclose()
