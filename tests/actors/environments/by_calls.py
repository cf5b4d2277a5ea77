"""Actions in Python's syntax as a model takes them that calls the tools which it is offered."""

import json
from collections.abc import Iterable, Iterator

from quintet.environments.stated_schema import StatedSchema
from quintet.messages.execution import Act
from quintet.messages.tools import OfferedTool
from quintet.models.endpoint.tool_calls import ToolOffer
from quintet.parsing.decisions import read_decision
from quintet.parsing.tool_calls import read_tool_call
from quintet.ports.world import Outcome, WorldState
from tests.actors.questions.called import called


def step_by_calls(state: WorldState, actions: Iterable[str]) -> Iterator[Outcome]:
    """Take each action by a call of a tool that is offered then."""
    for action in actions:
        texts = called(ToolOffer("decision", state.offered), *as_call(action, state.offered))
        (decision,) = {read_decision(text) for text in texts}  # both dialects have one meaning
        assert isinstance(decision, Act)
        yield state.step(decision.action)


def as_call(action: str, offered: Iterable[OfferedTool]) -> tuple[str, str]:
    """The tool that an action calls, one of these, and its arguments in JSON, which fit the tool's schema."""
    call = read_tool_call(action)
    schema = schema_of(next(tool for tool in offered if tool.name == call.tool))
    given = dict(zip(schema.schema.get("properties", {}), call.positional, strict=False)) | call.named
    schema.check(given)
    return call.tool, json.dumps(given)


def schema_of(tool: OfferedTool) -> StatedSchema:
    """What its arguments have to be; a `ValueError` if that is no JSON Schema."""
    return StatedSchema(tool.name, json.loads(tool.parameters))
