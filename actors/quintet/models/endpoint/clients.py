"""The address of an endpoint, and its HTTP clients: one for each event loop, closed when the loop ends."""

import asyncio
import os
from asyncio import AbstractEventLoop
from collections.abc import AsyncGenerator
from functools import cache
from ipaddress import ip_address
from typing import Any

from httpx2 import URL, InvalidURL, Limits, Request, Response, Timeout, create_ssl_context
from openai import AsyncOpenAI, DefaultAioHttpClient

from quintet.errors import UsageError
from quintet.models.endpoint.answer import UnreadableBody
from quintet.models.endpoint.key import Key

_VARIABLE = "OPENAI_BASE_URL"
_OPENAI = "https://api.openai.com/v1"


def resolve_url(url: str | None) -> str:
    """The base address of an endpoint, without a slash at its end.

    Args:
        url: None for that of the environment variable OPENAI_BASE_URL, or else OpenAI's own.

    Raises:
        UsageError: it is not an HTTP address, or holds parts that may not be shown. The text does not quote it.
    """
    if url is not None:
        return _checked(url, "model.url")
    return _checked(os.environ.get(_VARIABLE) or _OPENAI, _VARIABLE)


def is_on_this_machine(url: str) -> bool:
    """Whether an address is a loopback one, which no proxy reaches."""
    host = URL(url).host
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _checked(url: str, where: str) -> str:
    if wrong := _wrong(url):
        raise UsageError(f"{where}: expected http(s)://HOST[:PORT][/PATH], got {wrong}")
    return url.rstrip("/")


def _wrong(url: str) -> str | None:
    try:
        parsed = URL(url)
    except InvalidURL:  # its text may quote a password
        return "something else"
    if parsed.scheme not in ("http", "https") or not parsed.host:
        return "another scheme, or no host"
    if parsed.userinfo:
        return "a user name or a password in it; a key is read from the environment variable that model.key names"
    if "?" in url or "#" in url:
        return "a query or a fragment in it"
    if parsed.port is not None and not 0 < parsed.port < 2**16:
        return f"port {parsed.port}"
    return None


LARGEST_ANSWER = 16 * 2**20
"""Bytes, decompressed; more than any completion has."""
_DONE_WITH = (b"content-encoding", b"content-length", b"transfer-encoding")
"""Headers of an answer that no longer hold once it is read."""

_TIMEOUT = Timeout(None, connect=30.0)
"""Limits connecting alone; the caller holds the deadline of a call."""
_LIMITS = Limits(max_connections=2**16, keepalive_expiry=4.0)
"""The caller limits concurrent calls. Idle connections end before the five seconds after which common servers close
them: a call sent into a closing connection may have been charged."""
_tls = cache(create_ssl_context)
"""Takes a hundred times as long to make as a client."""


class _BoundedClient(DefaultAioHttpClient):
    """Reads answers, errors included, up to a limit of size: a megabyte of gzip can be a gigabyte of text."""

    async def send(self, request: Request, *, stream: bool = False, **options: Any) -> Response:
        response = await super().send(request, stream=True, **options)
        content = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > LARGEST_ANSWER:
                    raise UnreadableBody(f"more than {LARGEST_ANSWER:,} bytes")
        finally:
            await response.aclose()
        return Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.raw if name.lower() not in _DONE_WITH],
            content=bytes(content),
            request=request,
            extensions=response.extensions,
        )


class Clients:
    """Opens clients of one endpoint. A copy has none open."""

    def __init__(self, url: str, key: Key) -> None:
        self._url = url
        self._key = key
        self._open: dict[AbstractEventLoop, tuple[AsyncOpenAI, AsyncGenerator[AsyncOpenAI]]] = {}

    async def here(self) -> AsyncOpenAI:
        """The running loop's client."""
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            lifetime = self._lifetime(loop)
            self._open[loop] = await anext(lifetime), lifetime
        return self._open[loop][0]

    async def aclose(self) -> None:
        """Close the running loop's client."""
        if opened := self._open.get(asyncio.get_running_loop()):
            await opened[1].aclose()

    async def _lifetime(self, loop: AbstractEventLoop) -> AsyncGenerator[AsyncOpenAI]:
        # A generator, because `asyncio.run` closes a loop's generators when the loop ends.
        client = self._client()
        try:
            yield client
        finally:
            del self._open[loop]
            await client.close()

    def _client(self) -> AsyncOpenAI:
        key = self._key.reveal()
        return AsyncOpenAI(
            api_key=key,
            default_headers={"Authorization": f"Bearer {key}"},  # else one of OPENAI_CUSTOM_HEADERS would go first
            base_url=self._url,
            max_retries=0,  # our own retries count every call
            timeout=_TIMEOUT,
            http_client=_BoundedClient(
                verify=_tls(),
                timeout=_TIMEOUT,
                limits=_LIMITS,
                follow_redirects=False,
                trust_env=not is_on_this_machine(self._url),  # where a proxy is named
            ),
        )

    def __reduce__(self) -> tuple[type["Clients"], tuple[str, Key]]:
        return Clients, (self._url, self._key)
