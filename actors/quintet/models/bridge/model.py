"""The model of a provider that the package `any-llm-sdk` knows, and the faults of its calls."""

import asyncio
import importlib.util
import re
from collections.abc import Awaitable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeVar

from quintet.errors import (
    EndpointFailed,
    EndpointUnavailable,
    Fault,
    KeyRefused,
    ModelFault,
    NoAnswer,
    Overloaded,
    Unreachable,
    UsageError,
    one_line,
)
from quintet.messages.prompts import Prompt
from quintet.models.bridge import batches
from quintet.models.bridge.cache_marks import with_cache_marks
from quintet.models.endpoint.answer import UnreadableBody, completion, error_text
from quintet.models.endpoint.batches import stored_answers
from quintet.models.endpoint.failures import retry_after, says_prompt_is_too_long
from quintet.models.endpoint.family import ModelFamily, SamplingName, family_of
from quintet.models.endpoint.key import Key, check_extra
from quintet.models.endpoint.model import shape_fields
from quintet.models.endpoint.tool_calls import offer_of
from quintet.ports.batches import BatchLost
from quintet.ports.effects import Effect
from quintet.ports.model import Completion, Sampling

if TYPE_CHECKING:
    from any_llm import AnyLLM
    from any_llm.exceptions import AnyLLMError
    from any_llm.types.completion import ChatCompletion

_SET_ELSEWHERE: Final = frozenset({"model", "messages", "stream", "n", "tools", "tool_choice", "timeout"})
"""Parameters that would break what a call is counted by, or its deadline."""

_PRICED_AS: Final[Mapping[str, str]] = {
    "azureopenai": "azure",
    "bedrock": "aws",
    "gemini": "google",
    "moonshot": "moonshotai",
    "vertexai": "google",
    "voyage": "voyageai",
    "xai": "x-ai",
}
"""Providers that the table of list prices knows by another name."""

_OVERLOADED: Final = (429, 503, 529)
_LONGEST_TEXT: Final = 200
_NEVER_SENT: Final = ("ConnectError", "ConnectTimeout", "ClientConnectorError", "ConnectionTimeoutError", "ProxyError")
"""Exceptions of HTTP clients, by name: providers bring clients of their own."""
_T = TypeVar("_T")


