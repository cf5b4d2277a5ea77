"""`quintet serve-sim`."""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path

from quintet.cli.signals import stoppable
from quintet.models.sim.styles import WritingStyle
from quintet.runs.open_files import allow_connections
from quintet.serving import faults as ordered
from quintet.serving import latency as distribution
from quintet.serving.models import served_models
from quintet.serving.server import ServedEndpoint, serve_models


def serve_sim(
    model: str,
    *,
    script: Path | None,
    cycle: bool,
    style: WritingStyle,
    latency: str,
    faults: str,
    seed: int,
    host: str,
    port: int,
) -> int:
    """Serve until the first SIGINT or SIGTERM, which is how it is meant to end.

    Raises:
        UsageError: something given is not as it should be, or nobody can listen there.
    """
    server = serve_models(
        served_models(model, script=script, cycle=cycle, style=style, seed=seed),
        latency=distribution.parse_latency(latency),
        faults=ordered.parse_faults(faults),
        seed=seed,
        host=host,
        port=port,
    )
    allow_connections()
    with suppress(KeyboardInterrupt):
        asyncio.run(stoppable(_serve(model, server)))
    return 0


async def _serve(model: str, server: AbstractAsyncContextManager[ServedEndpoint]) -> None:
    async with server as served:
        print(f"serving {model} (simulated) at {served.url}", flush=True)
        await asyncio.get_running_loop().create_future()
