"""Injected answers without a completion: OpenAI's errors, and answers without a text."""

from collections.abc import Mapping

from quintet.serving.wire import ErrorBody, Refusal, invalid

_INVALID = "invalid_request_error"


def too_long(tokens: int, context: int) -> Refusal:
    """The prompt does not fit into the configured context."""
    message = f"This model's maximum context length is {context} tokens. However, your messages resulted in {tokens}."
    return invalid(message, "messages", "context_length_exceeded")


def injected_refusal(fault: str | None) -> Refusal | None:
    """The error of a fault, if it is one."""
    return Refusal(int(fault), _INJECTED[fault]) if fault is not None and fault in _INJECTED else None


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


def _choice(finish_reason: str, content: object = None, **message: object) -> dict[str, object]:
    said = {"role": "assistant", "content": content, "refusal": None, **message}
    return {"message": said, "finish_reason": finish_reason, "index": 0, "logprobs": None}


TEXTLESS_ANSWERS: Mapping[str, dict[str, object]] = {
    "refusal": _choice("stop", refusal="I cannot help with that (injected)."),
    "filter": _choice("content_filter"),
    "tools": _choice("tool_calls", tool_calls=[_CALL]),
    "null": _choice("stop"),
    "image": _choice("stop", [{"type": "image_url", "image_url": "data:,"}]),
}
"""Choices, by kind."""
