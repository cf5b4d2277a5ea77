"""The fleet: a run's host actors, started together, furnished, and ended."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from ray.exceptions import ActorDiedError, RayError, RaySystemError, RayTaskError

from quintet.cluster.host_actor import HostHandle, Recipe, start
from quintet.cluster.nodes import Node, spread
from quintet.cluster.placement import HostPlan, Layout
from quintet.cluster.ray_api import ray
from quintet.cluster.threads import in_thread
from quintet.errors import UsageError, one_line
from quintet.ports.transport import HostName

log = logging.getLogger("quintet.cluster")

_START_SECONDS = 120.0
"""In which every host must have begun: what it reserves may be taken by others at the moment."""

_STOP_SECONDS = 10.0
"""In which a host must have said all it had to say; a resume takes up what is lost with one that has not."""


@asynccontextmanager
async def started(
    layout: Layout, namespace: str, nodes: Sequence[Node]
) -> AsyncGenerator[Mapping[HostName, HostHandle], None]:
    """Start every host of a layout, without waiting for it; kill them all at the end."""
    places = spread(layout.hosts, nodes)
    handles: dict[HostName, HostHandle] = {}

    def start_all() -> None:
        for plan in layout.hosts:
            handles[plan.name] = start(plan, namespace, places.get(plan.name))

    def kill_all() -> None:
        for handle in handles.values():
            ray.kill(handle)

    try:
        await in_thread(start_all)
        yield handles
    finally:
        await in_thread(kill_all)


async def spawn_roles(
    layout: Layout, handles: Mapping[HostName, HostHandle], recipe: Recipe, logs: Path | None
) -> None:
    """Furnish every host, all at once.

    Raises:
        UsageError: a host did not begin, or something that the recipe names is not to be had on its node.
    """
    await asyncio.gather(*(_furnish(plan, layout, handles, recipe, logs) for plan in layout.hosts))


async def _furnish(
    plan: HostPlan, layout: Layout, handles: Mapping[HostName, HostHandle], recipe: Recipe, logs: Path | None
) -> None:
    peers = {name: handle for name, handle in handles.items() if name != plan.name}
    try:
        async with asyncio.timeout(_START_SECONDS):
            await handles[plan.name].spawn_roles.remote(recipe, layout.seen_from(plan), peers, logs)
    except TimeoutError as error:
        asked = plan.resources.by_name() or "nothing"
        raise UsageError(
            f"host {plan.name} did not start within {_START_SECONDS:.0f} s: it reserves {asked}"
        ) from error
    except RayTaskError as error:
        # Ray says `RaySystemError`, with a traceback, where the recipe itself cannot be unpickled.
        if isinstance(error.cause, UsageError | ImportError | RaySystemError):
            raise UsageError(f"host {plan.name}: {str(error.cause).splitlines()[0]}") from error
        raise
    except RayError as error:
        raise UsageError(f"host {plan.name} did not start: {one_line(error)}") from error


async def stop(handles: Mapping[HostName, HostHandle]) -> None:
    """Let every host say what it has to say, and close it; kill one that takes too long."""
    await asyncio.gather(*(_stop(name, handle) for name, handle in handles.items()))


async def _stop(name: HostName, handle: HostHandle) -> None:
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await handle.stop.remote()
    except ActorDiedError:
        return
    except (TimeoutError, RayError) as error:
        log.warning("host %s did not stop, and is killed: %r", name, error)
        await in_thread(lambda: ray.kill(handle))
