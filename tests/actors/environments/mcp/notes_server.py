"""A small server, by the package that defines the protocol's own: it keeps notes, and misbehaves in every way."""

import asyncio
import os
import socket
import sys
from base64 import b64encode
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any, NoReturn

import uvicorn
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    METHOD_NOT_FOUND,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    RequestParams,
    ResourceLink,
    TextContent,
)
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

PNG = b"\x89PNG and no more"


def notes_server() -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("notes", log_level="CRITICAL")
    notes: list[str] = []

    @server.tool()
    def write(text: str, times: int = 1) -> str:
        """Write a note down.

        As often as is said.
        """
        notes.extend([text] * times)
        return f"{len(notes)} notes"

    @server.tool()
    def draw() -> CallToolResult:
        """Draw something."""
        image = ImageContent(data=b64encode(PNG).decode(), mime_type="image/png")
        return CallToolResult(content=[TextContent(text="Drawn:"), image])

    @server.tool()
    def refer() -> CallToolResult:
        """Refer to what there is."""
        blob = BlobResourceContents(uri="note://scan", mime_type="application/pdf", blob=b64encode(b"12345").decode())
        link = ResourceLink(name="tea", uri="note://tea", description="On\ntea.")
        return CallToolResult(content=[EmbeddedResource(resource=blob), link, TextContent(text="That is all.")])

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ToolError("no ink")

    @server.tool()
    def flood(characters: int) -> str:
        """Say much."""
        return "x" * characters

    @server.tool()
    async def hang() -> str:
        """Never answer."""
        await asyncio.Event().wait()
        return ""

    @server.tool()
    def tell(variable: str) -> str:
        """Tell a variable of the environment."""
        return os.environ.get(variable, "not set")

    @server.tool()
    def die() -> str:
        """End the server."""
        print("the ink is", os.environ.get("INK", "black"), file=sys.stderr, flush=True)
        os._exit(3)

    @server.tool()
    async def trade(context: Context[Any, Any]) -> str:
        """Trade a tool for another."""

        def sing(song: str) -> str:
            """Sing a song."""
            return f"la, {song}"

        server.add_tool(sing)
        server.remove_tool("draw")
        await context.notify_tools_changed()
        await context.session.send_tool_list_changed()  # to clients of older versions
        return "traded"

    @server.resource("note://tea", description="What is known\nof tea.")
    def tea() -> str:
        return "Green is best."

    return server


def older_server() -> MCPServer[Any]:
    """The same by a version of the protocol that begins with a handshake."""
    server = notes_server()

    async def unknown(_: object, __: object) -> NoReturn:
        raise MCPError(METHOD_NOT_FOUND, "what is server/discover?")

    server._lowlevel_server.add_request_handler("server/discover", RequestParams, unknown)  # pyright: ignore[reportPrivateUsage]
    return server


@dataclass
class Gateway:
    """Stands before a server, refuses what does not bring a token, and may have the server forget its sessions."""

    login: str = ""
    """As a request must bring it; empty: nothing."""
    status: int = 401
    """Of a refusal."""
    body: object = None
    """Of a refusal; None: it says what was brought."""
    forgets: bool = False
    app: ASGIApp | None = None
    """The server's."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None
        if scope["type"] == "http" and (brought := Headers(scope=scope).get("authorization", "")) != self.login:
            await JSONResponse(self.body or {"error": f"not for {brought}"}, self.status)(scope, receive, send)
            return
        if self.forgets:
            renamed = [(name, b"another" if name == b"mcp-session-id" else value) for name, value in scope["headers"]]
            scope = {**scope, "headers": renamed}
        await self.app(scope, receive, send)


@contextmanager
def serving(server: MCPServer[Any], gateway: Gateway | None = None) -> Generator[str]:
    """Its address on this machine, by streamable HTTP, in a thread of its own."""
    before = gateway or Gateway()
    before.app = server.streamable_http_app()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = uvicorn.Server(uvicorn.Config(before, log_level="critical", ws="none"))
        thread = Thread(target=served.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            served.should_exit = True
            served.force_exit = True
            thread.join()


if __name__ == "__main__":
    notes_server().run("stdio")
