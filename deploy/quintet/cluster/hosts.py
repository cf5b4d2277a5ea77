"""A run's host actors: started together, given their roles, and stopped."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from ray.exceptions import ActorDiedError, RayError, RaySystemError, RayTaskError

from quintet.cluster.host_actor import HostHandle, SpawnerFactory, start_host
from quintet.cluster.nodes import ClusterNode, spread_hosts
from quintet.cluster.placement import HostPlan, Layout
from quintet.cluster.ray_api import in_thread, ray
from quintet.errors import UsageError, one_line
from quintet.ports.transport import HostName

_log = logging.getLogger("quintet.cluster")

_START_SECONDS = 120.0
"""Seconds in which every host must start. It may wait for resources that others use."""

_STOP_SECONDS = 10.0
"""Seconds in which a host must send its last messages. A resume repeats work whose messages are lost."""


@asynccontextmanager
async def start_hosts(
    layout: Layout, namespace: str, nodes: Sequence[ClusterNode]
) -> AsyncGenerator[Mapping[HostName, HostHandle], None]:
    """Start every host of a layout, without waiting for it; kill them all at the end."""
    places = spread_hosts(layout.hosts, nodes)
    handles: dict[HostName, HostHandle] = {}

    def start_all() -> None:
        for plan in layout.hosts:
            handles[plan.name] = start_host(plan, namespace, places.get(plan.name))

    def kill_all() -> None:
        for handle in handles.values():
            ray.kill(handle)

    try:
        await in_thread(start_all)
        yield handles
    finally:
        await in_thread(kill_all)


async def spawn_roles(
    layout: Layout, handles: Mapping[HostName, HostHandle], factory: SpawnerFactory, logs: Path | None
) -> None:
    """Spawn the roles of every host, in parallel.

    Raises:
        UsageError: a host did not start, or its node lacks something that the factory names.
    """
    await asyncio.gather(*(_spawn_roles_on(plan, layout, handles, factory, logs) for plan in layout.hosts))


async def _spawn_roles_on(
    plan: HostPlan, layout: Layout, handles: Mapping[HostName, HostHandle], factory: SpawnerFactory, logs: Path | None
) -> None:
    peers = {name: handle for name, handle in handles.items() if name != plan.name}
    try:
        async with asyncio.timeout(_START_SECONDS):
            await handles[plan.name].spawn_roles.remote(factory, layout.seen_from(plan), peers, logs)
    except TimeoutError as error:
        asked = plan.resources.by_name() or "nothing"
        raise UsageError(
            f"host {plan.name} did not start within {_START_SECONDS:.0f} s: it reserves {asked}"
        ) from error
    except RayTaskError as error:
        # `RaySystemError`, with a traceback in its text: the factory itself could not be unpickled.
        if isinstance(error.cause, UsageError | ImportError | RaySystemError):
            raise UsageError(f"host {plan.name}: {str(error.cause).splitlines()[0]}") from error
        raise
    except RayError as error:
        raise UsageError(f"host {plan.name} did not start: {one_line(error)}") from error


async def stop_hosts(handles: Mapping[HostName, HostHandle]) -> None:
    """Let every host send its last messages, and close it; kill one that takes too long."""
    await asyncio.gather(*(_stop(name, handle) for name, handle in handles.items()))


async def _stop(name: HostName, handle: HostHandle) -> None:
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await handle.stop.remote()
    except ActorDiedError:
        return
    except (TimeoutError, RayError) as error:
        _log.warning("host %s did not stop; killing it: %r", name, error)
        await in_thread(lambda: ray.kill(handle))
