"""Reads an action as the call of a tool, in Python's syntax or in JSON; nothing in it is ever evaluated."""

import ast
import re
import warnings
from collections.abc import Container
from contextlib import nullcontext
from typing import Any, Final

import msgspec
from msgspec import Struct

_JSON_WORDS: Final = {"true": True, "false": False, "null": None}
_CALL: Final = re.compile(r"\b(\w+)\([^()\n]*\)")
_WITH_JSON: Final = re.compile(r"(?:\w+\.)?(\w+) (\{.*)", re.DOTALL)
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)
"""What Python raises for a text that is no expression, or too deep a one."""


class ToolCall(Struct, frozen=True):
    """A call as it was written."""

    tool: str
    positional: tuple[Any, ...]
    named: dict[str, Any]


def read_tool_call(action: str) -> ToolCall:
    """Read `find_user(name='Ann')`, or `find_user {"name": "Ann"}`, as a call of an `OfferedTool` is written.

    It may stand in backticks or alone in a list, a tool's name may follow that of its class, and `true`, `false` and
    `null` are read too.

    Raises:
        ValueError: it is no single call, or an argument is no plain value; in words for the agent.
    """
    try:
        return _read(action.strip(" \t\r\n`"))
    except _UNREADABLE:
        expected = "one call with plain values, such as find_user(name='Ann') or reply(message='Done.')"
        raise ValueError(f"expected {expected}, got {action.strip():.100}") from None


def find_tool_calls(text: str, tools: Container[str]) -> list[str]:
    """The calls of some tools that stand amid a text, as they are written; without calls in their arguments."""
    return [found[0] for found in _CALL.finditer(text) if found[1] in tools]


def _read(text: str) -> ToolCall:
    if in_json := _WITH_JSON.fullmatch(text):
        named = msgspec.json.decode(in_json[2].encode(), type=dict[str, Any])
        return ToolCall(tool=in_json[1], positional=(), named=named)
    # Escapes that a model wrote are warned of; to be silent about them takes a twentieth of a call's time.
    with warnings.catch_warnings(action="ignore") if "\\" in text else nullcontext():
        node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.List) and len(node.elts) == 1:
        (node,) = node.elts
    match node:
        case ast.Call(
            func=ast.Name(id=tool) | ast.Attribute(value=ast.Name(), attr=tool), args=args, keywords=keywords
        ):
            named = {each.arg: _value(each.value) for each in keywords if each.arg is not None}
            if len(named) == len(keywords):  # none is there twice, and none is a whole dictionary
                return ToolCall(tool=tool, positional=tuple(map(_value, args)), named=named)
        case _:
            pass
    raise ValueError


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.literal_eval(_WithoutJsonWords().visit(node))


class _WithoutJsonWords(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(_JSON_WORDS[node.id]) if node.id in _JSON_WORDS else node
