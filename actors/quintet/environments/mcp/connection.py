"""A connection to a server, and its tools."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final, Self, TypeVar, cast

import mcp_types
import msgspec
import pydantic
from httpx2 import HTTPError
from mcp import MCPError
from mcp.client import Client, IncomingMessage
from mcp_types import PaginatedResult
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from quintet.environments.head_and_tail import HeadAndTail
from quintet.environments.mcp.addresses import address_streams
from quintet.environments.mcp.contents import resource_list, resource_text, result_text
from quintet.environments.mcp.process import ServerProcess
from quintet.environments.mcp.server import CallLimits, ToolServer
from quintet.environments.stated_schema import StatedSchema
from quintet.environments.tool_world.state import SUBMIT
from quintet.environments.tool_world.tool import Tool
from quintet.errors import WorldFault

_T = TypeVar("_T")
_PageT = TypeVar("_PageT", bound=PaginatedResult)

_NOT_WRITTEN: Final = ("$schema", "title")
"""What schemas have beside what a caller must know."""
_PAGES: Final = 100
"""Of a list; a longer one of tools is a fault, and one of resources is cut, which is said."""
_REASON: Final = 600
"""Characters of a server's words in a fault."""


class ServerConnection:
    """A connection to a server: its tools by name, which change when the server says so.

    A tool with a name of ours, such as `submit`, is in `tools` as `server_submit`; `call` takes the server's own name.

    Raises:
        WorldFault: opening it, or asking the server: it cannot be reached, has ended, does not speak MCP, or has a tool
            that cannot be offered.
    """

    def __init__(self, server: ToolServer, limits: CallLimits) -> None:
        self.tools: dict[str, Tool] = {}
        self.ended = False
        """Whether the server was found to have ended."""
        self._server = server
        self._limits = limits
        self._changed = False
        self._listing = asyncio.Lock()
        """Sessions that share the server list changed tools one after the other, or an older list might stand."""
        self._answers: dict[str, StatedSchema] = {}
        """By tool, of those that state one."""
        self._process = None if server.address else ServerProcess(server.words, server.environment)
        self._client = Client(
            address_streams(server.address, server.headers) if self._process is None else self._process.streams(),
            message_handler=self._note,
            client_info=mcp_types.Implementation(name="quintet", version=version("quintet-agents")),
            cache=None,
        )

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[Self]:
        """Reach the server, whose process is started if it is a command, and ended with the context."""
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self._limits.start_seconds):
                    await stack.enter_async_context(self._client)
                    # The package's own check runs the regular expressions of servers.
                    self._client.session.validate_tool_result = self._check_answer  # type: ignore[method-assign]
                    tools = self._client.server_capabilities.tools
                    modern = self._client.protocol_version in MODERN_PROTOCOL_VERSIONS
                    if modern and tools is not None and tools.list_changed:
                        await stack.enter_async_context(self._client.listen(tools_list_changed=True))
                    await self._list_tools()
                yield self
        except Exception as error:
            raise await self._fault(error) from error

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool of the server; its answer as text, cut where it is long.

        Tools that changed are listed anew if that fits in the same time, else by a later call.
        """
        end = asyncio.get_running_loop().time() + self._limits.seconds
        text = await self._answer(lambda: self._client.call_tool(tool, dict(arguments)), result_text)
        if self._changed:
            try:
                async with asyncio.timeout_at(end), self._listing:
                    if self._changed:  # no other session was faster
                        await self._list_tools()
            except TimeoutError:
                self._changed = True
        return text

    async def read(self, uri: str) -> str:
        """Read a resource; its text as that of `call`."""
        return await self._answer(lambda: self._client.read_resource(uri), resource_text)

    async def resources(self) -> str:
        """The resources there are, as text."""
        return await self._answer(self._list_resources, str)

    async def _note(self, message: IncomingMessage) -> None:
        self._changed |= isinstance(message, mcp_types.ToolListChangedNotification)

    async def _answer(self, ask: Callable[[], Awaitable[_T]], as_text: Callable[[_T], str]) -> str:
        try:
            async with asyncio.timeout(self._limits.seconds):
                return self._kept(as_text(await ask()))
        except TimeoutError:
            return f"No answer within {self._limits.seconds:g} s; the call was given up, and may have had effects."
        except MCPError as error:
            if error.code != mcp_types.CONNECTION_CLOSED:
                return self._kept(f"Error: {error}")
            raise await self._fault(error) from error
        except Exception as error:
            raise await self._fault(error) from error

    async def _list_tools(self) -> None:
        self._changed = False
        ours: dict[str, Tool] = {}
        if self._client.server_capabilities.resources is not None:
            ours |= {"list_resources": _ListResources(self), "read_resource": _ReadResource(self)}
        try:
            async with asyncio.timeout(self._limits.start_seconds):
                listed, whole = await _pages(self._client.list_tools, lambda page: page.tools)
            if not whole:
                raise WorldFault(f"{self._server}: expected a list of tools that ends, got more than {_PAGES} pages")
            # In a thread: a schema of thousands of parts takes seconds.
            offered, self._answers = await asyncio.to_thread(self._read, listed, {SUBMIT, *ours})
        except Exception as error:
            raise await self._fault(error) from error
        self.tools.clear()
        self.tools.update(ours | offered)

    async def _list_resources(self) -> str:
        listed, whole = await _pages(self._client.list_resources, lambda page: page.resources)
        return resource_list(listed) + ("" if whole else f"\n(Those after the first {_PAGES} pages are left out.)")

    def _kept(self, text: str) -> str:
        """A text of the server's without its secrets, and cut where it is long, which is said."""
        return _cut(self._server.redacted(text), self._limits.shown)

    async def _fault(self, error: Exception) -> WorldFault:
        """The fault of a server that cannot be used any more."""
        match error:
            case ExceptionGroup():  # of the package's tasks, which fail together
                return await self._fault(error.exceptions[0])
            case WorldFault():
                return error
            case MCPError(code=mcp_types.CONNECTION_CLOSED):
                self.ended = True
                ended = str(error) if self._process is None else await self._process.why_ended()
                got = f"one that ended: {ended}"
            case TimeoutError():
                skipped = "" if self._process is None else self._process.skipped
                got = f"none within {self._limits.start_seconds:g} s{skipped}"
            case MCPError() | RuntimeError() if "protocol version" in str(error).lower():
                theirs = f" {error.error.data}" if isinstance(error, MCPError) else ""
                got = f"{error}{theirs}; expected one of {', '.join(KNOWN_PROTOCOL_VERSIONS)}"
            case MCPError() | HTTPError() | OSError():
                got = str(error)
            case pydantic.ValidationError():
                first = error.errors(include_url=False, include_context=False)[0]
                got = f"a message of another form, at {'.'.join(map(str, first['loc']))}: {first['msg']}"
            case _:
                got = f"{type(error).__name__}: {error}"
        got = " ".join(_cut(self._server.redacted(got), _REASON).split())
        return WorldFault(f"{self._server}: expected a server that answers by MCP, got {got}")

    def _read(
        self, listed: Sequence[mcp_types.Tool], ours: Collection[str]
    ) -> tuple[dict[str, "ServerTool"], dict[str, StatedSchema]]:
        """The tools by the names that the model is told, and what those answer that state it."""
        answers = {
            each.name: self._stated(f"{each.name}'s answers", each.output_schema)
            for each in listed
            if each.output_schema is not None
        }
        names = Counter(each.name for each in listed)
        for name, times in names.most_common(1):
            if times > 1:
                raise WorldFault(f"{self._server}: expected tools of different names, got {times} named {name!r:.100}")
        tools = {_told_name(each.name, ours, names): self._offered(each) for each in listed}
        if (size := sum(len(name) + len(tool.text) for name, tool in tools.items())) > self._limits.listed:
            expected = f"tools that {self._limits.listed:,} characters describe (environment.listed)"
            raise WorldFault(f"{self._server}: expected {expected}, got {len(tools):,} that need {size:,}")
        return tools, answers

    def _offered(self, tool: mcp_types.Tool) -> "ServerTool":
        name = tool.name
        if not name or name != "".join(name.split()):
            raise WorldFault(f"{self._server}: expected names of tools without spaces, got {name!r:.100}")
        schema = self._stated(name, tool.input_schema)
        said = " ".join((tool.description or tool.title or "no description").split())
        return ServerTool(self, name, schema, self._kept(f"{_written(schema.schema)}: {said}"))

    def _stated(self, label: str, schema: Mapping[str, Any]) -> StatedSchema:
        try:
            return StatedSchema(label, schema)
        except ValueError as error:
            raise WorldFault(f"{self._server}: {error}") from error

    async def _check_answer(self, name: str, result: mcp_types.CallToolResult) -> None:
        if name in self._answers:
            try:
                with suppress(RecursionError):  # of a long list of references, say: it is left to the server
                    self._answers[name].check(result.structured_content)
            except ValueError as error:
                got = self._server.redacted(f"{error}")
                raise WorldFault(
                    f"{self._server}: {name}: expected an answer of its schema, got {got:.{_REASON}}"
                ) from error


