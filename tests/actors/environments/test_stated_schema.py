"""Schemas that other programs state."""

from typing import Any

import pytest

from quintet.environments.stated_schema import StatedSchema

ENDLESS = r"^(a+)+$"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
WITH_EXPRESSIONS: list[dict[str, Any]] = [
    {"properties": {"a": {"pattern": ENDLESS}}},
    {"properties": {"a": {"pattern": r"^\p{Lu}\cA(?<name>a)$"}}},
    {"propertyNames": {"pattern": ENDLESS}},
    {"patternProperties": {ENDLESS: {"type": "integer"}}},
    {"patternProperties": {r"^\p{Lu}": {}}, "additionalProperties": False},
    {"patternProperties": {ENDLESS: {}}, "additionalProperties": {"type": "integer"}},
    {"properties": {"a": {"$schema": DRAFT, "pattern": ENDLESS}}},
    {"$schema": DRAFT, "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"allOf": [{"pattern": ENDLESS}]}}},
    {"$schema": DRAFT, "properties": {"a": {"$ref": "#"}}, "pattern": ENDLESS},
    {"allOf": [{"patternProperties": {ENDLESS: {}}}], "unevaluatedProperties": False},
]


@pytest.mark.parametrize("schema", WITH_EXPRESSIONS)
def test_no_regular_expression_of_a_schema_is_run(schema: dict[str, Any]) -> None:
    hostile = "a" * 64 + "!"
    StatedSchema("tool", schema).check({"a": hostile, hostile: "a"})


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"properties": {"a": {"type": "string", "pattern": ENDLESS}}}, r"\$.a: 3 is not of type 'string'"),
        ({"properties": {"$schema": {"type": "string"}}, "required": ["$schema"]}, r"\$: '\$schema' is a required"),
        ({"properties": {"b": {}}, "additionalProperties": False}, r"\$: .*'a' was unexpected"),
        ({"additionalProperties": {"type": "string"}}, r"\$.a: 3 is not of type 'string'"),
    ],
)
def test_the_rest_of_a_schema_is_checked(schema: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        StatedSchema("tool", schema).check({"a": 3})


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {
            "$defs": {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(64)} | {"64": {}},
            "$ref": "#/$defs/0",
        },
    ],
)
def test_references_without_end_are_given_up(schema: dict[str, Any]) -> None:
    with pytest.raises(RecursionError):
        StatedSchema("tool", schema).check({"a": 3})


def test_items_are_not_evaluated_again_at_every_level() -> None:
    schema: dict[str, Any] = {"items": {"type": "integer"}}
    for _ in range(64):
        schema = {"allOf": [schema], "unevaluatedItems": False}
    StatedSchema("tool", schema).check([1])


def test_a_pattern_that_is_no_text_is_no_schema() -> None:
    with pytest.raises(ValueError, match="tool: expected a JSON Schema, got 3 is not of type 'string'"):
        StatedSchema("tool", {"pattern": 3})
