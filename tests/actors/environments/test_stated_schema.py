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


AB: list[dict[str, Any]] = [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]


@pytest.mark.parametrize(
    "schema",
    [
        {"not": AB[0]},
        {"oneOf": AB},
        {"oneOf": [{"unevaluatedItems": False}, {"type": "string"}]},
        {"if": AB[0], "then": {"const": "a"}},
        {"contains": AB[0], "maxContains": 1},
        {"not": {"$ref": "#/$defs/a"}, "$defs": {"a": AB[0]}},
    ],
)
def test_a_value_that_only_seems_to_fit_an_expression_is_left_to_the_program(schema: dict[str, Any]) -> None:
    StatedSchema("tool", schema).check(["b", "b"] if "contains" in schema else "b")


def test_what_must_not_fit_is_refused_where_all_of_a_schema_is_checked() -> None:
    with pytest.raises(ValueError, match="should not be valid under"):
        StatedSchema("tool", {"not": {"type": "string"}}).check("b")
    with pytest.raises(ValueError, match="is valid under each of"):
        StatedSchema("tool", {"oneOf": [{}, {"type": "string"}]}).check("b")


def test_items_are_compared_in_one_look_at_each() -> None:
    unique, many = StatedSchema("tool", {"uniqueItems": True}), [{"a": number} for number in range(20_000)]
    unique.check([*many, 1, "1", True])
    with pytest.raises(ValueError, match="expected items that differ, got one twice"):
        unique.check([*many, {"a": 7}])


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
