"""The tools of one session: methods of the package's API objects, which hold all that calls change."""

import json
import re
from collections.abc import Callable
from copy import copy, deepcopy
from functools import cache
from inspect import Signature, ismethod, signature
from random import Random
from typing import Any, cast

from quintet.environments.bfcl.conversations import Conversation
from quintet.environments.bfcl.package import new_api
from quintet.errors import utf8
from quintet.parsing.tool_calls import ToolCall

_SETS = re.compile(r"(?<=Must be one of \{)[^}]*|(?<=Invalid fields for update: )[^\"]*")
"""What two of the package's tools name in another order in each process."""

_BOUNDED = ("exponent", "precision")
_MOST = 10_000
"""Of these arguments: a greater one may take a tool hours, in which its host does nothing else."""


class ToolBox:
    """The tools of a conversation, and all that their calls have changed.

    A tool that the agent is shown later is carried out before too, as the package does: one answer calls such a tool.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.apis: dict[str, Any] = {
            api: new_api(api, conversation.config.get(api, {}), long_context=conversation.long_context)
            for api in conversation.apis
        }
        """The API objects by name, for the checks."""

    def copy(self) -> "ToolBox":
        """Equal tools that share nothing that can change."""
        made = object.__new__(ToolBox)
        held: list[object] = [each for api in self.apis.values() for each in api.__dict__.values()]
        generators = {id(each): copy(each) for each in held if isinstance(each, Random)}  # each has 625 numbers
        made.apis = deepcopy(self.apis, generators)
        return made

    def call(self, call: ToolCall) -> str:
        """Carry out a call; what it returns, or what went wrong in it, in the package's words.

        Raises:
            ValueError: there is no such tool, or it does not take such arguments; nothing was done.
        """
        tool, _ = self._bound(call)
        try:
            seen = _as_text(tool(*call.positional, **call.named))
        except Exception as error:  # noqa: BLE001  the agent is told what a tool raises, and may try again
            seen = f"Error during execution: {error}"
        return utf8(_SETS.sub(lambda found: ", ".join(sorted(found[0].split(", "))), seen))

    def meaning(self, call: ToolCall) -> tuple[str, dict[str, Any]]:
        """A call as others can be compared with it: its tool, and its arguments by name.

        Raises:
            ValueError: as for `call`.
        """
        return call.tool, self._bound(call)[1]

    def _bound(self, call: ToolCall) -> tuple[Callable[..., Any], dict[str, Any]]:
        methods = (getattr(api, call.tool, None) for api in self.apis.values() if not call.tool.startswith("_"))
        tool = next(filter(ismethod, methods), None)
        if tool is None:
            raise ValueError(f"expected one of the tools that were shown, or reply, got {call.tool}")
        try:
            bound = _signature(tool.__func__).bind(tool.__self__, *call.positional, **call.named)
        except TypeError as error:
            raise ValueError(f"{call.tool}: {error}") from None
        if large := [
            name for name in _BOUNDED if isinstance(given := bound.arguments.get(name), int | float) and given > _MOST
        ]:
            raise ValueError(f"{call.tool}: expected {large[0]} <= {_MOST}, got more")
        bound.apply_defaults()
        return tool, {name: value for name, value in bound.arguments.items() if value is not tool.__self__}


@cache
def _signature(function: Callable[..., Any]) -> Signature:
    return signature(function)


def _as_text(result: object) -> str:
    if not isinstance(result, dict):
        return str(result)
    try:
        return json.dumps(result)
    except (TypeError, ValueError):
        return repr(cast("object", result))
