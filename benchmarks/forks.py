"""A branch of a search: a fork by message, on one host and across two Ray hosts, beside a reset and replay."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from benchmarks.alfworld import kitchens, measure_official
from benchmarks.measuring import ROUNDS, Figure
from quintet.cluster.cluster import ray_cluster
from quintet.cluster.head import Head
from quintet.cluster.hosts import RunHosts
from quintet.cluster.long_polls import LongPolls
from quintet.cluster.placement import HostPlan, Layout, Resources
from quintet.environments.alfworld.world import AlfWorld
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Fork, ListActions, Open, Opened, Session, Snapshot, Step, Task
from quintet.messages.message import Message, ReplyT, Request
from quintet.messages.paths import child, episode_path
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.roles.environment import Environment
from quintet.runtime.host import Host
from quintet.runtime.local import Loopback
from quintet.runtime.remote_journal import JOURNAL_ROLE, JournalWriter
from quintet.runtime.roles import Placement

_DEPTH = 20
_FORKS, _MOVES = 2_000, 200
_HERE, _THERE = HostName("host"), HostName("host-2")
_EPISODE = episode_path("task", 0, 0)


class Branched(Message, frozen=True, kw_only=True, tag="bench_branched"):
    fork: float
    """Seconds of a fork on the session's host, closed again."""
    move: float
    """Seconds of a snapshot there that is opened on this host, and closed again; 0 if there is no other host."""


class BranchOff(Request[Branched], frozen=True, kw_only=True, tag="bench_branch"):
    """Branch off a session of this host and one of another at a depth."""

    task: Task
    there: HostName | None


class _Brancher:
    """Asks the environments of this host and of the other one, one request at a time."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._asked = 0

    async def receive(self, request: BranchOff) -> Branched:
        here = await self._walk(self._host.name, request.task)
        forks = await self._fastest(_FORKS, self._fork, here)
        if request.there is None:
            return Branched(fork=forks, move=0.0)
        there = await self._walk(request.there, request.task)
        moves = await self._fastest(_MOVES, self._move, there, request.task)
        return Branched(fork=forks, move=moves)

    async def _ask(self, to: HostName, request: Request[ReplyT]) -> ReplyT:
        self._asked += 1
        address = Address(host=to, role="environment")
        return await self._host.ask(address, request, path=child(_EPISODE, self._asked), incarnation=1)

    async def _walk(self, to: HostName, task: Task) -> Session:
        """A session at the depth."""
        opened = await self._ask(to, Open(task=task))
        for number in range(_DEPTH):
            listed = await self._ask(to, ListActions(session=opened.session))
            assert listed.actions, "expected actions at every depth"
            action = listed.actions[number * 7 % len(listed.actions)]
            await self._ask(to, Step(session=opened.session, action=action))
        return opened.session

    async def _fork(self, session: Session) -> None:
        forked = await self._ask(self._host.name, Fork(session=session))
        await self._ask(self._host.name, Close(session=forked.session))

    async def _move(self, session: Session, task: Task) -> None:
        taken = await self._ask(_THERE, Snapshot(session=session))
        opened: Opened = await self._ask(self._host.name, Open(task=task, snapshot=taken.snapshot))
        await self._ask(self._host.name, Close(session=opened.session))

    async def _fastest(self, times: int, branch: Callable[..., Awaitable[None]], *args: object) -> float:
        best = float("inf")
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for _ in range(times):
                await branch(*args)
            best = min(best, (time.perf_counter() - began) / times)
        return best


class _Spawner:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def spawn_roles(self, host: Host, placement: Placement) -> None:
        host.spawn("environment", Environment(AlfWorld(data=str(self._folder)), host=host.name))
        host.spawn("brancher", _Brancher(host))


async def _measure_fork(folder: Path, task: Task) -> float:
    """Seconds of a fork on the host that has the journal too, as without Ray."""
    journal = SqliteJournal(":memory:")
    host = Host(DRIVER, Loopback(DRIVER), journal)
    _Spawner(folder).spawn_roles(host, Placement({}))
    address = Address(host=DRIVER, role="brancher")
    request = BranchOff(task=task, there=None)
    branched = await host.ask(address, request, path=_EPISODE, incarnation=journal.begin(_EPISODE))
    await host.close()
    return branched.fork


async def _measure(folder: Path, task: Task) -> Branched:
    layout = Layout(tuple((HostPlan(name, ("environment", "brancher"), Resources()),) for name in (_HERE, _THERE)))
    polls = LongPolls(Head())
    journal = SqliteJournal(":memory:")
    driver = Host(DRIVER, polls.transport, journal)
    driver.listen(JOURNAL_ROLE, JournalWriter(journal, driver))
    hosts = RunHosts(layout, "benchmark-forks", lambda: _Spawner(folder), polls)
    async with ray_cluster(None, dashboard=False) as cluster, hosts.started(cluster.nodes):
        polls.open(hosts.handles)
        address = Address(host=_HERE, role="brancher")
        branched = await driver.ask(
            address, BranchOff(task=task, there=_THERE), path=_EPISODE, incarnation=journal.begin(_EPISODE)
        )
        await hosts.stop()
        await driver.close()
        await polls.close()
    return branched


def figures() -> Iterator[Figure]:
    """Microseconds, beside the official engine where `make conformance` has made its environment."""
    with kitchens() as (folder, world):
        official = measure_official(folder)
        task = Task(name=world.tasks("games")[0], seed=0)
        local, branched = asyncio.run(_measure_fork(folder, task)), asyncio.run(_measure(folder, task))
    places = (("on one host", local), ("on one Ray host", branched.fork), ("across two Ray hosts", branched.move))
    for title, seconds in places:
        beside = ""
        if official is not None:
            replay = official.replay(_DEPTH)
            beside = f"{replay / seconds:,.0f} x faster than the official engine's reset and replay, {replay:.2f} s"
        yield Figure(f"alfworld branch at depth {_DEPTH}, {title}", seconds * 1e6, "us", beside)
