"""The tools that a model is offered, and its answer by calls of them."""

from typing import Any

import msgspec
from msgspec import Struct


class OfferedTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool of a world. Its call is the action `NAME ARGUMENTS`, the arguments as an object in JSON."""

    name: str
    description: str
    parameters: str
    """JSON Schema of the arguments, an object, as JSON."""


class CalledFunction(Struct, frozen=True, kw_only=True):
    """What a call of a tool calls."""

    name: str
    arguments: str
    """As the model wrote them, JSON or not."""

    def read_arguments(self) -> dict[str, Any] | None:
        """The arguments, none if nothing is written; None: they are no object in JSON."""
        try:
            return msgspec.json.decode(self.arguments or "{}", type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            return None


class WrittenCall(Struct, frozen=True, kw_only=True):
    """A call of a tool."""

    function: CalledFunction


class CallingMessage(Struct, frozen=True, kw_only=True):
    """A message of a model that called tools."""

    content: str | None = None
    """The text beside the calls, which some write as null where there is none."""
    tool_calls: list[WrittenCall]


class ToolAnswer(Struct, frozen=True, kw_only=True):
    """The tools that a model was offered for an answer, and what it wrote if it called any: JSON in OpenAI's form."""

    tools: str
    """The list of tools that was sent, as the chat dialect has it."""
    message: str = ""
    """A `CallingMessage`, with all of the calls. Empty: the answer is text."""

    def read(self) -> CallingMessage:
        """The message; a `msgspec.DecodeError` or `RecursionError` if there is none, or it has another form."""
        return msgspec.json.decode(self.message, type=CallingMessage)
