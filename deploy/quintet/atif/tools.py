"""The tools that models were offered, as a trajectory defines them, and the calls of them as tool calls."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from quintet.events import CallMade, Record
from quintet.messages.tools import ToolAnswer


class ActionCall(NamedTuple):
    """A call of a tool that is an action."""

    tool: str
    arguments: dict[str, Any]


def action_call(answer: ToolAnswer | None) -> ActionCall | None:
    """The first call of an answer, which is made; None: it is text, or its arguments are no object."""
    try:
        function = answer.read().tool_calls[0].function if answer else None
    except (msgspec.DecodeError, LookupError, RecursionError):
        return None
    arguments = None if function is None else function.read_arguments()
    return None if function is None or arguments is None else ActionCall(function.name, arguments)


def offered_tools(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The definitions of all tools that an episode's calls were offered, each once."""
    calls = (record.event for record in records if isinstance(record.event, CallMade))
    lists = {call.completion.tool_answer.tools: None for call in calls if call.completion.tool_answer is not None}
    return [*{_as_json(tool): tool for text in lists for tool in _tools_of(text)}.values()]


class ToolDefinitions:
    """The tools that a trajectory defines. A call's are written as their numbers, where these say the same."""

    def __init__(self, definitions: Sequence[dict[str, Any]] | None) -> None:
        self._definitions = definitions or ()
        self._numbers = {_as_json(tool): number for number, tool in enumerate(self._definitions)}
        self._written: dict[str, Sequence[int] | str] = {}
        """By its text, a list as it is written: most calls are offered the same one."""
        self._texts: dict[tuple[int, ...], str] = {}
        """By its numbers, the text of a list."""

    def write(self, answer: ToolAnswer) -> dict[str, Any]:
        """What a model was offered and called; of the former the numbers, or else the text."""
        if answer.tools not in self._written:
            numbers = [self._numbers.get(_as_json(tool)) for tool in _tools_of(answer.tools)]
            known = tuple({number: None for number in numbers if number is not None})
            self._written[answer.tools] = known if self._text(known) == answer.tools else answer.tools
        return {"tools": self._written[answer.tools], "message": answer.message}

    def read(self, written: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of the `ToolAnswer`; a `LookupError`, `TypeError` or `ValueError` if it is not what we write."""
        tools = written["tools"]
        if not isinstance(tools, str):
            if len({*tools}) < len(tools):  # else a small file could say a text that no memory holds
                raise ValueError("a tool twice among those of a call")
            tools = self._text(tuple(tools))
        return {**written, "tools": tools}

    def _text(self, numbers: tuple[int, ...]) -> str:
        if numbers not in self._texts:
            self._texts[numbers] = _as_json([self._definitions[number] for number in numbers])
        return self._texts[numbers]


def _tools_of(text: str) -> list[dict[str, Any]]:
    """The tools of a list in JSON; none if it is no such list."""
    try:
        return msgspec.convert(json.loads(text), list[dict[str, Any]])
    except (ValueError, RecursionError, msgspec.ValidationError):
        return []


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
