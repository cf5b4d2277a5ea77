"""Serves the tools of a run: over standard input and output, or over streamable HTTP on a port of this process."""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TextIO

import uvicorn
from anyio import AsyncFile
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from quintet.environments.adapters.threads import ThreadPool
from quintet.serving.access import brings_token, required_token
from quintet.serving.server import cannot_listen, check_port, host_in_url

_PATH: Final = "/mcp"


async def serve_on_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends. Meanwhile what is printed goes to standard error."""
    with _standard_input() as lines:
        async with stdio_server(stdin=lines) as (read, write):
            await server.run(read, write, server.create_initialization_options())


class _Lines(AsyncFile[str]):
    """Lines that can be waited for and given up; the package's own keep a process until its client writes again."""

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._thread = ThreadPool("standard input", 1)

    async def readline(self) -> str:
        return await self._thread.run(self.wrapped.readline)


@contextmanager
def _standard_input() -> Generator[_Lines]:
    """Standard input, which meanwhile is empty for all others, such as the processes of worlds."""
    ours, empty = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    try:
        # Not closed: a thread may still read it.
        yield _Lines(os.fdopen(ours, encoding="utf-8", errors="replace", closefd=False))
    finally:
        os.dup2(ours, 0)


@asynccontextmanager
async def serve_on_port(
    server: Server[Any], *, host: str = "127.0.0.1", port: int = 0, key: str | None = None
) -> AsyncGenerator[str]:
    """Serve on this event loop, until the context ends.

    Args:
        host: whose connections are taken; any other than this machine's needs a key.
        port: 0: any free one.
        key: the environment variable with the token that every request must bring (`Authorization: Bearer TOKEN`).

    Yields:
        The address.

    Raises:
        UsageError: it cannot listen there, or the key is missing.
    """
    token = required_token(host, key)
    with _listening(host, port) as listening:
        here, number, *_ = listening.getsockname()
        name = host_in_url(here)
        app = server.streamable_http_app(
            host=host, streamable_http_path=_PATH, transport_security=None if token else _programs_only(name)
        )
        served = _Server(
            uvicorn.Config(
                app if token is None else _KeyRequired(app, token),
                lifespan="off",
                log_config=None,
                log_level="critical",
                timeout_graceful_shutdown=0,
                ws="none",
            )
        )
        async with server.session_manager.run():
            serving = asyncio.create_task(served.serve(sockets=[listening]))
            try:
                yield f"http://{name}:{number}{_PATH}"
            finally:
                served.should_exit = True
                await serving


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to the program."""
        yield


class _KeyRequired:
    """Answers only requests that bring the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if brings_token(Headers(scope=scope).get("authorization", ""), self._token):
            await self._app(scope, receive, send)
        else:
            refusal = PlainTextResponse("expected Authorization: Bearer TOKEN, got another\n", 401)
            refusal.headers["WWW-Authenticate"] = "Bearer"
            await refusal(scope, receive, send)


def _programs_only(name: str) -> TransportSecuritySettings:
    """Refuse what a web page of another name asks; the package does so at three addresses of this machine alone."""
    names = {name, "127.0.0.1", "localhost", "[::1]"}
    return TransportSecuritySettings(
        allowed_hosts=[f"{each}:*" for each in names], allowed_origins=[f"http://{each}:*" for each in names]
    )


def _listening(host: str, port: int) -> socket.socket:
    check_port(port)
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise cannot_listen(host, port, error) from error


# They repeat what clients send.
logging.getLogger("mcp").addHandler(logging.NullHandler())
logging.getLogger("mcp").propagate = False
