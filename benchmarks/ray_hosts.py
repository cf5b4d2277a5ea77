"""Ray hosts: messages between two of them, compared with one plain Ray call per message."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, cast

from benchmarks.measuring import ROUNDS, Figure
from quintet.cluster.cluster import ray_cluster
from quintet.cluster.head import Head
from quintet.cluster.hosts import RunHosts
from quintet.cluster.long_polls import LongPolls
from quintet.cluster.placement import HostPlan, Layout, Resources
from quintet.cluster.ray_api import ray
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Closed, Session
from quintet.messages.message import Message, Request
from quintet.messages.paths import Path, child, episode_path
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.runtime.host import Host
from quintet.runtime.roles import Placement

_ASKER, _ANSWERER = HostName("asker"), HostName("answerer")
_EPISODE = episode_path("task", 0, 0)
_REQUEST = Close(session=Session(id="task/0/0/1", host="here"))
_IN_FLIGHT, _EACH = 500, 40
_PLAIN_EACH = 4
_LONE = 300


class Measured(Message, frozen=True, kw_only=True, tag="bench_measured"):
    seconds: float


class Measure(Request[Measured], frozen=True, kw_only=True, tag="bench_measure"):
    """Ask the other host so often, from so many callers at once."""

    callers: int
    each: int


class _Answerer:
    async def receive(self, request: Close) -> Closed:
        return Closed()


class _Asker:
    def __init__(self, host: Host) -> None:
        self._host = host

    async def receive(self, request: Measure) -> Measured:
        address = Address(host=_ANSWERER, role="answerer")

        async def ask(path: Path) -> None:
            await self._host.ask(address, _REQUEST, path=path, incarnation=1)

        return Measured(seconds=await _time(ask, request.callers, request.each))


async def _time(ask: Callable[[Path], Awaitable[object]], callers: int, each: int) -> float:
    async def call(caller: int) -> None:
        path = child(_EPISODE, caller)
        for _ in range(each):
            await ask(path)

    began = time.perf_counter()
    await asyncio.gather(*(call(caller) for caller in range(callers)))
    return time.perf_counter() - began


class _Furniture:
    def spawn_roles(self, host: Host, placement: Placement) -> None:
        host.spawn("asker", _Asker(host))
        host.spawn("answerer", _Answerer())


class _Plain:
    """A plain Ray actor without a host: every message is a Ray call of its own."""

    async def answer(self, message: bytes) -> bytes:
        return message

    async def ask(self, other: Any, callers: int, each: int) -> float:
        return await _time(lambda path: other.answer.remote(path.encode()), callers, each)


async def _measure() -> tuple[float, float, float, float]:
    """Messages per second and the seconds of a lone ask: of hosts, then of plain calls."""
    groups = tuple((HostPlan(name, (name,), Resources()),) for name in (_ASKER, _ANSWERER))
    layout = Layout(groups)
    polls = LongPolls(Head())
    driver = Host(DRIVER, polls.transport, SqliteJournal(":memory:"))
    hosts = RunHosts(layout, "benchmark", _Furniture, polls)
    async with ray_cluster(None, dashboard=False) as cluster, hosts.started(cluster.nodes):
        polls.open(hosts.handles)
        asker = Address(host=_ASKER, role="asker")

        async def of_hosts(callers: int, each: int) -> float:
            measured = await driver.ask(asker, Measure(callers=callers, each=each), path=_EPISODE, incarnation=1)
            return measured.seconds

        actor = ray.remote(num_cpus=0)(_Plain)
        first, second = actor.remote(), actor.remote()

        async def of_calls(callers: int, each: int) -> float:
            return cast("float", await first.ask.remote(second, callers, each))

        await of_hosts(_IN_FLIGHT, 2)
        await of_calls(_IN_FLIGHT, 1)
        # An ask is two messages: it and its answer.
        by_hosts = max([2 * _IN_FLIGHT * _EACH / await of_hosts(_IN_FLIGHT, _EACH) for _ in range(ROUNDS)])
        by_calls = max([2 * _IN_FLIGHT * _PLAIN_EACH / await of_calls(_IN_FLIGHT, _PLAIN_EACH) for _ in range(ROUNDS)])
        lone_host = statistics.median([await of_hosts(1, 1) for _ in range(_LONE)])
        lone_call = statistics.median([await of_calls(1, 1) for _ in range(_LONE)])
        await hosts.stop()
        await driver.close()
        await polls.close()
    return by_hosts, by_calls, lone_host, lone_call


def figures() -> Iterator[Figure]:
    """Messages per second with many asks in flight, and how long a lone one takes."""
    hosts, calls, lone_host, lone_call = asyncio.run(_measure())
    beside = f"{hosts / calls:.0f} x one Ray call per message, {calls:,.0f} /s"
    yield Figure(f"messages between two Ray hosts, {_IN_FLIGHT} asks in flight", hosts, "/s", beside)
    yield Figure(
        "a lone ask between two Ray hosts, p50", lone_host * 1e3, "ms", f"plain Ray call {lone_call * 1e3:.1f} ms"
    )
