"""Answers as calls of tools: what a request offers, and the text of an answer that calls one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from quintet.errors import utf8
from quintet.messages.tools import OfferedTool, ToolAnswer
from quintet.parsing.answers import answer_text, on_one_line
from quintet.ports.model import Sampling
from quintet.questions.shape import tool_of

_KEPT: Final = 100
"""Lists of tools whose JSON is kept: to write a long one anew at each call takes a millisecond."""


@dataclass(frozen=True)
class ToolOffer:
    """What may be called for an answer: the world's tools, or else one tool whose arguments are the answer's fields."""

    form: str
    """The answer's shape."""
    tools: tuple[OfferedTool, ...] = ()
    """The world's; empty: it has none, or the answer is no action."""

    @property
    def described(self) -> list[dict[str, Any]]:
        """The tools, as functions of both dialects."""
        if not self.tools:
            return [tool_of(self.form)]
        # Said to be not strict, since the responses dialect else takes schemas only in its own subset.
        return [
            {
                "name": each.name,
                "description": each.description,
                "parameters": json.loads(each.parameters),
                "strict": False,
            }
            for each in self.tools
        ]

    @property
    def functions(self) -> list[dict[str, Any]]:
        """The tools as the chat dialect has them."""
        return [{"type": "function", "function": each} for each in self.described]

    @property
    def must_be_called(self) -> str:
        """The tool that an answer has to call; empty: text is an answer too, such as a claim to be done."""
        return "" if self.tools else str(tool_of(self.form)["name"])

    def read(self, said: str, calls: Sequence[tuple[str, str]]) -> tuple[str, ToolAnswer]:
        """The answer that the first call is: an action of the world, or JSON; and what the journal has of the tools.

        The former is empty if there is none, or another tool was called than the one that has to be.

        Args:
            said: the text beside the calls, which is the thought.
            calls: the name of each tool, and the arguments as the model wrote them, JSON or not. A tool that the world
                has not is an action too, which the world rejects. Of several calls the thought says that there were.
        """
        text = self._text(*calls[0], said, len(calls)) if calls else ""
        written = [{"name": utf8(name), "arguments": utf8(arguments)} for name, arguments in calls]
        message = {"content": utf8(said), "tool_calls": [{"type": "function", "function": each} for each in written]}
        return text, ToolAnswer(tools=_tools_of(self), message=_as_json(message) if text else "")

    def _text(self, name: str, arguments: str, said: str, calls: int) -> str:
        if not self.tools:
            return arguments if name == self.must_be_called else ""
        only = f"(Only the first of {calls} calls is made.)" if calls > 1 else ""
        thought = on_one_line(f"{answer_text(said).strip().removeprefix('Thought:')} {only}")
        return utf8("\n".join([*([f"Thought: {thought}"] if thought else []), f"Action: {name} {_as_line(arguments)}"]))


@lru_cache(_KEPT)
def _tools_of(offer: ToolOffer) -> str:
    return _as_json(offer.functions)


def offer_of(sampling: Sampling, *, calls_tools: bool) -> ToolOffer | None:
    """What a call offers; None: its answer is no call of a tool."""
    return ToolOffer(sampling.form, sampling.tools) if calls_tools and sampling.form is not None else None


def _as_json(value: object) -> str:
    return utf8(json.dumps(value, ensure_ascii=False))


def _as_line(arguments: str) -> str:
    try:
        given = json.loads(arguments or "{}")
        line = json.dumps(given, ensure_ascii=False)
        return line if line.isprintable() else json.dumps(given)  # some characters end a line as a newline does
    except (ValueError, RecursionError):
        return on_one_line(arguments)
