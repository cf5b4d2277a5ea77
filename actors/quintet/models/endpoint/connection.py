"""The connection to an endpoint for one model: its address, its key, its HTTP clients, and its failures as faults."""

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import AsyncGenerator, Callable
from functools import cache
from typing import Any

from httpx2 import Limits, Request, Response, Timeout, create_ssl_context
from openai import APIStatusError, AsyncOpenAI, DefaultAioHttpClient

from quintet.errors import UsageError
from quintet.models.endpoint.address import is_on_this_machine, resolve_url
from quintet.models.endpoint.answer import UnreadableBody
from quintet.models.endpoint.failures import Failures, why_unanswerable
from quintet.models.endpoint.key import USUAL_KEY, Key
from quintet.models.endpoint.questions import QUESTION_WANTED, WANTED_CODE, QuestionWanted
from quintet.ports.model import Completion

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


class Connection:
    """Posts to one endpoint. It can be pickled: a copy reads the key from the environment of its own process.

    Args:
        url: the endpoint's base address; None for that of OPENAI_BASE_URL, or else OpenAI's own.
        key: the name of the environment variable that holds the key. The usual one may be unset where `url` is given.
            None: none is sent.

    Raises:
        UsageError: there is no name or no key, or the address is invalid or may not be shown.
    """

    def __init__(self, model: str, *, url: str | None, key: str | None) -> None:
        if not model.strip():
            raise UsageError(f"model.name: expected the name of a model, got {model!r}")
        self.key = Key(key, optional=key is None or (url is not None and key == USUAL_KEY))
        address = resolve_url(url)
        self._clients = _Clients(address, self.key)
        self._failures = Failures(model, address, self.key)

    @property
    def account(self) -> str:
        """See `quintet.ports.model.Billed`."""
        return f"{self.key.variable} at {self._clients.url}"

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it leads to a server here."""
        return is_on_this_machine(self._clients.url)

    async def complete(
        self, route: str, body: bytes, read: Callable[[bytes], tuple[Completion, ...]]
    ) -> tuple[Completion, ...]:
        """Post once, neither repeated nor timed.

        Args:
            route: below the address.
            read: the completions in the body of the answer; raises `UnreadableBody` if it holds none.

        Returns:
            A completion without a text, whose finish says why, if this endpoint can never answer this request.

        Raises:
            Overloaded: the endpoint asks to come back later.
            Unreachable: it could not be connected to.
            EndpointFailed: it says that it failed.
            NoAnswer: it may have worked, but no answer came, or none that can be read.
            EndpointUnavailable: it refuses all requests; a `KeyRefused` for their key.
            QuestionWanted: it answers typed questions, and none came with this request.
            ModelFault: it refuses this request.
        """
        client = await self._clients.here()
        try:
            response = await client.post(route, content=body, cast_to=Response)
        except APIStatusError as error:
            if (finish := why_unanswerable(error)) is not None:
                return (Completion(text="", finish=finish),)
            wanted = error.status_code == QUESTION_WANTED and error.code == WANTED_CODE
            fault = QuestionWanted("a typed question was expected") if wanted else self._failures.refused(error)
        except Exception as error:  # noqa: BLE001  a malformed header makes the client raise anything
            fault = self._failures.broken(error)
        else:
            if response.headers.get("content-type", "").startswith("text/html"):
                fault = self._failures.page()
            else:
                try:
                    return read(response.content)
                except UnreadableBody as error:
                    fault = self._failures.unreadable(error)
        # Raised outside of the handlers: the client's exception holds the request, and the request holds the key.
        raise fault

    async def aclose(self) -> None:
        """Close the running loop's connections. Otherwise the loop closes them when it ends."""
        await self._clients.aclose()


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


class _Clients:
    """Clients of one endpoint: one for each event loop, closed when the loop ends. A copy has none open."""

    def __init__(self, url: str, key: Key) -> None:
        self.url = url
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
            base_url=self.url,
            max_retries=0,  # our own retries count every call
            timeout=_TIMEOUT,
            http_client=_BoundedClient(
                verify=_tls(),
                timeout=_TIMEOUT,
                limits=_LIMITS,
                follow_redirects=False,
                trust_env=not is_on_this_machine(self.url),  # where a proxy is named
            ),
        )

    def __reduce__(self) -> tuple[type["_Clients"], tuple[str, Key]]:
        return _Clients, (self.url, self._key)
