"""Four Ray nodes on this machine: where hosts start, and a run by one driver with a host on each, and by four drivers.

The runs are ReAct on TextCraft, with an endpoint of a given latency; all episodes at once. `python -m
benchmarks.raylets`, which takes some minutes, is left out of `make bench`.
"""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

from benchmarks.measuring import Figure
from benchmarks.ray_hosts import Furniture
from benchmarks.serving import scripted_server
from benchmarks.shards import play
from benchmarks.turns import answers
from quintet.cluster.cluster import ray_cluster
from quintet.cluster.head import Head
from quintet.cluster.hosts import RunHosts
from quintet.cluster.long_polls import LongPolls
from quintet.cluster.placement import HostPlan, Layout, Resources
from quintet.ports.transport import HostName

_NODES, _EPOCHS, _CALLS, _LATENCY = 4, 5, 10, 5.0
_STARTS = 20
_AUTHENTICATION = "RAY_AUTH_MODE"


def figures() -> Iterator[Figure]:
    """How often each host has a node of its own; and seconds of runs, with their ratio to calls x latency."""
    os.environ.setdefault(_AUTHENTICATION, "disabled")
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(_NODES - 1):
            cluster.add_node(num_cpus=1)
        for cpus in (0.01, 0.0):
            yield _spread(cluster.address, cpus)
        with tempfile.TemporaryDirectory() as name, scripted_server(answers(_CALLS), Path(name), _LATENCY) as url:
            for drivers in (1, 4):
                yield _measure(cluster.address, url, drivers, Path(name) / str(drivers))
    finally:
        cluster.shutdown()


def _spread(address: str, cpus: float) -> Figure:
    alone = sum(asyncio.run(_nodes_of_a_start(address, number, cpus)) == _NODES for number in range(_STARTS))
    title = f"starts of {_NODES} hosts, one on each of {_NODES} nodes, {cpus:g} cores each"
    return Figure(title, alone, "starts", f"of {_STARTS}")


async def _nodes_of_a_start(address: str, number: int, cpus: float) -> int:
    """On how many nodes the hosts of a run are."""
    plans = ((HostPlan(HostName(f"host-{each}"), ("answerer",), Resources(cpus=cpus)),) for each in range(_NODES))
    polls = LongPolls(Head())
    hosts = RunHosts(Layout(tuple(plans)), f"benchmark-spread-{cpus:g}-{number}", Furniture, polls)
    async with ray_cluster(address, dashboard=False) as cluster, hosts.started(cluster.nodes):
        nodes = len(hosts.places.split("; "))
        await hosts.stop()
        await polls.close()
    return nodes


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
