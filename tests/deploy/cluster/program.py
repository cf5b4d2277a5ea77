"""Programs that tests run, signal and kill: `python -m tests.deploy.cluster.program WHAT [ADDRESS]`.

Each prints lines that a test waits for.
"""

import asyncio
import signal
import sys
from functools import partial
from typing import Any, cast

from quintet.cluster.head import AWAY_SECONDS
from quintet.cluster.placement import PlacementConfig
from quintet.cluster.ray_api import ray
from quintet.cluster.runtime import RayRuntime
from quintet.config.settings import from_assignments
from quintet.errors import HostLost
from quintet.events import CallMade
from quintet.journal.feed import Feed
from quintet.journal.writer import SqliteJournal
from quintet.launch.build import build
from quintet.launch.prepare import prepare
from quintet.runtime.incarnation import Planned
from tests.simulation.scenes import Fetcher, Slow, contest, planned

GOALS = ("lantern", "beehive")


def said(*words: object) -> None:
    print(*words, flush=True)


async def ran(
    address: str | None = None, *, seconds: float = 0.01, dashboard: bool = False, away: float = AWAY_SECONDS
) -> int:
    """Run two episodes whose calls take from `seconds` to twice as long; returns how many ended.

    On one host or, where a dashboard shows them, on one for each role.
    """
    factory = partial(contest, 0, Slow(Fetcher(), unit=seconds))
    spec = factory()
    journal = SqliteJournal(":memory:")
    placement = PlacementConfig("per-role" if dashboard else "colocated", hosts=1)
    runtime = RayRuntime(
        spec,
        factory,
        journal,
        concurrency=2,
        placement=placement,
        name="test",
        address=address,
        dashboard=dashboard,
        away=away,
    )
    async with runtime:
        if dashboard:
            said("actors", *await listed(runtime))
            said("dashboard", runtime.dashboard)
        said("open", runtime.namespace)
        ended = await ends(runtime, planned(spec, GOALS))
    journal.close()
    return ended


async def listed(runtime: RayRuntime) -> list[str]:
    """Ray's actors, each with its class and its state."""
    from ray.util.state import list_actors

    actors: list[Any] = await asyncio.to_thread(cast("Any", list_actors), address=runtime.dashboard)
    return sorted(f"{actor.class_name}:{actor.name}:{actor.state}" for actor in actors)


async def ends(runtime: RayRuntime, episodes: list[Planned]) -> int:
    """How many episodes ended."""
    return len([end async for end in runtime.run(episodes)])


async def until_signalled(address: str | None = None) -> None:
    """Run an endless episode until SIGINT or SIGTERM."""
    running = asyncio.ensure_future(ran(address, seconds=1e6))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    await asyncio.wait([running])
    said("left", running.cancelled())


async def until_headless(address: str) -> None:
    """Run an endless episode on a cluster whose head goes away."""
    try:
        await ran(address, seconds=1e6, away=8)
    except HostLost as lost:
        said("suspended", lost)


async def debating(method: str) -> None:
    """Run a debate with every role on a host of its own, and list the actors."""
    given = (f"method.name={method}", "environment.name=textcraft", "run.tasks=stick", "model.name=sim-strong")
    on_ray = ("runtime.kind=ray", "runtime.placement=per-role", "runtime.hosts=1")
    prepared = prepare([from_assignments([*given, *on_ray])])
    journal = SqliteJournal(":memory:")
    runtime = cast("RayRuntime", build(prepared, journal, Feed(), name="test", logs=None).runtime)
    async with runtime:
        said("actors", *await listed(runtime))
        said("ended", await ends(runtime, planned(prepared.spec, ("stick",))))
    calls = [record.event for record in journal.reader.records() if isinstance(record.event, CallMade)]
    said("phases", *sorted({call.phase for call in calls}))
    journal.close()


class Embedding:
    """Another program's actor that runs an evaluation."""

    async def run(self) -> int:
        return await ran()


def in_use(address: str) -> None:
    """Use the program's connection, then the one of an actor of its own."""
    ray.init(address=address, log_to_driver=False)
    said("ended here", asyncio.run(ran()))
    actor = ray.remote(num_cpus=0)(Embedding).remote()
    said("ended in an actor", ray.get(actor.run.remote()))
    ray.shutdown()


def main(what: str, *address: str) -> None:
    match what:
        case "forever":
            asyncio.run(until_signalled(*address))
        case "headless":
            asyncio.run(until_headless(*address))
            said("after", "the report")
        case "listed":
            said("ended", asyncio.run(ran(dashboard=True)))
        case "debates":
            asyncio.run(debating(*address))
        case "in-use":
            in_use(*address)
        case _:
            raise ValueError(what)


if __name__ == "__main__":
    main(*sys.argv[1:])
