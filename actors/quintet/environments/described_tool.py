"""A tool that a package describes to models, a function as one line of JSON, as an agent is offered it."""

import json
from functools import cache
from typing import Any, Final

from quintet.messages.tools import OfferedTool

_TYPES: Final = {"dict": "object", "float": "number"}
"""JSON Schema's names of types, by those that a package has in their place."""


@cache
def described_tool(description: str) -> OfferedTool:
    """The tool of a description.

    Args:
        description: an object in JSON with `name`, `description` and `parameters`, the schema of its arguments.
    """
    found = json.loads(description, object_hook=_in_json_schema)
    return OfferedTool(name=found["name"], description=found["description"], parameters=json.dumps(found["parameters"]))


def reply_tool(description: str) -> OfferedTool:
    """The tool `reply`, which says a message."""
    takes = '{"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}'
    return OfferedTool(name="reply", description=description, parameters=takes)


def _in_json_schema(found: dict[str, Any]) -> dict[str, Any]:
    named = found.get("type")  # an object where an argument has that name
    return {**found, "type": _TYPES[named]} if isinstance(named, str) and named in _TYPES else found
