"""Posts to an endpoint over kept connections, with the headers that the `openai` client sends, prepared once."""

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import cache, partial
from typing import Final, NamedTuple, TypeAlias

from aiohttp import ClientResponse, ClientSession, ClientTimeout, StreamReader, TCPConnector
from httpx2 import URL, create_ssl_context
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from quintet.models.endpoint.answer import UnreadableBody
from quintet.models.endpoint.key import Key
from quintet.models.endpoint.proxy import proxy_for

LARGEST_ANSWER: Final = 16 * 2**20
"""Bytes, decompressed; more than any completion has."""
_TIMEOUT: Final = ClientTimeout(total=None, sock_connect=30.0)
"""Limits connecting alone; the caller holds the deadline of a call."""
_IDLE: Final = 4.0
"""Seconds. Idle connections end before the five seconds after which common servers close them: a call sent into a
closing connection may have been charged."""
_tls = cache(create_ssl_context)
"""Takes a hundred times as long to make as a session."""


class HttpAnswer(NamedTuple):
    """What a server answered, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """Their names are found in any case."""
    body: bytes
    """Decompressed."""


_Post: TypeAlias = Callable[..., AbstractAsyncContextManager[ClientResponse]]
"""The `post` of a session, with all that each request of it has."""


class HttpClient:
    """Posts to one server: a session for each event loop, closed when the loop ends. A copy has none open.

    Raises:
        UsageError: the environment names a proxy for this server that is none.
    """

    def __init__(self, url: str, key: Key) -> None:
        self.url = url
        self._key = key
        self._proxy = proxy_for(url)
        self._open: dict[AbstractEventLoop, tuple[_Post, AsyncGenerator[_Post]]] = {}

    async def post(self, route: str, body: bytes) -> HttpAnswer:
        """Post once, neither repeated, redirected nor timed.

        Args:
            route: below the address.
            body: JSON.

        Raises:
            UnreadableBody: the answer is larger than `LARGEST_ANSWER`.
            Exception: anything that aiohttp raises; it may hold the key.
        """
        post = await self._here()
        async with post(self.url + route, data=body) as response:
            return HttpAnswer(response.status, response.headers, await _read(response.content))

    async def aclose(self) -> None:
        """Close the running loop's session."""
        if opened := self._open.get(asyncio.get_running_loop()):
            await opened[1].aclose()

    async def _here(self) -> _Post:
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            lifetime = self._lifetime(loop)
            self._open[loop] = await anext(lifetime), lifetime
        return self._open[loop][0]

    async def _lifetime(self, loop: AbstractEventLoop) -> AsyncGenerator[_Post]:
        # A generator, because `asyncio.run` closes a loop's generators when the loop ends.
        session = ClientSession(
            connector=TCPConnector(limit=0, keepalive_timeout=_IDLE, ssl=_tls()),  # the caller limits concurrent calls
            timeout=_TIMEOUT,
        )
        try:
            yield self._posting(session)
        finally:
            del self._open[loop]
            await session.close()

    def _posting(self, session: ClientSession) -> _Post:
        # Headers of the session itself would be told to the proxy too, and the key is one of them.
        headers, proxy = _headers(self.url, self._key.reveal()), self._proxy
        post = partial(session.post, allow_redirects=False)
        if proxy is None:
            return partial(post, headers=headers)
        if URL(self.url).scheme == "http":  # no tunnel: the proxy reads the request itself
            return partial(post, headers={**headers, **proxy.headers}, proxy=proxy.url)
        return partial(post, headers=headers, proxy=proxy.url, proxy_headers=proxy.headers)

    def __reduce__(self) -> tuple[type["HttpClient"], tuple[str, Key]]:
        return HttpClient, (self.url, self._key)


def _headers(url: str, key: str) -> dict[str, str]:
    """What the `openai` client sends with every request, the environment's OPENAI_CUSTOM_HEADERS among it."""
    client = AsyncOpenAI(
        api_key=key,
        default_headers={"Authorization": f"Bearer {key}"},  # else one of OPENAI_CUSTOM_HEADERS would go first
        base_url=url,
        http_client=DefaultAsyncHttpxClient(verify=_tls()),  # never used; by default the client would make a context
    )
    return {name: value for name, value in client.default_headers.items() if isinstance(value, str)}


async def _read(content: StreamReader) -> bytes:
    """A whole body: a megabyte of gzip can be a gigabyte of text."""
    read = bytearray()
    async for chunk in content.iter_any():
        read += chunk
        if len(read) > LARGEST_ANSWER:
            raise UnreadableBody(f"more than {LARGEST_ANSWER:,} bytes")
    return bytes(read)