@dataclass(frozen=True)
class ServerTool(Tool):
    """A tool of a server."""

    connection: ServerConnection
    name: str
    """The server's; the model may be told another."""
    schema: StatedSchema
    text: str

    def described(self) -> str:
        return self.text

    def parameters(self) -> Mapping[str, Any]:
        return self.schema.schema

    def check(self, given: Mapping[str, Any]) -> None:
        self.schema.check(dict(given))

    async def call(self, given: Mapping[str, Any]) -> str:
        return await self.connection.call(self.name, given)


@dataclass(frozen=True)
class _ListResources(Tool):
    connection: ServerConnection

    def described(self) -> str:
        return "{}: List the server's resources."

    def check(self, given: Mapping[str, Any]) -> None:
        if given:
            raise ValueError("expected no argument")

    async def call(self, given: Mapping[str, Any]) -> str:
        return await self.connection.resources()


@dataclass(frozen=True)
class _ReadResource(Tool):
    connection: ServerConnection

    def described(self) -> str:
        return '{"uri": str}: Read a resource of the server.'

    def parameters(self) -> Mapping[str, Any]:
        return {"type": "object", "properties": {"uri": {"type": "string"}}, "required": ["uri"]}

    def check(self, given: Mapping[str, Any]) -> None:
        if set(given) != {"uri"} or not isinstance(given["uri"], str):
            raise ValueError("expected one argument, uri, a text")

    async def call(self, given: Mapping[str, Any]) -> str:
        return await self.connection.read(given["uri"])


