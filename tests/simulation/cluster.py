"""A simulated cluster: a driver and several hosts, each with its own actors, joined by the faulty network."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType

from quintet.events import EpisodeEnded
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import DRIVER, HostName
from quintet.quota.quota import Quota
from quintet.roles.environment import Environment
from quintet.roles.registry import ROLES
from quintet.runtime.host import Host
from quintet.runtime.host_pool import HostPool
from quintet.runtime.incarnation import Planned
from quintet.runtime.remote_journal import JOURNAL_ROLE, JournalWriter
from quintet.runtime.roles import HostRoles, Placement
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.simulation.network import Network


def colocated(*names: str) -> Placement:
    """Every role on every host, as a host sees it."""
    hosts = {role.name: [HostName(name) for name in names] for role in ROLES}
    return Placement(hosts, own=hosts.keys())


COLOCATED = colocated("host", "host-2", "host-3")
"""Every episode's roles on one host: only the driver's traffic and spread branches cross the network."""

PER_ROLE = Placement(
    {
        "planner": [HostName("planner"), HostName("planner-2")],
        "executor": [HostName("executor"), HostName("executor-2")],
        "reflector": [HostName("reflector"), HostName("reflector-2")],
        "memory": [HostName("memory"), HostName("memory-2")],
        "environment": [HostName("environment"), HostName("environment-2")],
        "subtask": [HostName("subtask"), HostName("subtask-2")],
    }
)
"""Every role on hosts of its own: everything crosses the network."""


@dataclass(frozen=True)
class Faults:
    """Delay and loss of messages, kills of hosts at virtual times, and how many dead hosts are replaced."""

    delay: float = 0.0
    loss: float = 0.0
    kills: Sequence[tuple[float, HostName]] = ()
    replacements: int = 0


class Cluster(Runtime):
    """Several hosts of one run.

    Args:
        placement: of its roles, as a host sees it.
        slots: of each host with subtasks.
    """

    def __init__(
        self,
        spec: RunSpec,
        journal: SqliteJournal,
        network: Network,
        placement: Placement,
        *,
        slots: int,
        quota: Quota | None = None,
    ) -> None:
        super().__init__(spec, journal, network.transport(DRIVER), quota)
        self.host.listen(JOURNAL_ROLE, JournalWriter(journal, self.host))
        self.network = network
        self.placement = placement = Placement(
            {role: list(hosts) for role, hosts in placement.hosts.items()}, own=placement.own
        )
        names = sorted({name for hosts in placement.hosts.values() for name in hosts})
        self.hosts = {name: Host(name, network.transport(name)) for name in names}
        """By name, but for the driver's."""
        for host in self.hosts.values():
            spec.spawn_roles(host, placement)
        self.roles = HostRoles(self.host, replace(placement, own=()), step_deadline=None)
        self.drive(dict.fromkeys(placement.hosts["subtask"], slots), names, placement.hosts["environment"])
        self.pool: HostPool | None = None
        """Of the faults that were injected."""

    async def start(self, name: HostName, like: HostName, *, instead: bool) -> None:
        """Start a host, which takes its time."""
        await asyncio.sleep(self.network.some_delay(f"{name} starts"))
        self.hosts[name] = host = Host(name, self.network.transport(name))
        host.lost |= self.network.dead
        host.leaving |= self.host.leaving
        before = self.placement.hosts
        if instead:
            after = {role: [name if each == like else each for each in names] for role, names in before.items()}
            self.placement = Placement(after, own=self.placement.own)
        else:
            self.placement.add(name, [role for role, names in before.items() if like in names])
        self.spec.spawn_roles(host, self.placement)

    async def announce(self, name: HostName, like: HostName, *, instead: bool) -> None:
        """Let the other hosts ask it in the place of a dead one, each after a time of its own. All know of one more."""
        for other, host in self.hosts.items() if instead else ():
            delay = self.network.some_delay(f"{other} hears that {name} started")
            asyncio.get_running_loop().call_later(delay, host.replaced.__setitem__, like, name)

    async def retire(self, name: HostName) -> None:
        """Let no host ask it any more. All know at once."""
        for host in self.hosts.values():
            host.leaving.add(name)

    async def is_free(self, name: HostName) -> bool:
        """Whether it does nothing and has no session, or died."""
        return name in self.network.dead or self.hosts[name].is_free

    async def give_back(self, name: HostName) -> None:
        """End a host."""
        await self.hosts[name].close()
        self.network.kill(name)

    def inject(self, faults: Faults) -> None:
        """Kill hosts at the given times, those that live then, and replace as many as given."""
        groups = {tuple(names) for names in self.placement.hosts.values()}
        self.pool = HostPool(self.host, self.runner, sorted(groups), self, most=faults.replacements)
        for when, name in faults.kills:
            asyncio.get_running_loop().call_later(when, self._kill, name)

    def _kill(self, name: HostName) -> None:
        if name in self.hosts:
            self.network.kill(name)

    def survivors(self) -> list[Host]:
        """The hosts that live, the driver's among them."""
        return [self.host, *(host for name, host in self.hosts.items() if name not in self.network.dead)]

    async def finish(self, episodes: Iterable[Planned]) -> list[EpisodeEnded]:
        """Run episodes, and let everything under way arrive; then nothing that lives may hold anything."""
        ended = [end async for end in self.run(episodes)]
        self.network.loss = 0.0
        await asyncio.sleep(60)
        for host in self.survivors():
            assert host.idle, f"{host.name} is not idle"
            for actor in host.actors.values():
                assert not isinstance(actor, Quota) or not actor.permits, f"permits are out: {actor.permits}"
                if isinstance(actor, Environment):
                    assert (actor.sessions, actor.places_held) == (0, 0), f"{host.name} holds sessions"
        return ended

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pool is not None:
            await self.pool.close()
        for host in reversed(self.survivors()):
            await host.close()
