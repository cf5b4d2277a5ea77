"""JSON in answers: the first object, and the texts in malformed JSON."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

_DECODER = json.JSONDecoder(strict=False)
_TRIES = 8
"""How many opening braces are tried: an answer has its object first, and every try may read to the end."""
_QUOTED = re.compile(r"""["'](\w{1,30})["']\s*+:\s*+(?:"((?:[^"\\\n]|\\.)*+)"|'((?:[^'\\\n]|\\.)*+)')""")
_ESCAPED = re.compile(r"\\(.)")


class JsonSpan(NamedTuple):
    """A value and its span in the text."""

    start: int
    end: int
    value: Any


def first_object(text: str) -> JsonSpan | None:
    """The first object in a text, its keys in lower case; None if there is no object."""
    at = -1
    for _ in range(_TRIES):
        at = text.find("{", at + 1)
        if at < 0:
            return None
        if found := value_at(text, at):
            return found
    return None


def value_at(text: str, start: int) -> JsonSpan | None:
    """The object or list at `start`; None if there is none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return JsonSpan(start, end, value)


def fields(value: Any) -> dict[str, Any]:
    """An object with its keys in lower case and one word each; empty if the value is not an object."""
    if not isinstance(value, dict):
        return {}
    said = cast("dict[str, Any]", value)
    return {key.strip().lower().replace(" ", "_").replace("-", "_"): each for key, each in said.items()}


def items(value: Any) -> Sequence[Any]:
    """A list as it is; empty if the value is not a list."""
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()


def loose_fields(text: str) -> dict[str, JsonSpan]:
    """Quoted keys with quoted texts, as in an object with a missing brace, single quotes or a comma too many.

    For a repeated key, the first text counts.
    """
    found: dict[str, JsonSpan] = {}
    for each in _QUOTED.finditer(text):
        key, said = each[1].lower(), each[2] or each[3] or ""
        if said.strip() and key not in found:
            found[key] = JsonSpan(each.start(), each.end(), _ESCAPED.sub(r"\1", said))
    return found


def as_lines(value: Any) -> str:
    """A text as it is, a list of texts numbered, and a text alone in an object; anything else is empty."""
    if listed := [said for each in items(value) if (said := as_lines(each))]:
        return "\n".join(f"{number}. {said}" for number, said in enumerate(listed, 1))
    inside = [*fields(value).values()]
    return as_lines(inside[0]) if len(inside) == 1 else as_plain_text(value).strip()


def as_plain_text(value: Any) -> str:
    """A text as it is, without halves of characters that JSON can say and UTF-8 cannot; anything else is empty."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""
