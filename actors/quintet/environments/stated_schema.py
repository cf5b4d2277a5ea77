"""A JSON Schema that another program states: what it says of a value.

Nothing is fetched for it, and none of its regular expressions is run: they are written for JavaScript, and one may take
for ever. What they say of a value is left to the program, and so is what follows where a value does not fit them.
"""

import json
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, SchemaError, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from quintet.errors import WorldFault, one_line

_MOST_REFERENCES: Final = 10_000
"""That a check follows: a chain of thirty, each of which leads to the next one twice, would be a billion."""
_references = ContextVar("references", default=0)
"""Followed by this check."""


def _unchecked(*_: object) -> Iterator[ValidationError]:
    return iter(())


def _additional(validator: Any, stated: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    """Where some names are allowed by an expression, none is known not to be."""
    if "patternProperties" not in schema:
        yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, stated, value, schema) or ()


def _contains(validator: Any, stated: Any, value: Any, schema: Mapping[str, Any]) -> Any:
    """Without the most items that may fit: some only seem to."""
    least = {name: part for name, part in schema.items() if name != "maxContains"}
    return Draft202012Validator.VALIDATORS["contains"](validator, stated, value, least)


def _unique_items(validator: Any, stated: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    """In the time of one look at each item; the package compares each with each."""
    if stated is True and isinstance(value, list):
        texts = [json.dumps(item, sort_keys=True) for item in cast("Any", value)]
        if len({*texts}) < len(texts):
            yield ValidationError("expected items that differ, got one twice")


def _followed(keyword: str) -> Any:
    check = Draft202012Validator.VALIDATORS[keyword]

    def follow(validator: Any, stated: Any, value: Any, schema: Mapping[str, Any]) -> Any:
        _references.set(_references.get() + 1)
        if _references.get() > _MOST_REFERENCES:
            raise RecursionError(f"expected a schema that ends, got more than {_MOST_REFERENCES:,} references")
        return check(validator, stated, value, schema)

    return follow


_Validator: Final = extend(
    Draft202012Validator,
    {
        "pattern": _unchecked,
        "patternProperties": _unchecked,
        "additionalProperties": _additional,
        "unevaluatedProperties": _unchecked,  # since others are evaluated by expressions
        "unevaluatedItems": _unchecked,  # it checks again what lies in it, twice as often at every level
        "uniqueItems": _unique_items,
        "$ref": _followed("$ref"),
        "$dynamicRef": _followed("$dynamicRef"),
    },
)

_Lenient: Final = extend(
    _Validator,
    {
        "not": _unchecked,
        "if": _unchecked,
        "oneOf": Draft202012Validator.VALIDATORS["anyOf"],
        "contains": _contains,
    },
)
"""For a schema with parts that are not checked: a value may only seem to fit them, which refuses none here."""


def _is_checked_whole(schema: Mapping[str, Any]) -> bool:
    text = json.dumps(schema)
    return '"pattern' not in text and '"unevaluated' not in text


def _of_one_draft(schema: Any) -> Any:
    """The same without `$schema`, which would have a part checked by the package's own validator of a draft."""
    if isinstance(schema, list):
        return [_of_one_draft(part) for part in cast("Any", schema)]
    if isinstance(schema, dict):
        parts = cast("Any", schema).items()
        return {name: _of_one_draft(part) for name, part in parts if name != "$schema" or isinstance(part, dict)}
    return schema


@dataclass(frozen=True)
class StatedSchema:
    """A schema of draft 2020-12.

    Args:
        label: what it is the schema of, which begins the messages.

    Raises:
        ValueError: it is no schema.
    """

    label: str
    schema: Mapping[str, Any]

    def __post_init__(self) -> None:
        try:
            Draft202012Validator.check_schema(self.schema, format_checker=None)  # a format is a regular expression
        except (SchemaError, RecursionError) as error:
            got = one_line(error).partition(" Failed")[0]
            raise ValueError(f"{self.label}: expected a JSON Schema, got {got}") from error

    @cached_property
    def _validator(self) -> Draft202012Validator:
        # Without a registry, references would be fetched from wherever the other program says.
        validator = _Validator if _is_checked_whole(self.schema) else _Lenient
        return validator(_of_one_draft(self.schema), registry=Registry())

    def check(self, value: object) -> None:
        """Check a value.

        Raises:
            ValueError: it does not fit: where, and why.
            RecursionError: the schema refers to itself without end, or nearly so.
            WorldFault: the schema refers to what is not part of it.
        """
        _references.set(0)
        try:
            self._validator.validate(value)
        except ValidationError as error:
            raise ValueError(f"{error.json_path}: {error.message:.300}") from error
        except OverflowError as error:  # of a number that is no multiple of a fraction, such as 1e400
            raise ValueError(f"expected other numbers, got one that {error}") from error
        except Unresolvable as error:
            expected = "expected a schema that is whole, got a reference to"
            raise WorldFault(f"{self.label}: {expected} {error.ref:.300}") from error
