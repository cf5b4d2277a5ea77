"""Injected answers without a completion: OpenAI's errors, and answers without a text."""

from collections.abc import Mapping

from quintet.serving.refusals import Refusal, invalid
from quintet.serving.wire import AnswerMessage, Choice, ErrorBody

_INVALID = "invalid_request_error"


def too_long(tokens: int, context: int) -> Refusal:
    """The prompt does not fit into the configured context."""
    message = f"This model's maximum context length is {context} tokens. However, your messages resulted in {tokens}."
    return invalid(message, "messages", "context_length_exceeded")


def injected_refusal(fault: str | None, retry_after: float) -> Refusal | None:
    """The error of a fault, if it is one; 429 and 503 carry `Retry-After`."""
    if fault is None or fault not in _INJECTED:
        return None
    after = retry_after if fault in ("429", "503") else None
    return Refusal(int(fault), _INJECTED[fault], retry_after=after)


_INJECTED: Mapping[str, ErrorBody] = {
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

TEXTLESS_ANSWERS: Mapping[str, Choice] = {
    "refusal": Choice(message=AnswerMessage(None, refusal="I cannot help with that (injected)."), finish_reason="stop"),
    "filter": Choice(message=AnswerMessage(None), finish_reason="content_filter"),
    "tools": Choice(message=AnswerMessage(None, tool_calls=(_CALL,)), finish_reason="tool_calls"),
    "null": Choice(message=AnswerMessage(None), finish_reason="stop"),
    "image": Choice(message=AnswerMessage(({"type": "image_url", "image_url": "data:,"},)), finish_reason="stop"),
}
"""By kind."""
