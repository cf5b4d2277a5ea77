"""Answers that are no success: the errors of OpenAI's endpoint, met in earnest or injected."""

from collections.abc import Mapping

from quintet.serving.faults import Kind, Silent
from quintet.serving.wire import Choice, ErrorBody, GivenMessage

_INVALID = "invalid_request_error"


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, error: ErrorBody, *, retry_after: float | None = None) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error
        self.retry_after = retry_after
        """Seconds after which to come again, where the answer says so."""


def invalid(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    """The request itself is at fault."""
    return Refusal(400, ErrorBody(message=message, type=_INVALID, param=param, code=code))


def too_long(tokens: int, context: int) -> Refusal:
    """The prompt does not fit into the context that was ordered."""
    message = f"This model's maximum context length is {context} tokens. However, your messages resulted in {tokens}."
    return invalid(message, "messages", "context_length_exceeded")


def unknown_model(name: str) -> Refusal:
    """No model is served under that name."""
    message = f"The model {name!r} does not exist or you do not have access to it."
    return Refusal(404, ErrorBody(message=message, type=_INVALID, param="model", code="model_not_found"))


def unknown_route(method: str, path: str) -> Refusal:
    """Nothing is served there."""
    return Refusal(404, ErrorBody(message=f"Invalid URL ({method} {path})", type=_INVALID))


def injected(fault: Kind | None, retry_after: float) -> Refusal | None:
    """The error that was ordered, if a fault is one; 429 and 503 say when to come again."""
    if fault is None or fault not in _INJECTED:
        return None
    after = retry_after if fault in ("429", "503") else None
    return Refusal(int(fault), _INJECTED[fault], retry_after=after)


_INJECTED: Mapping[Kind, ErrorBody] = {
    "400": ErrorBody("The request is invalid (injected).", _INVALID),
    "401": ErrorBody("Incorrect API key provided (injected).", _INVALID, code="invalid_api_key"),
    "404": ErrorBody("The model does not exist (injected).", _INVALID, param="model", code="model_not_found"),
    "422": ErrorBody("The request cannot be processed (injected).", _INVALID),
    "429": ErrorBody("Rate limit reached (injected).", "requests", code="rate_limit_exceeded"),
    "500": ErrorBody("The server had an error (injected).", "server_error"),
    "502": ErrorBody("Bad gateway (injected).", "server_error"),
    "503": ErrorBody("The engine is overloaded (injected).", "server_error"),
    "504": ErrorBody("Gateway timeout (injected).", "server_error"),
}


_CALL: dict[str, str | dict[str, str]] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "act", "arguments": "{}"},
}

SILENCES: Mapping[Silent, Choice] = {
    "refusal": Choice(message=GivenMessage(None, refusal="I cannot help with that (injected)."), finish_reason="stop"),
    "filter": Choice(message=GivenMessage(None), finish_reason="content_filter"),
    "tools": Choice(message=GivenMessage(None, tool_calls=(_CALL,)), finish_reason="tool_calls"),
    "null": Choice(message=GivenMessage(None), finish_reason="stop"),
    "image": Choice(message=GivenMessage(({"type": "image_url", "image_url": "data:,"},)), finish_reason="stop"),
}
"""By kind, what is said in place of a completion."""
