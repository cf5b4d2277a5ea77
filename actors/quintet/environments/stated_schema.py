"""A JSON Schema that another program states: what it says of a value. Nothing is fetched for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator, SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from quintet.errors import WorldFault, one_line


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
            Draft202012Validator.check_schema(self.schema)
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
            Draft202012Validator(self.schema, registry=Registry()).validate(value)
        except ValidationError as error:
            raise ValueError(f"{error.json_path}: {error.message:.300}") from error
        except OverflowError as error:  # of a number that is no multiple of a fraction, such as 1e400
            raise ValueError(f"expected other numbers, got one that {error}") from error
        except Unresolvable as error:
            expected = "expected a schema that is whole, got a reference to"
            raise WorldFault(f"{self.label}: {expected} {error.ref:.300}") from error
