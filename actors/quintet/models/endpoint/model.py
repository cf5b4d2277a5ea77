"""The model behind an OpenAI-compatible chat endpoint."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, cast

import msgspec
from httpx2 import Response
from openai import APIStatusError

from quintet.errors import UsageError
from quintet.messages.prompts import Prompt
from quintet.models.endpoint.answer import UnreadableBody, completion
from quintet.models.endpoint.clients import Clients, resolve_url
from quintet.models.endpoint.dialect import LengthName, ModelDialect, SamplingName, dialect_of, fold_system
from quintet.models.endpoint.failures import Failures, why_unanswerable
from quintet.models.endpoint.key import USUAL_KEY, Key
from quintet.parsing.forms import response_format
from quintet.ports.model import Completion, Sampling

_OURS = frozenset(
    {
        *("model", "messages", "stream", "n"),
        *("best_of", "prediction", "tools", "tool_choice", "functions"),
        *("max_tokens", "max_completion_tokens", "temperature", "top_p", "seed", "stop"),
        "response_format",
    }
)
"""Fields that are set by other means, or would break what a call is counted by."""


_SECRET = re.compile(r"api.?key|secret|password|authorization|credential|access.?token|bearer", re.IGNORECASE)

_SHORTEST = 8
"""Characters of a key that is looked for in other values; a shorter one is a dummy, and may be part of any word."""


class Endpoint:
    """A model of any endpoint with OpenAI's chat completions.

    One call is one POST, neither repeated nor timed. It can be pickled: a copy reads the key from the environment of
    its own process.

    Args:
        name: as sent and as shown.
        url: the endpoint's base address; None for that of OPENAI_BASE_URL, or else OpenAI's own.
        key: the name of the environment variable that holds the key. The usual one may be unset where `url` is given.
            None: none is sent.
        max_tokens_as: the name under which `max_tokens` is sent; None for what the model's family takes.
        omit: sampling parameters that are not sent, beside those that the model's family does not take. Stop
            sequences end the text in any case.
        system: `fold` puts the instructions at the head of the first message of the user, for models that know no
            system role.
        extra: further fields of the request's body, such as `reasoning_effort`.

    Raises:
        UsageError: there is no key, the address is invalid or may not be shown, or `extra` holds a forbidden field.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str | None = None,
        key: str | None = USUAL_KEY,
        max_tokens_as: LengthName | None = None,
        omit: Sequence[SamplingName] = (),
        system: Literal["role", "fold"] = "role",
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self._name = name
        known = dialect_of(name)
        self._dialect = ModelDialect(max_tokens_as or known.length, known.omitted.union(omit))
        self._folds = system == "fold"
        secret, address = Key(key, optional=key is None or (url is not None and key == USUAL_KEY)), resolve_url(url)
        self._extra = _checked(extra or {}, secret)
        self._clients = Clients(address, secret)
        self._failures = Failures(name, address, secret)

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Draw one completion. A prompt that is too long for the model, or is filtered, makes one without a text.

        Raises:
            Overloaded: the endpoint asks to come back later.
            Unreachable: it could not be connected to.
            EndpointFailed: it says that it failed.
            NoAnswer: it may have worked, but no completion came.
            EndpointUnavailable: it refuses all requests.
            ModelFault: it refuses this request.
        """
        messages = prompt.messages()
        body = {
            "model": self._name,
            "messages": fold_system(messages) if self._folds else messages,
            **self._dialect.parameters(sampling),
            **({} if sampling.form is None else {"response_format": response_format(sampling.form)}),
            **self._extra,
        }
        answer = await self._post(msgspec.json.encode(body))
        if isinstance(answer, Completion):
            return answer
        try:
            return completion(answer, sampling.stop)
        except UnreadableBody as error:
            fault = self._failures.unreadable(error)
        raise fault

    async def aclose(self) -> None:
        """Close the running loop's connections. Otherwise the loop closes them when it ends."""
        await self._clients.aclose()

    async def _post(self, body: bytes) -> bytes | Completion:
        client = await self._clients.here()
        try:
            response = await client.post("/chat/completions", content=body, cast_to=Response)
        except APIStatusError as error:
            if (finish := why_unanswerable(error)) is not None:
                return Completion(text="", finish=finish)
            fault = self._failures.refused(error)
        except Exception as error:  # noqa: BLE001  a malformed header makes the client raise anything
            fault = self._failures.broken(error)
        else:
            if not response.headers.get("content-type", "").startswith("text/html"):
                return response.content
            fault = self._failures.page()
        # Raised outside of the handlers: the client's exception holds the request, and the request holds the key.
        raise fault


def _checked(extra: Mapping[str, Any], key: Key) -> Mapping[str, Any]:
    if taken := sorted(_OURS.intersection(extra)):
        raise UsageError(f"model.extra: expected fields that are not set by other means, got {', '.join(taken)}")
    try:
        text = json.dumps(extra, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"model.extra: expected what JSON can say, got something else: {error}") from error
    if secret := next(filter(_SECRET.search, _names(extra)), None):
        raise UsageError(f"model.extra: expected no secret, since it is written down, got {secret!r} (not shown)")
    if len(key.reveal()) >= _SHORTEST and key.redacted(text) != text:
        raise UsageError(f"model.extra: expected no secret, since it is written down, got {key} (not shown)")
    return dict(extra)


def _names(value: Any) -> Iterator[str]:
    """The names in a value of JSON, however deep."""
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Sequence[Any]", value):
            yield from _names(inner)
