"""Actions and observations as texts, by the schemas that a server states."""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from quintet.environments.head_and_tail import HeadAndTail
from quintet.errors import UsageError, one_line, utf8
from quintet.plugins.extras import require_extra

_OURS: Final = ("metadata", "done", "reward")
"""Fields of every action or observation, which say nothing that is acted or seen."""
_LARGEST_SCHEMA: Final = 20_000
"""Characters of a schema that a prompt shows; it says how many more there are."""


class ActionForm(Struct, frozen=True):
    """How an action is written."""

    read: Callable[[str], Mapping[str, Any]]
    """The action of a text; ValueError says what was expected."""
    rules: str = ""
    """How to write it, for the prompt; empty: any text is an action."""


class ObservationForm(Struct, frozen=True):
    """How an observation is worded."""

    field: str | None
    """The one that is shown; None: all of them, as JSON."""

    def word(self, observation: Mapping[str, Any]) -> str:
        """The text of an observation; ValueError if it lacks it."""
        if self.field is not None:
            text = observation.get(self.field)
            if not isinstance(text, str):
                raise ValueError(f"expected an observation with a text {self.field!r}, got {text!r:.100}")
            return utf8(text)
        shown = {name: value for name, value in observation.items() if name not in _OURS and value is not None}
        return msgspec.json.encode(shown).decode()


def action_form(schema: Mapping[str, Any]) -> ActionForm:
    """Plain text where an action has one field, which is a text; else JSON that the schema takes.

    Raises:
        UsageError: the schema is none. One that refers to another address is a fault of the first action.
    """
    fields = _fields(schema)
    if len(fields) == 1 and _is_text(schema, fields[0]):
        return ActionForm(lambda text: {fields[0]: text})
    return _json_form(schema)


def observation_form(schema: Mapping[str, Any], field: str | None) -> ObservationForm:
    """The field that is shown: the one that is named, or the only one that is a text.

    Raises:
        UsageError: there is no such field.
    """
    fields = _fields(schema)
    if field is not None and field not in fields:
        raise UsageError(f"observation: expected one of {', '.join(fields)}, got {field!r} (openenv)")
    texts = [name for name in fields if _is_text(schema, name)]
    return ObservationForm(field or (texts[0] if len(texts) == len(fields) == 1 else None))


def _json_form(schema: Mapping[str, Any]) -> ActionForm:
    require_extra("jsonschema", "openenv", "environment openenv: actions that are JSON")
    from quintet.environments.stated_schema import StatedSchema

    try:
        checked = StatedSchema("actions", schema)
    except ValueError as error:
        raise UsageError(f"{error} (openenv)") from error

    def read(text: str) -> Mapping[str, Any]:
        try:
            action = msgspec.json.decode(text.encode(errors="replace"), type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError(f"expected one JSON object, got {one_line(error)}") from error
        try:
            checked.check(action)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"expected an action of the schema, got: {one_line(error):.300}") from error
        return action

    shown = HeadAndTail(_LARGEST_SCHEMA)
    shown.add(msgspec.json.encode(_without_metadata(schema)), final=True)
    return ActionForm(read, f"Each action is one JSON object of this schema:\n{shown.text()}")


def _fields(schema: Mapping[str, Any]) -> list[str]:
    properties = schema.get("properties")
    names = list(cast("Mapping[str, Any]", properties)) if isinstance(properties, Mapping) else []
    return [name for name in names if name not in _OURS]


def _is_text(schema: Mapping[str, Any], field: str) -> bool:
    found = schema["properties"][field]
    named = dict(cast("Mapping[str, Any]", found)) if isinstance(found, Mapping) else dict[str, Any]()
    return named.get("type") == "string" and not named.keys() & {"enum", "const"}


def _without_metadata(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as a model needs it."""
    properties = {name: schema["properties"][name] for name in _fields(schema)}
    return {**schema, "properties": properties}
