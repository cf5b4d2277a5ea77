"""Four Ray nodes on this machine: a run by one driver with a host on each, and the same by four drivers.

ReAct on TextCraft, with an endpoint of a given latency; all episodes at once. `python -m benchmarks.raylets`, which
takes some minutes, is left out of `make bench`.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

from benchmarks.measuring import Figure
from benchmarks.serving import scripted_server
from benchmarks.shards import play
from benchmarks.turns import answers

_NODES, _EPOCHS, _CALLS, _LATENCY = 4, 5, 10, 5.0
_AUTHENTICATION = "RAY_AUTH_MODE"


def figures() -> Iterator[Figure]:
    """Seconds, and their ratio to calls x latency."""
    os.environ.setdefault(_AUTHENTICATION, "disabled")
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(_NODES - 1):
            cluster.add_node(num_cpus=1)
        with tempfile.TemporaryDirectory() as name, scripted_server(answers(_CALLS), Path(name), _LATENCY) as url:
            for drivers in (1, 4):
                yield _measure(cluster.address, url, drivers, Path(name) / str(drivers))
    finally:
        cluster.shutdown()


def _measure(address: str, url: str, drivers: int, folder: Path) -> Figure:
    words = ["--model", "scripted", "--model-url", url, "--epochs", str(_EPOCHS), "--ray-address", address]
    words += ["--set", f"method.max_steps={_CALLS}", "--set", f"method.patience={_CALLS}", "--hosts", str(_NODES)]
    run = play(folder, *words, drivers=drivers, concurrency=10_000)
    episodes, bound = len(run.results), _CALLS * _LATENCY
    title = f"{drivers} driver{'s' if drivers > 1 else ''}, {_NODES} Ray nodes, {episodes:,} episodes at once"
    seconds = episodes / run.rate
    return Figure(title, seconds, "s", f"{seconds / bound:.2f} of {_CALLS} calls x {_LATENCY:.0f} s")


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
