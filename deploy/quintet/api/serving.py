"""Serving roles and worlds from Python. The machinery is imported when it begins."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quintet.api.runs import WorldLike
    from quintet.launch.evaluation import Evaluation
    from quintet.world_server.sessions import SessionLimits


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


@asynccontextmanager
async def serve_worlds(
    worlds: Sequence[WorldLike],
    *,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    key: str | None = None,
    limits: SessionLimits | None = None,
) -> AsyncGenerator[str, None]:
    """Serve worlds over OpenEnv's protocol, on this event loop, until the context ends.

    Args:
        worlds: each as `environment` in `evaluate`. The first is also at the root of the address, each below its name.
        options: of the worlds, by their names: `{"NAME": {"OPTION": "..."}}`.
        host: whose connections to take; only this machine's by default. Another host needs a `key`.
        port: where to listen; 0: any that is free.
        key: the environment variable with the token that clients send as `Authorization: Bearer`.
        limits: of sessions, their times and the size of messages; None: those that `SessionLimits` has.

    Yields:
        The address, `http://HOST:PORT`, for OpenEnv's `base_url`.

    Raises:
        UsageError: a world cannot be made or played here, the key is missing, or the port cannot be listened on.

    Source: `openenv` 0.10, whose client and validator it is tested with.
    """
    from quintet.world_server.serve import serve_named
    from quintet.world_server.sessions import SessionLimits

    async with serve_named(
        worlds, options or {}, host=host, port=port, key=key, limits=limits or SessionLimits()
    ) as address:
        yield address
