"""`serve-sim`: simulated models over HTTP."""

import asyncio
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path

from quintet.cli.flags import Switch
from quintet.cli.signals import stoppable
from quintet.models.sim.styles import WritingStyle
from quintet.runs.files import allow_connections
from quintet.serving import faults as ordered
from quintet.serving import latency as distribution
from quintet.serving.embeddings import served_embedders
from quintet.serving.models import served_models
from quintet.serving.server import ServedEndpoint, serve_models


def serve_sim_command(
    *,
    port: int,
    model: str = "sim",
    script: Path | None = None,
    cycle: Switch = False,
    style: WritingStyle = "plain",
    latency: str = "0",
    faults: str = "",
    seed: int = 0,
    host: str = "127.0.0.1",
) -> int:
    """Serve until the first SIGINT or SIGTERM.

    Args:
        port: Where to listen; 0 for any that is free.
        model: sim, which answers as sim-weak, sim-strong, sim-newcomer and sim-fallible (sim is the first), one of
            these alone (under its own name and sim), or scripted (under that name).
        script: What scripted says, a JSON list of texts: the first as its first answer, and so on.
        cycle: Begin again after the last of them.
        style: mixed: the levels write as language models do, each answer in another form (reasoning, Markdown, JSON,
            lists), with the same content.
        latency: Of a completion: 0, 200ms, 2s, uniform(100ms,300ms), normal(2s,500ms), exponential(1s) or
            lognormal(1s,0.5), median and sigma.
        faults: KIND:SHARE of the requests, KIND@N or KIND@FIRST-LAST by number, separated by commas. Kinds: 400, 401,
            404, 422, 429, 500, 502, 503, 504, drop (no answer), late, lost (answered, but never sent), garbage (no
            JSON), empty (no choices), nousage, huge (usage), and instead of a text: refusal, filter, tools, null,
            image. Also retry-after=SECONDS, of 429 and 503, late=SECONDS, and context=TOKENS, the longest prompt.
        seed: Fixes latencies, shares of faults and styles, in any order of requests.
        host: Whose connections to take; only this machine's by default.
    """
    server = serve_models(
        served_models(model, script=script, cycle=cycle, style=style, seed=seed),
        served_embedders(),
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
