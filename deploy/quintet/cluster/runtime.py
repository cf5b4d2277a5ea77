"""The Ray runtime: the driver's host in this process, every other host inside a Ray actor."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from quintet.cluster.cluster import ray_cluster
from quintet.cluster.head import AWAY_SECONDS, Head
from quintet.cluster.host_actor import HostHandle, SpawnerFactory
from quintet.cluster.hosts import RunHosts, fit_nodes
from quintet.cluster.long_polls import LongPolls
from quintet.cluster.metrics import RunMetrics, report_metrics
from quintet.cluster.nodes import alive_nodes
from quintet.cluster.placement import Layout, PlacementConfig, lay_out
from quintet.cluster.remote_gateway import RemoteGateway
from quintet.cluster.shared_limiter import SharedLimiters
from quintet.cluster.spread import ClusterNode, check_capacity, cores, usable_nodes
from quintet.errors import HostLost
from quintet.events import EpisodeEnded
from quintet.journal.feed import Feed
from quintet.journal.writer import SqliteJournal
from quintet.ports.transport import HostName
from quintet.quota.quota import Quota
from quintet.roles.environment import ENVIRONMENT_ROLE
from quintet.runtime.gateway import AcceptedRequests
from quintet.runtime.host_pool import HostPool
from quintet.runtime.incarnation import Planned
from quintet.runtime.remote_journal import JOURNAL_ROLE, JournalWriter
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec

_LOOK_EVERY = 10.0
"""Seconds between two looks at the nodes of the cluster, while episodes wait."""


class RayRuntime(Runtime):
    """Runs episodes on a Ray cluster.

    Args:
        factory: makes the same spec on every node.
        concurrency: episodes at a time, over all hosts.
        name: of the run; its actors live in a Ray namespace of that name and six digits.
        logs: a folder for a log per host; hosts on nodes without it write none.
        shared: the limiters that `quota` shares with other runs, if any.
        address: of the cluster; see `ray_cluster`.
        away: seconds for which Ray's head may be silent.
        dashboard: whether a Ray that is started here has one.
        feed: of the run, from which Ray's metrics are counted; None: none are.
        replace: how many hosts that die are replaced at most; None: as many as there are.
        env: Ray's `runtime_env` of every host.
    """

    def __init__(
        self,
        spec: RunSpec,
        factory: SpawnerFactory,
        journal: SqliteJournal,
        *,
        concurrency: int,
        placement: PlacementConfig | None = None,
        quota: Quota | None = None,
        name: str = "run",
        logs: Path | None = None,
        shared: SharedLimiters | None = None,
        address: str | None = None,
        dashboard: bool = True,
        away: float = AWAY_SECONDS,
        replace: int | None = None,
        env: Mapping[str, object] | None = None,
        feed: Feed | None = None,
    ) -> None:
        self._head = Head(away)
        self._polls = LongPolls(self._head)
        super().__init__(spec, journal, self._polls.transport, quota)
        self.host.listen(JOURNAL_ROLE, JournalWriter(journal, self.host))
        self._factory = factory
        self._concurrency = concurrency
        self._placement = placement or PlacementConfig()
        self.namespace = f"quintet-{name}-{secrets.token_hex(3)}"
        """Ray's namespace for the names of the hosts."""
        self._logs = logs
        self._shared = shared
        self._address = address
        self._replace = replace
        self._env = env
        self._feed = feed
        self._wants_dashboard = dashboard
        self.dashboard = ""
        """URL, once the runtime is open; empty if there is none."""

    @property
    def whereabouts(self) -> str:
        command = f"RAY_AUTH_MODE=token ray list actors --address {self.dashboard}"
        look = f": {self.dashboard}, or {command}" if self.dashboard else ""
        return f"Ray namespace {self.namespace}{look}\nhosts: {self._hosts.places}"

    async def run(self, episodes: Iterable[Planned], *, last: bool = False) -> AsyncGenerator[EpisodeEnded, None]:
        """Run episodes as `Driver.run`; a `HostLost` if every host died, or Ray's head was away for too long."""
        async with aclosing(self.runner.run(episodes, last=last)) as ends:
            try:
                async for end in ends:
                    yield end
            except HostLost as lost:
                if self._head.lost:
                    raise HostLost(self._head.lost) from lost
                raise

    def remote_gateway(self, accepted: AcceptedRequests) -> RemoteGateway:
        return RemoteGateway(self.namespace, accepted)

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            cluster = await stack.enter_async_context(ray_cluster(self._address, dashboard=self._wants_dashboard))
            self.dashboard = cluster.dashboard
            layout = self._lay_out(self._placement, cluster.nodes)
            if not self._placement.autoscaling:
                check_capacity(layout.hosts, self._usable(cluster.nodes))
            self._hosts = RunHosts(
                layout,
                self.namespace,
                self._factory,
                self._polls,
                shared=self._shared,
                logs=self._logs,
                env=self._env,
                exclude_driver=self._placement.exclude_driver,
                autoscaling=self._placement.autoscaling,
            )
            await stack.enter_async_context(self._hosts.started(cluster.nodes))
            stack.push_async_callback(self._close)
            self._polls.open(self.handles)
            watching = asyncio.create_task(self._head.watch(self._lose_all))
            stack.callback(watching.cancel)
            self.roles = self.spec.spawn_roles(self.host, self._hosts.placement)
            homes = layout.from_driver.hosts.get(ENVIRONMENT_ROLE.name, ())
            self.drive(layout.slots(self._concurrency), list(self.handles), homes)
            groups = [[plan.name for plan in group] for group in layout.groups]
            most = len(layout.hosts) if self._replace is None else self._replace
            self._pool = HostPool(self.host, self.runner, groups, self._hosts, most=most)
            stack.push_async_callback(self._pool.close)
            self.runner.resize = self._resize
            for following in (self._follow_nodes(cluster.nodes), self._pool.give_back_idle()):
                stack.callback(asyncio.create_task(following).cancel)
            if self._feed is not None:
                metrics = RunMetrics(self.namespace, self.runner, lambda: len(self.quota.permits))
                await stack.enter_async_context(report_metrics(self._feed, metrics))
            self._stack = stack.pop_all()
        return self

    def _usable(self, nodes: Sequence[ClusterNode]) -> Sequence[ClusterNode]:
        return usable_nodes(nodes, exclude_driver=self._placement.exclude_driver)

    def _lay_out(self, placement: PlacementConfig, nodes: Sequence[ClusterNode]) -> Layout:
        roles = [role.name for role in self.spec.roles]
        return lay_out(placement, roles, cores=cores(self._usable(nodes)), concurrency=self._concurrency)

    def _resize(self, hosts: int) -> None:
        """Let the run have so many hosts, in the sense of `PlacementConfig.hosts`."""
        self._placement = replace(self._placement, hosts=hosts)
        self._pool.resize(self._lay_out(self._placement, ()).sizes)

    async def _follow_nodes(self, nodes: Sequence[ClusterNode]) -> None:
        """Start hosts on nodes that join, while episodes wait and nobody has said how many hosts there are to be."""
        sizes, seen = self._hosts.layout.sizes, {node.id for node in nodes}
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if self._placement.hosts is not None or not self.runner.queued:
                continue
            with suppress(HostLost):
                if {node.id for node in await self._head.ask(alive_nodes)} <= seen:
                    continue
                fit = await self._head.ask(fit_nodes)
                layout = self._lay_out(self._placement, fit)
                seen |= {node.id for node in fit}
                grown = {name: size for name, size in layout.sizes.items() if size > sizes[name]}
                sizes |= grown
                self._pool.resize(grown)

    @property
    def handles(self) -> Mapping[HostName, HostHandle]:
        """Every host actor that was started."""
        return self._hosts.handles

    def _lose_all(self) -> None:
        self._pool.stop()
        self._polls.lose_all()

    async def _close(self) -> None:
        # The other hosts first: their last messages are for this one.
        if not self._head.lost:
            await self._hosts.stop()
        await self.host.close()
        await self._polls.close()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()