async def _pages(ask: Callable[..., Awaitable[_PageT]], items: Callable[[_PageT], list[_T]]) -> tuple[list[_T], bool]:
    """The items of a list that comes in pages, and whether they are all."""
    found: list[_T] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await ask(cursor=cursor)
        found += items(page)
        if (cursor := page.next_cursor) is None:
            return found, True
    return found, False


def _told_name(name: str, ours: Collection[str], listed: Collection[str]) -> str:
    """A tool's own name, or another that is free where it is the name of a tool of ours."""
    told = name
    while told in ours or (told != name and told in listed):
        told = f"server_{told}"
    return told


def _cut(text: str, most: int) -> str:
    kept = HeadAndTail(most)
    kept.add(text.encode(errors="backslashreplace"), final=True)
    return kept.text()


def _without_titles(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name not in _NOT_WRITTEN}


def _written(schema: Mapping[str, Any]) -> str:
    """A schema, for the prompt."""
    shown = _without_titles(schema)
    if isinstance(properties := schema.get("properties"), dict):
        fields = cast("dict[str, object]", properties).items()
        shown["properties"] = {
            name: _without_titles(cast("dict[str, Any]", each)) if isinstance(each, dict) else each
            for name, each in fields
        }
    return msgspec.json.encode(shown).decode()


for _name in ("mcp", "client"):  # the package's loggers, which repeat what servers and we send
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False
