"""A tool as a model is told of it and calls it: a function, or what another program offers."""

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from quintet.errors import utf8
from quintet.messages.tools import OfferedTool


class Tool(ABC):
    """Something that is called by name with arguments in JSON. Equal tools are described alike."""

    @abstractmethod
    def described(self) -> str:
        """As the model is told of it, its arguments and what it does: `{"query": str}: Search the catalogue`."""

    def parameters(self) -> Mapping[str, Any]:
        """JSON Schema of its arguments, for a model that calls tools."""
        return {"type": "object"}

    @abstractmethod
    def check(self, given: Mapping[str, Any]) -> None:
        """Check arguments before a call; a `ValueError` or a `TypeError` says in words what does not fit."""

    @abstractmethod
    def call(self, given: Mapping[str, Any]) -> Any:
        """What it answers, or an awaitable of that; the model is told as text what it returns or raises."""


ToolSet: TypeAlias = Mapping[str, Callable[..., Any] | Tool]
"""By name. Of a function or a coroutine function, the model is told its signature and its docstring's first line. If
the mapping changes during a session, the model is told how."""


@dataclass(frozen=True)
class FunctionTool(Tool):
    """A function, or a coroutine function."""

    function: Callable[..., Any | Awaitable[Any]]

    def described(self) -> str:
        taken = inspect.signature(self.function, eval_str=True).parameters.values()
        shown = ", ".join(f'"{each.name}": {getattr(each.annotation, "__name__", each.annotation)}' for each in taken)
        return f"{{{shown}}}: {(inspect.getdoc(self.function) or 'no description').partition(chr(10))[0]}"

    def parameters(self) -> Mapping[str, Any]:
        if not isinstance(self.function, FunctionType):  # such as a method, which is another object at each access
            return self._schema()
        if self.function not in _schemas:
            _schemas[self.function] = self._schema()
        return _schemas[self.function]

    def check(self, given: Mapping[str, Any]) -> None:
        inspect.signature(self.function).bind(**given)

    def call(self, given: Mapping[str, Any]) -> Any:
        return self.function(**given)

    def _schema(self) -> Mapping[str, Any]:
        try:
            function: Any = self.function
            return TypeAdapter(function).json_schema()
        except PydanticUserError:  # an annotation that has no schema
            return super().parameters()


_schemas: WeakKeyDictionary[FunctionType, Mapping[str, Any]] = WeakKeyDictionary()
"""Of functions: one takes a millisecond to make, and every session is offered it."""


def as_tool(tool: Callable[..., Any] | Tool) -> Tool:
    """A tool of a `ToolSet`, as one has it or as a function."""
    return tool if isinstance(tool, Tool) else FunctionTool(tool)


def offered(tools: ToolSet) -> tuple[OfferedTool, ...]:
    """Tools as a model that calls tools is offered them."""
    made = {name: as_tool(tool) for name, tool in tools.items()}
    return tuple(
        OfferedTool(name=name, description=utf8(tool.described()), parameters=json.dumps(tool.parameters()))
        for name, tool in made.items()
    )