class Bridge:
    """A model of another provider, called by that provider's own interface.

    One call is one request, which nothing here repeats. Keys are in the environment variables that the provider's own
    tools use.

    Args:
        id: `PROVIDER/MODEL`, as in `anthropic/claude-haiku-4-5`.
        key: the name of the environment variable that holds the key; None for the provider's own.
        address: base address of the provider's interface, where it is not its own.
        omit: sampling parameters that are not sent. A seed is sent only to providers with OpenAI's parameters, and
            `top_p` only where it is not 1; stop sequences end the text in any case.
        cache_prompt: whether prompts are marked for the provider's cache, where it is Anthropic's interface, which
            caches nothing else: at the end of the instructions, and of what later prompts repeat.
        calls_tools: whether an answer of a shape is a call of a tool; see `Endpoint`.
        extra: further parameters of `any_llm.acompletion`, such as `reasoning_effort`.

    Raises:
        UsageError: the package is missing, there is no such provider, it needs another package or a key, or `extra`
            holds a parameter that is set otherwise, or a secret.
    """

    name_option: ClassVar[str] = "id"
    """What follows the colon in `bridge:PROVIDER/MODEL`."""

    def __init__(
        self,
        id: Annotated[str, Effect.CONTACTS],
        *,
        key: Annotated[str | None, Effect.SENDS] = None,
        address: Annotated[str | None, Effect.CONTACTS] = None,
        omit: Sequence[SamplingName] = (),
        cache_prompt: bool = True,
        calls_tools: bool = False,
        extra: Annotated[Mapping[str, Any] | None, Effect.PASSES] = None,
    ) -> None:
        provider, slash, model = id.partition("/")
        if not slash or not provider or not model:
            raise UsageError(f"model.id: expected PROVIDER/MODEL, got {id!r}")
        if importlib.util.find_spec("any_llm") is None:
            install = "install it with pip install 'quintet-agents[bridge]'"
            raise UsageError(f"model bridge: expected the package any-llm-sdk, got none; {install}")
        self.name = id
        self._provider = provider
        self.model = model
        self._key = None if key is None else Key(key, optional=False)
        self._address = address
        self._clients: dict[asyncio.AbstractEventLoop, AnyLLM] = {}
        client = self._make_client()
        unsaid: Sequence[SamplingName] = () if _speaks_as_openai(client) else ("seed",)
        self.pays_to_cache = cache_prompt and _speaks_as_anthropic(client)
        self._calls_tools = calls_tools
        self._family = ModelFamily(omitted=family_of(model).omitted.union(omit, unsaid))
        variables = [key] if key is not None else re.findall(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+", client.ENV_API_KEY_NAME)
        keys = tuple(Key(variable, optional=True) for variable in variables)
        self._extra = check_extra(extra or {}, _SET_ELSEWHERE, keys)
        self._faults = _Faults(id, keys)

    @property
    def priced_by(self) -> str | None:
        """The provider, as the table of list prices calls it; None if the address may be somebody else's."""
        return None if self._address is not None else _PRICED_AS.get(self._provider, self._provider)

    @property
    def account(self) -> str:
        """See `quintet.ports.model.Billed`."""
        key = "its own key" if self._key is None else self._key.variable
        return f"{key} at {self._provider} {self._address or ''}"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Draw one completion; outcomes and faults are those of `Endpoint.complete`."""
        from any_llm.exceptions import AnyLLMError

        client: Any = self._client()  # its overloads cannot tell what parameters by name are
        try:
            answer: ChatCompletion = await client.acompletion(
                model=self.model, messages=self._messages(prompt), **self._parameters(sampling), **self._extra
            )
            return self._read(answer.model_dump_json().encode(), sampling)
        except AnyLLMError as error:
            outcome = self._faults.outcome(error)
        except Exception as error:  # noqa: BLE001  a provider's own package may raise anything
            outcome = self._faults.unreadable(error)
        if isinstance(outcome, Completion):
            return outcome
        raise outcome

    # Batches; see `quintet.ports.batches.TakesBatches`

    @property
    def without_batches(self) -> str:
        """Only Anthropic's are tried, and its batches have no tools and no further parameters."""
        if not _speaks_as_anthropic(self._make_client()):
            return f"expected a model of Anthropic, or of an endpoint by its own name, got {self.name}"
        if self._calls_tools:
            return "expected model.answers text or schema, got tools, which Anthropic's batches are not sent"
        return f"expected no model.extra, got {', '.join(self._extra)}" if self._extra else ""

    def batch_body(self, prompt: Prompt, sampling: Sampling, n: int) -> bytes:
        return batches.batch_body(self.model, self._messages(prompt), self._parameters(sampling))

    def read_batch(self, answer: bytes, prompt: Prompt, sampling: Sampling) -> tuple[Completion, ...]:
        stored = stored_answers.decode(answer)
        if stored.status_code == 200:
            try:
                return (self._read(bytes(stored.body), sampling),)
            except UnreadableBody as error:
                fault = self._faults.unreadable(error)
            raise fault
        said = error_text(bytes(stored.body))
        if says_prompt_is_too_long(said):
            return (Completion(text="", finish="context_full"),)
        raise self._faults.refused(said)

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        return await self._asked(batches.submit_batch(self._client(), name, bodies))

    async def find_batch(self, name: str, calls: Collection[str], since: float) -> str | None:
        return await self._asked(batches.find_batch(self._client(), name, len(calls), since))

    async def collect_batch(self, batch: str) -> Mapping[str, bytes] | None:
        return await self._asked(batches.collect_batch(self._client(), batch))

    async def _asked(self, asked: Awaitable[_T]) -> _T:
        from any_llm.exceptions import AnyLLMError

        try:
            return await asked
        except (NoAnswer, BatchLost) as error:
            fault: Fault = type(error)(f"{self.name}: {error}")
        except AnyLLMError as error:
            outcome = self._faults.outcome(error)
            fault = self._faults.refused(str(error)) if isinstance(outcome, Completion) else outcome
        except Exception as error:  # noqa: BLE001  a provider's own package may raise anything
            fault = self._faults.unreadable(error)
        raise fault

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        close = getattr(getattr(client, "client", None), "close", None)  # of the provider's own package
        if iscoroutinefunction(close):
            await close()

    def _messages(self, prompt: Prompt) -> list[dict[str, Any]]:
        if self.pays_to_cache:
            return with_cache_marks(prompt)
        return [{"role": each.role, "content": each.content} for each in prompt.messages()]

    def _parameters(self, sampling: Sampling) -> dict[str, Any]:
        sent = self._family.parameters(sampling)
        if sampling.top_p == 1:
            sent.pop("top_p", None)
        return {**sent, **shape_fields(sampling, calls_tools=self._calls_tools)}

    def _read(self, answer: bytes, sampling: Sampling) -> Completion:
        return completion(answer, sampling.stop, offer=offer_of(sampling, calls_tools=self._calls_tools))

    def _client(self) -> "AnyLLM":
        """The running loop's, since connections belong to a loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients = {each: client for each, client in self._clients.items() if not each.is_closed()}
            self._clients[loop] = self._make_client()
        return self._clients[loop]

    def _make_client(self) -> "AnyLLM":
        from any_llm import AnyLLM
        from any_llm.exceptions import AnyLLMError, UnsupportedParameterError

        make = partial(
            AnyLLM.create,
            self._provider,
            api_key=None if self._key is None else self._key.reveal(),
            api_base=self._address,
            unified_exceptions=True,
        )
        try:
            try:
                return make(max_retries=0)
            except UnsupportedParameterError:  # its package takes no number of retries
                return make()
        except (AnyLLMError, ImportError) as error:
            reason = one_line(error)
        raise UsageError(f"model bridge:{self.name}: expected a provider that can be used, got: {reason}")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_clients": {}}  # a copy reads keys from the environment of its own process


def _speaks_as_openai(client: "AnyLLM") -> bool:
    from any_llm.providers.openai.base import BaseOpenAIProvider

    return isinstance(client, BaseOpenAIProvider)


def _speaks_as_anthropic(client: "AnyLLM") -> bool:
    from any_llm.providers.anthropic.base import BaseAnthropicProvider

    return isinstance(client, BaseAnthropicProvider)


@dataclass(frozen=True)
class _Faults:
    """Turns the bridge's exceptions into faults that do not hold a key."""

    model: str
    keys: tuple[Key, ...]

    def outcome(self, error: "AnyLLMError") -> Fault | Completion:
        """The fault for an exception, or the empty completion of a prompt that this model never answers.

        It quotes the provider, except where the provider refuses the key, which some of them quote.
        """
        from any_llm import exceptions as known

        text, status = str(error), error.status_code
        match error:
            case known.ContextLengthExceededError():
                return Completion(text="", finish="context_full")
            case known.ContentFilterError():
                return Completion(text="", finish="content_filter")
            case known.InvalidRequestError() if says_prompt_is_too_long(text):
                return Completion(text="", finish="context_full")
            case known.AuthenticationError() | known.MissingApiKeyError():
                shown = " or ".join(map(str, self.keys)) or "no key"
                return KeyRefused(self._text(f"to be let in with {shown}", str(status or "no key")))
            case known.ModelNotFoundError() | known.InsufficientFundsError() | known.UnsupportedParameterError():
                return EndpointUnavailable(self._text("a model that can be called so", text))
            case _ if isinstance(error, known.RateLimitError) or status in _OVERLOADED:
                fault = Overloaded(self._text("a completion", text))
                response = getattr(error.original_exception, "response", None)
                fault.retry_after = retry_after(getattr(response, "headers", {}))
                return fault
            case _ if status is not None and (status >= 500 or status == 408):
                return EndpointFailed(self._text("a completion", text))
            case known.InvalidRequestError():
                return self.refused(text)
            case _ if status is not None and status >= 400:
                return self.refused(text)
            case _:
                causes = {type(cause).__name__ for cause in _causes(error.original_exception)}
                never_sent = causes.intersection(_NEVER_SENT)
                return (Unreachable if never_sent else NoAnswer)(
                    self._text("a connection" if never_sent else "a completion", text)
                )

    def unreadable(self, error: Exception) -> Fault:
        """An answer that is not a completion, or what the provider's package raised of its own."""
        got = str(error) if isinstance(error, UnreadableBody) else f"{type(error).__name__}: {error}"
        return NoAnswer(self._text("a completion", got))

    def refused(self, said: str) -> ModelFault:
        """The provider refused a call for what it says."""
        return ModelFault(self._text("a completion", said))

    def _text(self, expected: str, got: str) -> str:
        got = " ".join(got.split())
        for key in self.keys:  # before cutting: half a key would not be recognised
            got = key.redacted(got)
        return f"{self.model}: expected {expected}, got {got[:_LONGEST_TEXT]}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
