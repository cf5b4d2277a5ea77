"""An endpoint on a port, inside of this process."""

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from quintet.errors import UsageError
from quintet.ports.model import Model
from quintet.serving.counters import Counters
from quintet.serving.endpoint import Endpoint
from quintet.serving.faults import Faults
from quintet.serving.latency import Latency

_BACKLOG = 4096
"""Connections that may wait to be accepted: a thousand clients begin at once."""
_PARTING = 0.05
"""Seconds for which a server that ends waits for answers in flight; nobody counts on them."""


@dataclass(frozen=True)
class Served:
    """An endpoint that answers."""

    url: str
    """The base URL that a client of OpenAI's takes: it ends in `/v1`."""
    counters: Counters
    """Live."""


@asynccontextmanager
async def serving(
    models: Mapping[str, Model],
    *,
    latency: Latency = lambda _: 0.0,
    faults: Faults = Faults(),  # noqa: B008  frozen
    seed: int = 0,
    host: str = "127.0.0.1",
    port: int = 0,
) -> AsyncGenerator[Served, None]:
    """Serve models on this event loop, until the context ends.

    Args:
        models: by the name to ask for.
        latency: of every completion.
        faults: what goes wrong.
        seed: fixes latencies and shares of faults.
        host: where to listen.
        port: 0 for any that is free.

    Raises:
        UsageError: nobody can listen there.
    """
    endpoint = Endpoint(models, latency=latency, faults=faults, seed=seed)
    # Without its client nobody waits for an answer, and it would count as one in flight.
    runner = web.AppRunner(
        endpoint.application(), access_log=None, handler_cancellation=True, shutdown_timeout=_PARTING
    )
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield Served(f"{_address(runner)}/v1", endpoint.counters)
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    if not 0 <= port < 2**16:
        raise UsageError(f"--port: expected 0 to 65535, got {port}")
    try:
        await web.TCPSite(runner, host, port, backlog=_BACKLOG).start()
    except OSError as error:
        # asyncio says the address before it, and Python 3.13 the number too; a name that is none has no number of ours.
        number = error.errno or 0
        reason = os.strerror(number).lower() if number > 0 else (error.strerror or str(error)).rpartition(": ")[2]
        raise UsageError(f"--port: expected one to listen on, got {port}: {reason} ({host})") from error


def _address(runner: web.AppRunner) -> str:
    host, port = runner.addresses[0][:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
