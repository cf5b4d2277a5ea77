"""The tools that a model is offered, and its answer by calls of them."""

from msgspec import Struct


class OfferedTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool of a world. Its call is the action `NAME ARGUMENTS`, the arguments as an object in JSON."""

    name: str
    description: str
    parameters: str
    """JSON Schema of the arguments, an object, as JSON."""


class ToolAnswer(Struct, frozen=True, kw_only=True):
    """The tools that a model was offered for an answer, and what it wrote if it called any: JSON in OpenAI's form."""

    tools: str
    """The list of tools, as it was sent."""
    message: str = ""
    """An object: the text beside the calls as `content`, and all of them as `tool_calls`. Empty: the answer is text."""
