"""Answers without a text, to order: refusals, filters, calls of tools, null and images."""

from collections.abc import Mapping

from quintet.serving.faults import Silent
from quintet.serving.wire import Choice, GivenMessage

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
