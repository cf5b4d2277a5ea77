"""The tools of one session: methods of the package's environment, which holds all that calls change."""

import json
import warnings
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Literal, TypeAlias

from quintet.environments.tau2.package import call_number, imported, new_environment, tool_signatures
from quintet.environments.tau2.scenarios import CustomerScenario
from quintet.errors import utf8
from quintet.parsing.tool_calls import ToolCall

Requestor: TypeAlias = Literal["assistant", "user"]
"""Who calls a tool, in the package's words: the agent, or the user one of its own."""

_POWER = "**"
"""Of the calculator: one of nines may take hours, in which its host does nothing else."""


class CustomerTools:
    """The tools of a scenario, and all that their calls have changed.

    Args:
        alone: whether the user's tools are called as the agent's.
    """

    def __init__(self, scenario: CustomerScenario, *, alone: bool) -> None:
        self.environment = new_environment(scenario.domain, alone=alone)
        """The package's."""
        begun = scenario.task.initial_state
        if begun is not None:
            self.environment.set_state(begun.initialization_data, begun.initialization_actions, [])
        self._takes = tool_signatures(scenario.domain, alone=alone)
        self._made = 0

    def copy(self) -> "CustomerTools":
        """Equal tools that share nothing that can change."""
        made = object.__new__(CustomerTools)
        made.environment, made._takes, made._made = deepcopy(self.environment), self._takes, self._made
        return made

    def call(self, call: ToolCall, requestor: Requestor = "assistant") -> str:
        """Carry out a call; what it returns, or what went wrong in it, in the package's words.

        Raises:
            ValueError: the caller has no such tool, or it does not take such arguments; nothing was done.
        """
        return self.carry_out(call.tool, self.arguments(call, requestor), requestor)

    def carry_out(self, tool: str, arguments: Mapping[str, Any], requestor: Requestor) -> str:
        """The same of a tool of the agent's or the user's, whose arguments are known to fit."""
        asked = imported("data_model.message").ToolCall(name=tool, arguments=arguments, requestor=requestor)
        number = call_number.set(self._made)
        self._made += 1
        try:
            with warnings.catch_warnings(action="ignore"):  # of values of another type than a record's
                return utf8(self.environment.get_response(asked).content)
        finally:
            call_number.reset(number)

    def arguments(self, call: ToolCall, requestor: Requestor = "assistant") -> dict[str, Any]:
        """A call's arguments by name, as JSON has them.

        Raises:
            ValueError: as for `call`.
        """
        takes = self._takes[requestor].get(call.tool)
        if takes is None:
            raise ValueError(f"expected one of the tools that were shown, got {call.tool}")
        try:
            bound = takes.bind(*call.positional, **call.named)
            found: dict[str, Any] = json.loads(json.dumps(bound.arguments))
        except (TypeError, RecursionError) as error:
            raise ValueError(f"{call.tool}: {error}") from None
        if _POWER in str(found.get("expression")):
            raise ValueError(f"{call.tool}: expected + - * / and brackets, got a power")
        return found
