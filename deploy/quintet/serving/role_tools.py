"""Roles of an open run as tools of the Model Context Protocol: one for each request that its method asks.

Tools, schemas and answers follow from the messages; none is listed here.
"""

import inspect
from importlib.metadata import version
from typing import Any, Generic

import docstring_parser
import msgspec
from mcp.server import Server, ServerRequestContext
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent, Tool
from msgspec import Struct

from quintet.errors import Fault, UsageError
from quintet.launch.evaluation import Evaluation
from quintet.messages.message import ReplyT, Request, request_name
from quintet.messages.wire import reply_type
from quintet.ports.model import Usage
from quintet.roles.registry import role_of, roles_answering

_TAG = "type"
"""The field that names a message; a tool's name says it."""


class RoleAnswer(Struct, Generic[ReplyT], frozen=True, kw_only=True):
    """What a tool answers."""

    reply: ReplyT
    path: str
    """Of the visit, under which the run's journal has its calls."""
    calls: int
    usage: Usage
    usd: float | None
    seconds: float


class RoleTools:
    """The tools of a run.

    A request is offered if the outermost method asks it, so that there are prompts for it; if it needs no session,
    which would end with the call; and if it leaves the run's memory as it is, which is its learner's to change.

    Args:
        run: open.
    """

    def __init__(self, run: Evaluation) -> None:
        self._run = run
        outermost, *_ = run.spec.methods
        self._brought = outermost.method.roles
        self._requests = {
            request_name(request): request
            for request in run.spec.requests[outermost.name]
            if "session" not in request.__struct_fields__ and not request.changes_memory
        }
        self._tools = [self._tool(name, request) for name, request in self._requests.items()]
        if not self._tools:
            asked = ", ".join(map(request_name, run.spec.requests[outermost.name])) or "nothing"
            expected = "a run whose method asks something that needs no session, such as a plan"
            raise UsageError(f"serve-roles: expected {expected}, got {outermost.name}, which asks {asked}")

    @property
    def names(self) -> tuple[str, ...]:
        """Of all tools."""
        return tuple(self._requests)

    def server(self) -> Server[Any]:
        """A server with these tools, on no transport yet."""
        return Server(
            "quintet",
            version=version("quintet-agents"),
            instructions="Roles of language-model agents. Each tool asks one of them once, and answers with its reply.",
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    def _tool(self, name: str, request: type[Request[Any]]) -> Tool:
        answer: Any = RoleAnswer
        roles = " or ".join(role.name for role in roles_answering(request, self._brought))
        return Tool(
            name=name,
            description=f"Asks the {roles}. {inspect.cleandoc(request.__doc__ or '')}",
            input_schema=schema_of(request),
            output_schema=schema_of(answer[reply_type(request)]),
        )

    async def _list(self, _: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=self._tools)

    async def _call(self, _: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        kind = self._requests.get(params.name)
        if kind is None:
            return _error(f"expected one of {', '.join(self._requests)}, got {params.name!r}")
        try:
            request = msgspec.convert({**(params.arguments or {}), _TAG: params.name}, kind)
            role = role_of(request, self._brought)
            answer = await self._run.ref(role.name).ask(request)
        except msgspec.ValidationError as error:
            return _error(f"{params.name}: expected arguments of its schema, got others: {error}")
        except (Fault, UsageError, LookupError) as error:
            return _error(f"{params.name}: {type(error).__name__}: {error}")
        answered = RoleAnswer(
            reply=answer.reply,
            path=answer.path,
            calls=answer.calls,
            usage=answer.usage,
            usd=answer.dollars,
            seconds=answer.seconds,
        )
        text = TextContent(text=msgspec.json.encode(answer.reply).decode())
        return CallToolResult(content=[text], structured_content=msgspec.to_builtins(answered))


def _error(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a message's fields, with what is said of each."""
    schema = msgspec.json.schema(kind)
    definitions: dict[str, Any] = schema["$defs"]
    root = definitions.pop(schema["$ref"].rpartition("/")[2])
    fields = {name: field for name, field in root["properties"].items() if name != _TAG}
    said = docstring_parser.parse_from_object(getattr(kind, "__origin__", kind)).params
    for each in said:
        if each.arg_name in fields:
            fields[each.arg_name]["description"] = " ".join((each.description or "").split())
    for each in definitions.values():
        if "description" in each:
            each["description"] = inspect.cleandoc(each["description"])  # Python 3.13 does so, older versions do not
    required = [name for name in root.get("required", ()) if name != _TAG]
    closed = {"additionalProperties": False} if "additionalProperties" in root else {}
    return {"type": "object", "properties": fields, "required": required, **closed, "$defs": definitions}
