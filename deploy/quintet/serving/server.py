"""Serves an endpoint on a port of this process."""

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from quintet.errors import UsageError
from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.serving.counters import RequestCounters
from quintet.serving.endpoint import SimulatedEndpoint
from quintet.serving.faults import Faults
from quintet.serving.latency import Latency

_BACKLOG = 4096
"""Connections that may wait to be accepted, since a thousand clients may start at once."""
_SHUTDOWN_SECONDS = 0.05
"""How long the end of a server waits for answers in flight."""


@dataclass(frozen=True)
class ServedEndpoint:
    """An endpoint that is being served."""

    url: str
    """Base URL for an OpenAI client; ends in `/v1`."""
    counters: RequestCounters
    """Updated while it serves."""


@asynccontextmanager
async def serve_models(
    models: Mapping[str, Model],
    embedders: Mapping[str, Embedder] | None = None,
    *,
    latency: Latency = lambda _: 0.0,
    faults: Faults = Faults(),  # noqa: B008  frozen
    seed: int = 0,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncGenerator[ServedEndpoint, None]:
    """Serve models on this event loop, until the context ends.

    Args:
        models: by the name to request.
        embedders: the same, for `/embeddings`; None: there are none.
        latency: of every answer.
        faults: to inject.
        seed: fixes latencies and shares of faults.
        host: where to listen.
        port: 0: any free one.

    Raises:
        UsageError: it cannot listen there.
    """
    endpoint = SimulatedEndpoint(models, embedders or {}, latency=latency, faults=faults, seed=seed)
    # Cancel a handler when its client leaves: otherwise the request would count as in flight.
    runner = web.AppRunner(
        endpoint.application(), access_log=None, handler_cancellation=True, shutdown_timeout=_SHUTDOWN_SECONDS
    )
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield ServedEndpoint(f"{_address(runner)}/v1", endpoint.counters)
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    if not 0 <= port < 2**16:
        raise UsageError(f"--port: expected 0 to 65535, got {port}")
    try:
        await web.TCPSite(runner, host, port, backlog=_BACKLOG).start()
    except OSError as error:
        # asyncio puts the address before the reason, and Python 3.13 the number too. An unknown host has no errno > 0.
        number = error.errno or 0
        reason = os.strerror(number).lower() if number > 0 else (error.strerror or str(error)).rpartition(": ")[2]
        raise UsageError(f"--port: expected one to listen on, got {port}: {reason} ({host})") from error


def _address(runner: web.AppRunner) -> str:
    host, port = runner.addresses[0][:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
