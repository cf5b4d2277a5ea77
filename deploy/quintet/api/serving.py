"""Serving roles from Python. The machinery is imported when it begins."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quintet.launch.evaluation import Evaluation


@asynccontextmanager
async def serve_roles(
    run: Evaluation, *, host: str = "127.0.0.1", port: int = 0, key: str | None = None
) -> AsyncGenerator[str, None]:
    """Serve the roles of an open run as tools of the Model Context Protocol, over streamable HTTP on this event loop.

    Args:
        run: of `open_run` or `reopen_run`. Calls are kept in its journal and count against its budget.
        host: whose connections are taken; any other than this machine's needs a key.
        port: 0: any free one.
        key: the environment variable with the token that every request must bring (`Authorization: Bearer TOKEN`).

    Yields:
        The address, for a client of the protocol.

    Raises:
        UsageError: the extra `mcp` is not installed, the method asks nothing that needs no session, it cannot listen
            there, or the key is missing.
    """
    from quintet.plugins.extras import require_extra

    require_extra("mcp", "mcp", "serve_roles")
    from quintet.serving.role_server import serve_on_port
    from quintet.serving.role_tools import RoleTools

    async with serve_on_port(RoleTools(run).server(), host=host, port=port, key=key) as address:
        yield address
