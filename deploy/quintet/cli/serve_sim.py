"""`serve-sim`: simulated models over HTTP."""

from pathlib import Path

from quintet.cli.flags import Switch, Whole
from quintet.cli.stoppable import serve_until_stopped
from quintet.serving import latency as distribution
from quintet.serving.embeddings import served_embedders
from quintet.serving.endpoint import SimulatedEndpoint
from quintet.serving.models import served_models
from quintet.serving.server import serve


def serve_sim_command(
    *,
    port: Whole,
    model: str = "sim",
    script: Path | None = None,
    cycle: Switch = False,
    latency: str = "0",
    seed: Whole = 0,
    host: str = "127.0.0.1",
) -> int:
    """Serve until the first SIGINT or SIGTERM.

    Args:
        port: Where to listen; 0 for any that is free.
        model: sim, which answers as sim-weak, sim-strong and sim-fallible (sim is the first), or one of these alone
            (under its own name and sim): they answer the typed questions that Quintet sends. For other clients:
            random, echo or scripted (under these names).
        script: What scripted says, a JSON list of texts: the first as its first answer, and so on.
        cycle: Begin again after the last of them.
        latency: Of a completion: 0, 200ms, 2s, uniform(100ms,300ms), normal(2s,500ms), exponential(1s) or
            lognormal(1s,0.5), median and sigma.
        seed: Fixes latencies, in any order of requests.
        host: Whose connections to take; only this machine's by default.
    """
    endpoint = SimulatedEndpoint(
        models=served_models(model, script=script, cycle=cycle),
        embedders=served_embedders(),
        latency=distribution.parse_latency(latency),
        seed=seed,
    )
    server = serve(endpoint.application(), host=host, port=port)
    return serve_until_stopped(server, f"{model} (simulated)", "/v1")
