"""Serves an application on a port of this process."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import web

from quintet.errors import UsageError
from quintet.serving.server_log import SERVER_LOG

_BACKLOG = 4096
"""Connections that may wait to be accepted, since a thousand clients may start at once."""
_SHUTDOWN_SECONDS = 0.05
"""How long the end of a server waits for answers in flight."""


@asynccontextmanager
async def serve(application: web.Application, *, host: str = "127.0.0.1", port: int = 0) -> AsyncGenerator[str, None]:
    """Serve it on this event loop, until the context ends.

    Args:
        port: 0: any free one.

    Returns:
        Its address, `http://HOST:PORT`.
    """
    # Cancel a handler when its client leaves.
    runner = web.AppRunner(
        application,
        access_log=None,
        logger=SERVER_LOG,
        handler_cancellation=True,
        shutdown_timeout=_SHUTDOWN_SECONDS,
    )
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield _address(runner)
    finally:
        await runner.cleanup()


def check_port(port: int) -> None:
    """Refuse what is no port; 0 is any free one."""
    if not 0 <= port < 2**16:
        raise UsageError(f"--port: expected 0 to 65535, got {port}")


def cannot_listen(host: str, port: int, error: OSError) -> UsageError:
    """Why a port cannot be listened on."""
    # asyncio puts the address before the reason, and Python 3.13 the number too. An unknown host has no errno > 0.
    number = error.errno or 0
    reason = os.strerror(number).lower() if number > 0 else (error.strerror or str(error)).rpartition(": ")[2]
    return UsageError(f"--port: expected one to listen on, got {port}: {reason} ({host})")


def host_in_url(host: str) -> str:
    """A host as addresses have it: that of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    check_port(port)
    try:
        await web.TCPSite(runner, host, port, backlog=_BACKLOG).start()
    except OSError as error:
        raise cannot_listen(host, port, error) from error


def _address(runner: web.AppRunner) -> str:
    host, port = runner.addresses[0][:2]
    return f"http://{host_in_url(host)}:{port}"
