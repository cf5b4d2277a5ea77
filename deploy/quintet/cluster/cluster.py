"""The cluster of a run: a Ray started here, one that is joined, or the one this process already uses."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from quintet.cluster import join, ray_private
from quintet.cluster.nodes import alive_nodes, check_versions
from quintet.cluster.ray_api import in_thread, ray, variables_kept
from quintet.cluster.spread import ClusterNode
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
    """Start a Ray that only this machine can reach, which ends with this process; a `UsageError` says why not."""
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


MODE = "RAY_AUTH_MODE"
_VARIABLES = (MODE, "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")


@contextmanager
def authenticated(address: str, processes: Path = Path("/proc")) -> Generator[None, None, None]:
    """Inside, Ray's client authenticates as the cluster at `address` asks; the variables are as before afterwards.

    If `RAY_AUTH_MODE` is set, it decides. Else the raylet of that cluster on this machine does, if we may read its
    environment: a machine with a driver has one. Else this user's own token is used, if there is one.

    Args:
        address: of the head, as the cluster knows it.
        processes: of this machine, where Linux lists them.
    """
    try:
        with variables_kept(*_VARIABLES):
            if MODE not in os.environ:
                os.environ.update(_as_its_node(address, processes))
                ray_private.read_authentication()
            yield
    finally:
        ray_private.read_authentication()


def _as_its_node(address: str, processes: Path) -> Mapping[str, str]:
    node = f"--gcs-address={address}"
    for process in processes.glob("[0-9]*"):
        try:
            program, *flags = (process / "cmdline").read_text().split("\0")
            if program.endswith("/raylet") and node in flags:
                return _authentication((process / "environ").read_bytes())
        except OSError:
            continue  # it ended, or is another user's
    return {MODE: "token"} if ray_private.has_token() else {}


def _authentication(environment: bytes) -> Mapping[str, str]:
    variables = (entry.partition("=") for entry in environment.decode(errors="surrogateescape").split("\0"))
    return {name: value for name, _, value in variables if name in _VARIABLES}
