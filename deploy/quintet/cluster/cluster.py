"""The cluster of a run: a Ray started here, one that is joined, or the one this process already uses."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from quintet.cluster import join
from quintet.cluster.authentication import authenticated
from quintet.cluster.nodes import ClusterNode, alive_nodes, check_versions
from quintet.cluster.ray_api import in_thread, ray
from quintet.errors import UsageError

_REAPER = Path(__file__).with_name("reaper.py")
_ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # on every system: listen on the loopback address only
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",  # it kills hosts when the machine is full, whichever program filled it
}


@dataclass(frozen=True)
class Cluster:
    """A Ray that this process is connected to."""

    nodes: Sequence[ClusterNode]
    """All of them, with the same versions as here."""
    dashboard: str
    """URL; empty if there is none."""


@asynccontextmanager
async def ray_cluster(address: str | None, *, dashboard: bool = True) -> AsyncGenerator[Cluster, None]:
    """Connect to a cluster, and leave it as it was found.

    If this process is already connected (a notebook, a Ray actor), that connection is used, and stays.

    Args:
        address: `host:port` or `auto`; None: a new Ray on this machine, which ends with us.
        dashboard: whether a new Ray has one; without it, Ray's command line shows nothing.

    Raises:
        UsageError: there is no such cluster, this process uses another one, or a node has other versions.
    """
    async with AsyncExitStack() as stack:
        if ray.is_initialized():
            join.refuse_other(address)
        else:
            if address is None:
                head = await stack.enter_async_context(_local_ray(dashboard=dashboard))
            else:
                head = await in_thread(partial(join.find, address))
            stack.enter_context(authenticated(head))
            stack.push_async_callback(in_thread, join.leave)
            await in_thread(partial(join.join_own if address is None else join.join, head))
        nodes = await in_thread(alive_nodes)
        await in_thread(partial(check_versions, nodes))
        yield Cluster(nodes, join.dashboard())


@asynccontextmanager
async def _local_ray(*, dashboard: bool) -> AsyncGenerator[str, None]:
    """Start a Ray that only this machine can reach, in a reaper that ends it with this process. Yields its address.

    Raises:
        UsageError: it did not start; says why.
    """
    with tempfile.TemporaryFile() as errors:
        # In a session of its own: Ctrl-C is for us, and we end the reaper. `-P`: our modules hide no others.
        reaper = subprocess.Popen(  # noqa: ASYNC220  returns at once; Ray starts in the background
            [sys.executable, "-P", str(_REAPER), "dashboard" if dashboard else "plain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | _ENVIRONMENT,
            start_new_session=True,
        )
        with reaper:
            assert reaper.stdin is not None
            assert reaper.stdout is not None
            try:
                line = await asyncio.to_thread(reaper.stdout.readline)  # returns if the reaper ends, too
                if not line:
                    errors.seek(0)
                    reason = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
                    raise UsageError(f"Ray did not start on this machine: {reason}")
                yield json.loads(line)["address"]
            finally:
                reaper.stdin.close()
                await in_thread(reaper.wait)
