"""The cluster of a run: started here, joined, or the one this process is in already; left as it was found."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from quintet.cluster import inspection
from quintet.cluster import join as joining
from quintet.cluster.local import local_ray
from quintet.cluster.nodes import Node
from quintet.cluster.ray_api import ray
from quintet.cluster.threads import in_thread


@dataclass(frozen=True)
class Cluster:
    """A Ray that this process is connected to."""

    nodes: Sequence[Node]
    """All of them fit for this run: the same versions as here."""
    dashboard: str
    """Where a person can look at it; empty where nobody knows."""


@asynccontextmanager
async def ray_cluster(address: str | None, *, dashboard: bool = True) -> AsyncGenerator[Cluster, None]:
    """Be connected to a cluster.

    Where this process is connected already (a notebook, a Ray actor), that connection is used, and stays.

    Args:
        address: `host:port` or `auto`; None: a Ray of our own on this machine, which ends with us.
        dashboard: whether a Ray of our own has one; without it, Ray's command line shows nothing.

    Raises:
        UsageError: no cluster there, another than this process is in, or one with a node that is not fit for this run.
    """
    async with AsyncExitStack() as stack:
        if ray.is_initialized():
            joining.refuse_other(address)
        else:
            if address is None:
                own = await stack.enter_async_context(local_ray(dashboard=dashboard))
                connect = partial(joining.join_own, own.address)
            else:
                connect = partial(joining.join, address)
            stack.push_async_callback(in_thread, joining.leave)
            await in_thread(connect)
        nodes = await in_thread(inspection.nodes)
        await in_thread(partial(inspection.check_versions, nodes))
        yield Cluster(nodes, joining.dashboard())
