"""The connection to an endpoint for one model: its address, its key, and its failures as faults."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from openai import APIStatusError, AsyncOpenAI

from quintet.errors import UsageError
from quintet.models.endpoint.address import OPENAI, is_on_this_machine, resolve_url
from quintet.models.endpoint.answer import TokensMissing, UnreadableBody, error_codes
from quintet.models.endpoint.failures import Failures, why_unanswerable
from quintet.models.endpoint.http import HttpAnswer, HttpClient
from quintet.models.endpoint.key import USUAL_KEY, Key
from quintet.models.endpoint.questions import QUESTION_WANTED, WANTED_CODE, QuestionWanted
from quintet.ports.model import Completion

_T = TypeVar("_T")
_TIMEOUT: Final = 600.0
"""Seconds for a file of many calls, up or down."""
_NOT_THERE: Final = (404, 405)


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
        self._client = HttpClient(address, self.key)
        self._failures = Failures(model, address, self.key)

    @property
    def account(self) -> str:
        """See `quintet.ports.model.Billed`."""
        return f"{self.key.variable} at {self._client.url}"

    @property
    def is_openais(self) -> bool:
        """Whether it leads to OpenAI itself."""
        return self._client.url == OPENAI

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it leads to a server here."""
        return is_on_this_machine(self._client.url)

    async def complete(
        self, route: str, body: bytes, read: Callable[[bytes], tuple[Completion, ...]]
    ) -> tuple[Completion, ...]:
        """Post once, neither repeated nor timed.

        Args:
            route: below the address.
            read: the completions in the body of the answer; raises `UnreadableBody` if it holds none, and
                `TokensMissing`.

        Returns:
            A completion without a text, whose finish says why, if this endpoint can never answer this request.

        Raises:
            Overloaded: the endpoint asks to come back later.
            Unreachable: it could not be connected to.
            EndpointFailed: it says that it failed.
            NoAnswer: it may have worked, but no answer came, or none that can be read.
            EndpointUnavailable: it refuses all requests, or returns no tokens; a `KeyRefused` for their key.
            QuestionWanted: it answers typed questions, and none came with this request.
            ModelFault: it refuses this request.
        """
        try:
            answer = await self._client.post(route, body)
        except Exception as error:  # noqa: BLE001  a malformed header makes aiohttp raise anything
            fault = self._failures.broken(error)
        else:
            return self.read(answer, read)
        # Raised outside of the handler: aiohttp's exception holds the request, and the request holds the key.
        raise fault

    def read(self, answer: HttpAnswer, read: Callable[[bytes], tuple[Completion, ...]]) -> tuple[Completion, ...]:
        """The completions in a server's answer; see `complete`."""
        if not 200 <= answer.status < 300:
            if (finish := why_unanswerable(answer)) is not None:
                return (Completion(text="", finish=finish),)
            if answer.status == QUESTION_WANTED and WANTED_CODE in error_codes(answer.body):
                raise QuestionWanted("a typed question was expected")
            raise self._failures.refused(answer)
        if answer.headers.get("content-type", "").startswith("text/html"):
            raise self._failures.page()
        try:
            return read(answer.body)
        except UnreadableBody as error:
            fault = self._failures.unreadable(error)
        except TokensMissing as missing:
            fault = self._failures.without_tokens(missing)
        raise fault  # outside of the handlers: an error quotes the server, which may quote the key

    async def with_client(self, work: Callable[[AsyncOpenAI], Awaitable[_T]]) -> _T:
        """Do what the `openai` client can do for batches, neither repeated nor timed by it.

        Raises:
            EndpointUnavailable: the endpoint has no batches.
            Fault: as `complete` does.
        """
        # Its own HTTP client reads proxies from the environment, as ours does.
        client = AsyncOpenAI(api_key=self.key.reveal(), base_url=self._client.url, max_retries=0, timeout=_TIMEOUT)
        async with client:
            try:
                return await work(client)
            except APIStatusError as error:
                request, response = error.request, error.response
                refusal = HttpAnswer(error.status_code, response.headers, response.content)
                if refusal.status in _NOT_THERE:
                    fault = self._failures.without_batches(f"{request.method} {request.url.path}", refusal)
                else:
                    fault = self._failures.refused(refusal)
            except Exception as error:  # noqa: BLE001  the client takes what a server says for what it expects
                fault = self._failures.broken(error)
        raise fault

    async def aclose(self) -> None:
        """Close the running loop's connections. Otherwise the loop closes them when it ends."""
        await self._client.aclose()
