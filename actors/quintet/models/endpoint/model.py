"""The model behind an OpenAI-compatible chat endpoint."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from quintet.errors import EndpointFailed, ModelFault, UsageError
from quintet.messages.prompts import Prompt, address_of
from quintet.models.endpoint.answer import completions
from quintet.models.endpoint.batches import ROUTE, EndpointBatches, stored_answers
from quintet.models.endpoint.connection import Connection
from quintet.models.endpoint.family import LengthName, ModelFamily, SamplingName, family_of, fold_system
from quintet.models.endpoint.http import HttpAnswer
from quintet.models.endpoint.key import USUAL_KEY, check_extra
from quintet.models.endpoint.prompt_ids import PromptIds
from quintet.models.endpoint.questions import QUESTION_FIELD, QuestionWanted, encode_question
from quintet.models.endpoint.responses import RESPONSES_ROUTE, Responses
from quintet.models.endpoint.tool_calls import offer_of
from quintet.ports.effects import Effect
from quintet.ports.model import Asked, Completion, Sampling
from quintet.questions.shape import response_format

_OURS = frozenset(
    {
        *("model", "messages", "stream", "n"),
        *("best_of", "prediction", "tools", "tool_choice", "functions"),
        *("max_tokens", "max_completion_tokens", "temperature", "top_p", "seed", "stop"),
        "response_format",
    }
)
"""Fields that are set by other means, or would break what a call is counted by."""


class Endpoint:
    """A model of any endpoint with OpenAI's chat completions.

    One call is one POST, neither repeated nor timed; the first to a server that asks for typed questions is two, and so
    is the first for several completions to a server that draws one at a time. It can be pickled: a copy reads the key
    from the environment of its own process.

    Args:
        name: as sent and as shown.
        url: the endpoint's base address; None for that of OPENAI_BASE_URL, or else OpenAI's own.
        key: the name of the environment variable that holds the key. The usual one may be unset where `url` is given.
            None: none is sent.
        max_tokens_as: the name under which `max_tokens` is sent; None for what the model's family takes.
        omit: sampling parameters that are not sent, beside those that the model's family does not take. Stop
            sequences end the text in any case.
        cache_key: whether a conversation's prompts name it in `prompt_cache_key`, so that they meet the server that has
            its beginning cached; None: only where the endpoint is OpenAI's own, since others may refuse the field.
        system: `fold` puts the instructions at the head of the first message of the user, for models that know no
            system role.
        dialect: `responses`: the interface of that name, which keeps a model's reasoning, encrypted, from turn to turn.
        calls_tools: whether an answer of a shape is a call of a tool: of one of the world's, or of one whose parameters
            are the shape's fields.
        extra: further fields of the request's body, such as `reasoning_effort`.
        token_ids: whether to ask for the ids of the tokens of prompt and completion and for the log-probabilities of
            the latter, as vLLM and SGLang return them, and journal them. An endpoint that returns none is unavailable.

    Raises:
        UsageError: there is no key, the address is invalid or may not be shown, `extra` holds a forbidden field, or
            `token_ids` is asked of the responses dialect, which has none.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str | None = None,
        key: Annotated[str | None, Effect.SENDS] = USUAL_KEY,
        max_tokens_as: LengthName | None = None,
        omit: Sequence[SamplingName] = (),
        cache_key: bool | None = None,
        system: Literal["role", "fold"] = "role",
        dialect: Literal["chat", "responses"] = "chat",
        calls_tools: bool = False,
        extra: Annotated[Mapping[str, Any] | None, Effect.NONE] = None,
        token_ids: bool = False,
    ) -> None:
        self.name = name
        known = family_of(name)
        self._family = ModelFamily(max_tokens_as or known.length, known.omitted.union(omit), known.reasons)
        self._folds = system == "fold"
        self._connection = Connection(name, url=url, key=key)
        self._batches = EndpointBatches(self._connection, name)
        self._sends_cache_key = self._connection.is_openais if cache_key is None else cache_key
        self._questions_wanted = False
        """The server asks for typed questions."""
        self._drawn = 1
        """The most completions that one request has brought."""
        self._calls_tools = calls_tools
        self._responses = None if dialect == "chat" else Responses(name, self._family, calls_tools=calls_tools)
        self._draws_no_more = "n" in self._family.omitted or self._responses is not None
        """The server refused more, or drew one all the same."""
        self._refused = set[str]()
        """Addresses of prompts for which it refused several, until one is drawn."""
        self._extra = check_extra(extra or {}, _OURS, [self._connection.key])
        if token_ids and self._responses is not None:
            raise UsageError("model.token_ids: expected model.dialect chat, got responses, which returns no token ids")
        self._prompt_ids = PromptIds() if token_ids else None

    @property
    def account(self) -> str:
        """See `quintet.ports.model.Billed`."""
        return self._connection.account

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Draw one completion. A prompt that is too long for the model, or is filtered, makes one without a text.

        Raises:
            ModelFault: see `Connection.complete`.
        """
        return (await self._post(prompt, sampling, None))[0]

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        """The same; a server that asks for typed questions gets this one beside the prompt."""
        completion = (await self._draw(prompt, sampling, asked, 1))[0]
        if prompt.node.address in self._refused:
            self._refused.discard(prompt.node.address)
            self._draws_no_more = self._draws_no_more or bool(completion.text)  # else the prompt may be to blame
        return completion

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        """As many as the server takes, as far as is known; 1 at temperature 0, where some servers refuse more."""
        if not sampling.temperature:
            return 1
        return min(n, self._drawn) if self._draws_no_more else n

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> tuple[Completion, ...]:
        """Draw `n` completions by one request; none if the server does not take so many, which is tried once.

        Raises as `complete` does.
        """
        n = self.draws_at_once(sampling, n)  # what was found out since it was asked last
        if n == 1:
            return ()
        try:
            drawn = await self._draw(prompt, sampling, asked, n)
        except ModelFault as fault:
            if n <= self._drawn or not (type(fault) is ModelFault or isinstance(fault, EndpointFailed)):
                raise
            self._refused.add(prompt.node.address)
            return ()
        if n > self._drawn and (len(drawn) > 1 or any(each.text for each in drawn)):  # else the prompt may be to blame
            self._drawn = max(self._drawn, min(n, len(drawn)))
            self._draws_no_more = self._draws_no_more or len(drawn) == 1
        return drawn[:n]

    async def _draw(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> tuple[Completion, ...]:
        if self._questions_wanted:
            return await self._post(prompt, sampling, asked, n)
        try:
            return await self._post(prompt, sampling, None, n)
        except QuestionWanted:
            self._questions_wanted = True
        return await self._post(prompt, sampling, asked, n)

    async def _post(
        self, prompt: Prompt, sampling: Sampling, asked: Asked | None, n: int = 1
    ) -> tuple[Completion, ...]:
        if self._responses is not None:
            return await self._connection.complete(RESPONSES_ROUTE, *self._response(self._responses, prompt, sampling))
        body = self._body(prompt, sampling, asked, n)
        return await self._connection.complete(ROUTE, body, self._reading(prompt, sampling))

    def _reading(self, prompt: Prompt, sampling: Sampling) -> Callable[[bytes], tuple[Completion, ...]]:
        offer = offer_of(sampling, calls_tools=True) if self._calls_tools else None
        read_prompt = None if self._prompt_ids is None else partial(self._prompt_ids.read, prompt)
        return partial(completions, stop=sampling.stop, offer=offer, read_prompt=read_prompt)

    def _response(
        self, responses: Responses, prompt: Prompt, sampling: Sampling
    ) -> tuple[bytes, Callable[[bytes], tuple[Completion, ...]]]:
        key = {"prompt_cache_key": _conversation(prompt)} if self._sends_cache_key else {}
        return responses.body(prompt, sampling, {**key, **self._extra}), lambda body: (
            responses.completion(body, sampling),
        )

    def keep(self, prompt: Prompt, completion: Completion) -> None:
        """See `quintet.ports.model.KeepsReasoning`."""
        if self._responses is not None:
            self._responses.keep(prompt, completion)

    def _body(self, prompt: Prompt, sampling: Sampling, asked: Asked | None, n: int) -> bytes:
        sent = None if asked is None else encode_question(asked, with_options=self._connection.is_on_this_machine)
        body = {
            "model": self.name,
            "messages": fold_system(prompt.messages()) if self._folds else prompt.messages(),
            **self._family.parameters(sampling),
            **({} if n == 1 else {"n": n}),
            **({"prompt_cache_key": _conversation(prompt)} if self._sends_cache_key else {}),
            **shape_fields(sampling, calls_tools=self._calls_tools),
            **self._extra,
            **({"return_token_ids": True, "logprobs": True} if self._prompt_ids is not None else {}),
            **({} if sent is None else {"metadata": {**self._extra.get("metadata", {}), QUESTION_FIELD: sent}}),
        }
        return msgspec.json.encode(body)

    # Batches; see `quintet.ports.batches.TakesBatches`

    @property
    def without_batches(self) -> str:
        return "" if self._responses is None else "expected model.dialect chat, got responses"

    def batch_body(self, prompt: Prompt, sampling: Sampling, n: int) -> bytes:
        return self._body(prompt, sampling, None, n)

    def read_batch(self, answer: bytes, prompt: Prompt, sampling: Sampling) -> tuple[Completion, ...]:
        stored = stored_answers.decode(answer)
        answered = HttpAnswer(stored.status_code, {}, bytes(stored.body))
        return self._connection.read(answered, self._reading(prompt, sampling))

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        return await self._batches.submit(name, bodies)

    async def find_batch(self, name: str, calls: Collection[str], since: float) -> str | None:
        return await self._batches.find(name, since)

    async def collect_batch(self, batch: str) -> Mapping[str, bytes] | None:
        return await self._batches.collect(batch)

    async def aclose(self) -> None:
        """Close the running loop's connections. Otherwise the loop closes them when it ends."""
        await self._connection.aclose()


def shape_fields(sampling: Sampling, *, calls_tools: bool) -> dict[str, Any]:
    """The fields of a request that make its answer one of a shape, if it is to have one."""
    if sampling.form is None:
        return {}
    offer = offer_of(sampling, calls_tools=calls_tools)
    if offer is None:
        return {"response_format": response_format(sampling.form)}
    named = {"type": "function", "function": {"name": offer.must_be_called}}
    return {"tools": offer.functions, "tool_choice": named if offer.must_be_called else "auto"}


def _conversation(prompt: Prompt) -> str:
    """A name for the conversation that a prompt belongs to: the hash of its instructions and its task."""
    messages = prompt.messages()
    *others, second = messages[:2]
    lasting = second.content[: prompt.lasting] if len(messages) <= 2 else second.content
    return address_of(None, *others, replace(second, content=lasting))
