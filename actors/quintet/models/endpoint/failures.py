"""Calls that brought no completion: each is a fault, or an outcome (the prompt is too long, a filter interferes)."""

import math
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from socket import gaierror
from ssl import SSLError
from typing import Literal

from aiohttp import ClientConnectorError, ClientHttpProxyError, ConnectionTimeoutError

from quintet.errors import (
    EndpointFailed,
    EndpointUnavailable,
    Fault,
    KeyRefused,
    ModelFault,
    NoAnswer,
    Overloaded,
    Unreachable,
)
from quintet.models.endpoint.answer import TokensMissing, UnreadableBody, error_codes, error_text
from quintet.models.endpoint.http import HttpAnswer
from quintet.models.endpoint.key import Key

_CODES_OF_FULL = frozenset(
    {
        "context_length_exceeded",  # OpenAI, Azure, Groq, llama-cpp-python
        "exceed_context_size_error",  # llama.cpp
        "context_window_exceeded",
        "contextwindowexceedederror",  # LiteLLM
        "string_above_max_length",  # OpenAI
        "request_too_large",  # Anthropic
    }
)
_FULL = re.compile(
    r"context (length|size|window|limit)"
    r"|maximum (model|prompt|input) length"
    r"|\b(prompt|input)\b.* too (long|large)"
    r"|too many (input |prompt )?tokens"
    r"|(input|prompt) tokens? .*exceed"
    r"|\binputs`? (tokens \+|must have less than)"
    r"|reduce the length of the (messages|prompt|input)",
    re.IGNORECASE,
)
"""What vLLM, SGLang, TGI, Ollama, LM Studio, Together, Mistral, Gemini, xAI, Anthropic and others write."""
_FILTERED = re.compile(r"content[ _]?(filter|management policy|policy violation)|moderation|flagged", re.IGNORECASE)


def why_unanswerable(refusal: HttpAnswer) -> Literal["context_full", "content_filter"] | None:
    """The finish of a prompt that this endpoint can never complete; None for any other error."""
    status, codes, text = refusal.status, error_codes(refusal.body), error_text(refusal.body)
    if status == 413 or (status in (400, 422, 500) and (codes & _CODES_OF_FULL or says_prompt_is_too_long(text))):
        return "context_full"
    if status in (400, 403, 422) and ("content_filter" in codes or _FILTERED.search(text)):
        return "content_filter"
    return None


def says_prompt_is_too_long(text: str) -> bool:
    """Whether a refusal says that the prompt is too long for the model."""
    return _FULL.search(text) is not None


_NEVER_SENT = (ClientConnectorError, ConnectionTimeoutError, ClientHttpProxyError)
_NO_CREDIT = "insufficient_quota"
_LONGEST_TEXT = 200


@dataclass(frozen=True)
class Failures:
    """Turns the HTTP client's exceptions into faults that do not hold the key."""

    model: str
    url: str
    key: Key

    def refused(self, refusal: HttpAnswer) -> Fault:
        """The fault for an HTTP status. It quotes the server, except for a 401, where some servers quote the key."""
        status = refusal.status
        got = f"{status}: {error_text(refusal.body)}"
        if status == 402 or _NO_CREDIT in error_codes(refusal.body):
            return EndpointUnavailable(self._text("an account with credit", got))
        match status:
            case 429 | 503 | 529:
                fault = Overloaded(self._text("a completion", got))
                fault.retry_after = retry_after(refusal.headers)
                return fault
            case 401:
                return KeyRefused(self._text(f"to be let in with {self.key}", "401"))
            case 403:
                forbidden = KeyRefused(self._text(f"to be allowed this model with {self.key}", got))
                forbidden.model_only = True
                return forbidden
            case 404:
                return EndpointUnavailable(self._text("this model at this address", got))
            case _ if status < 400:
                return EndpointUnavailable(self._text("a completion", f"{status}: it is at another address"))
            case _ if status in (408, 409) or status >= 500:
                return EndpointFailed(self._text("a completion", got))
            case _:
                return ModelFault(self._text("a completion", got))

    def without_batches(self, place: str, refusal: HttpAnswer) -> Fault:
        """The fault where an endpoint has nothing at the place of its batches, a method and a path."""
        got = f"{refusal.status}: {error_text(refusal.body)}"
        return EndpointUnavailable(self._text(f"batches at {place} (where there are none, model.batch=false)", got))

    def page(self) -> Fault:
        """A web page, where an answer was expected."""
        return EndpointUnavailable(self._text("an answer in JSON", "a web page; is this the address of the API?"))

    def broken(self, error: Exception) -> Fault:
        """No answer: the endpoint was not reached, or the connection broke."""
        causes = list(_causes(error))
        for cause in causes:
            if isinstance(cause, _NEVER_SENT):
                return Unreachable(self._text("a connection", f"none: {_why_unreached(cause)}"))
        return NoAnswer(self._text("a completion", f"{type(causes[-1]).__name__}: {causes[-1]}"))

    def unreadable(self, error: UnreadableBody) -> Fault:
        """A body that is not a completion."""
        return NoAnswer(self._text("a completion", str(error)))

    def without_tokens(self, missing: TokensMissing) -> Fault:
        """An answer without the tokens that were asked for: the server knows no such request."""
        return EndpointUnavailable(self._text("token ids and log-probabilities (model.token_ids)", f"no {missing}"))

    def _text(self, expected: str, got: str) -> str:
        # Redact before cutting: half a key would not be recognised.
        got = self.key.redacted(" ".join(got.split()))
        return f"{self.model} at {self.url}: expected {expected}, got {got[:_LONGEST_TEXT]}"


def _why_unreached(error: Exception) -> str:
    """The system's word for it, without the client's own notes: `Connection refused`."""
    if not isinstance(error, ClientConnectorError):
        return str(error)
    cause = error.os_error
    if cause.errno and not isinstance(cause, SSLError | gaierror):  # those have numbers of their own
        return os.strerror(cause.errno)
    return cause.strerror or str(cause)


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, at least 0; None if the headers do not say.

    Args:
        headers: by lower-case name. A date is compared with the server's own if it sends one, since clocks differ.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    seconds = _number(headers.get("retry-after"))
    if seconds is not None:
        return seconds
    until = _moment(headers.get("retry-after"))
    if until is None:
        return None
    now = _moment(headers.get("date"))
    return max(0.0, until - (time.time() if now is None else now))


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _moment(text: str | None) -> float | None:
    try:
        date = parsedate_to_datetime(text or "")
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
