"""The tools of one session: methods of the package's API objects, which hold all that calls change."""

import json
from collections.abc import Callable
from copy import deepcopy
from inspect import ismethod, signature
from typing import Any

from quintet.environments.bfcl.calls import ToolCall
from quintet.environments.bfcl.conversations import Conversation
from quintet.environments.bfcl.package import new_api
from quintet.errors import utf8


class Tools:
    """The tools of a conversation, and all that their calls have changed.

    A tool that the agent is shown later is carried out before too, as the package does: one answer calls such a tool.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._long_context = conversation.long_context
        self.apis = {
            api: new_api(api, deepcopy(conversation.config.get(api, {})), long_context=conversation.long_context)
            for api in conversation.apis
        }
        """The API objects by name, for the checks."""

    def copy(self) -> "Tools":
        """Equal tools that share nothing that can change."""
        made = object.__new__(Tools)
        made._long_context, made.apis = self._long_context, deepcopy(self.apis)
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
        if self._long_context:
            self.apis = deepcopy(
                self.apis
            )  # its filling is shared by all objects, and some calls would change it there
        return utf8(seen)

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
            bound = signature(tool).bind(*call.positional, **call.named)
        except TypeError as error:
            raise ValueError(f"{call.tool}: {error}") from None
        bound.apply_defaults()
        return tool, bound.arguments


def _as_text(result: Any) -> str:
    if not isinstance(result, dict):
        return str(result)
    try:
        return json.dumps(result)
    except (TypeError, ValueError):
        return str(result)
