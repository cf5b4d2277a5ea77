"""The tools of a world, as a model that calls tools is offered them."""

from msgspec import Struct


class OfferedTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool. Its call is the action `NAME ARGUMENTS`, the arguments as an object in JSON."""

    name: str
    description: str
    parameters: str
    """JSON Schema of the arguments, an object, as JSON."""
