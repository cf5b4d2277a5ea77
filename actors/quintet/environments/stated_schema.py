"""A JSON Schema that another program states: what it says of a value.

Nothing is fetched for it, and none of its regular expressions is run: they are written for JavaScript, and one may take
for ever. What they say of a value is left to the program.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import Draft202012Validator, SchemaError, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from quintet.errors import WorldFault, one_line


def _unchecked(*_: object) -> Iterator[ValidationError]:
    return iter(())


def _additional(validator: Any, stated: Any, value: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
    """Where some names are allowed by an expression, none is known not to be."""
    if "patternProperties" not in schema:
        yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, stated, value, schema) or ()


_Validator: Final = extend(
    Draft202012Validator,
    {
        "pattern": _unchecked,
        "patternProperties": _unchecked,
        "additionalProperties": _additional,
        "unevaluatedProperties": _unchecked,  # since others are evaluated by expressions
    },
)


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

    def check(self, value: object) -> None:
        """Check a value.

        Raises:
            ValueError: it does not fit: where, and why.
            WorldFault: the schema refers to what is not part of it.
        """
        # Without a registry, references would be fetched from wherever the other program says.
        try:
            _Validator(self.schema, registry=Registry()).validate(value)
        except ValidationError as error:
            raise ValueError(f"{error.json_path}: {error.message:.300}") from error
        except OverflowError as error:  # of a number that is no multiple of a fraction, such as 1e400
            raise ValueError(f"expected other numbers, got one that {error}") from error
        except Unresolvable as error:
            expected = "expected a schema that is whole, got a reference to"
            raise WorldFault(f"{self.label}: {expected} {error.ref:.300}") from error
