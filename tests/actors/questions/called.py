"""The answer that a call of a tool is."""

import json
from collections.abc import Iterator

from quintet.models.endpoint.answer import completion
from quintet.models.endpoint.family import ModelFamily
from quintet.models.endpoint.responses import Responses
from quintet.models.endpoint.tool_calls import ToolOffer
from quintet.ports.model import Sampling


def called(offer: ToolOffer, tool: str, arguments: str) -> Iterator[str]:
    """The text that either dialect makes of a call."""
    calls = [{"id": "c", "type": "function", "function": {"name": tool, "arguments": arguments}}]
    choice = {"message": {"content": None, "tool_calls": calls}, "finish_reason": "tool_calls"}
    chat = completion(json.dumps({"choices": [choice]}).encode(), (), offer=offer)
    item = {"type": "function_call", "call_id": "c", "name": tool, "arguments": arguments}
    sampling = Sampling(form=offer.form, tools=offer.tools)
    responses = Responses("m", ModelFamily(), calls_tools=True)
    for found in (chat, responses.completion(json.dumps({"output": [item]}).encode(), sampling)):
        assert found.finish == "stop"
        yield found.text
