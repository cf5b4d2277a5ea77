"""A run's host actors: started together, given their roles, replaced when they die, and stopped."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path

from ray import ObjectRef
from ray.exceptions import ActorDiedError, RayError, RaySystemError, RayTaskError

from quintet.cluster.host_actor import HostHandle, SpawnerFactory, start_host
from quintet.cluster.long_polls import LongPolls
from quintet.cluster.nodes import alive_nodes, check_versions
from quintet.cluster.placement import HostPlan, Layout
from quintet.cluster.shared_limiter import SharedLimiters
from quintet.cluster.spread import ClusterNode, describe_places, describe_wait, spread_hosts, usable_nodes
from quintet.errors import HostLost, UsageError, one_line
from quintet.ports.transport import HostName

_log = logging.getLogger("quintet.cluster")

_START_SECONDS = 120.0
"""Seconds in which every host must start. It may wait for resources that others use."""

_SCALE_SECONDS = 900.0
"""The same where the cluster adds a node for it first."""

_STOP_SECONDS = 10.0
"""Seconds in which a host must send its last messages. A resume repeats work whose messages are lost."""

_MEET_SECONDS = 10.0
"""Seconds in which a host is told of a new one. One that was not told loses its messages to it, and asks again."""


@dataclass(eq=False)
class RunHosts:
    """The host actors of a run, and all that must know them."""

    layout: Layout
    namespace: str
    """Ray's, for the actors' names."""
    factory: SpawnerFactory
    """Makes the spawner of their roles on their node."""
    polls: LongPolls
    _: KW_ONLY
    shared: SharedLimiters | None = None
    """The limiters that the run shares with others, which end with its hosts; None: none."""
    logs: Path | None = None
    """The run's folder of logs; None: none are written."""
    env: Mapping[str, object] | None = None
    """Ray's `runtime_env` of each; None: none."""
    exclude_driver: bool = False
    """No host starts on the driver's node."""
    autoscaling: bool = False
    """The cluster adds nodes for hosts that wait for room."""

    def __post_init__(self) -> None:
        self._head = self.polls.head
        self.placement = self.layout.from_driver
        """As the driver's host sees it."""
        self.handles: dict[HostName, HostHandle] = {}
        """All that were started, dead ones too."""
        self._nodes: dict[HostName, ClusterNode] = {}
        """Where each of them runs, or ran."""
        self._pinned: dict[HostName, ClusterNode] = {}
        """Where each was to start; without those that were left to Ray."""
        self._failed: set[str] = set()
        """Ids of nodes on which one did not start."""

    @property
    def places(self) -> str:
        """Which living hosts are where, for a person."""
        return describe_places({name: node for name, node in self._nodes.items() if name not in self.polls.dead})

    @asynccontextmanager
    async def started(self, nodes: Sequence[ClusterNode]) -> AsyncGenerator[None, None]:
        """Start all of them and their roles, and kill them at the end; a `UsageError` if one does not start."""
        try:
            await self._head.ask(partial(self._start_actors, self.layout.hosts, nodes, strictly=False))
            await asyncio.gather(*map(self._spawn_roles, self.layout.hosts))
            await self._join_shared()
            yield
        finally:
            await self._head.kill(*self.handles.values())

    def _start_actors(self, plans: Sequence[HostPlan], nodes: Sequence[ClusterNode], *, strictly: bool) -> None:
        lives_on = [node.id for host, node in self._nodes.items() if host not in self.polls.dead]
        usable = usable_nodes(nodes, exclude_driver=self.exclude_driver)
        self._pinned |= spread_hosts(plans, usable, lives_on, self._failed)
        for plan in plans:
            if plan.name not in self._pinned and not self.autoscaling and (waits := describe_wait(plan, usable)):
                _log.warning("%s", waits)
                break  # the others wait for the same
        avoiding = next((node for node in nodes if node.drives and self.exclude_driver), None)
        for plan in plans:
            node = self._pinned.get(plan.name)
            self.handles[plan.name] = start_host(
                plan, self.namespace, node, strictly=strictly, avoiding=avoiding, env=self.env
            )

    async def _spawn_roles(self, plan: HostPlan) -> None:
        peers = {name: handle for name, handle in self.handles.items() if name != plan.name}
        placement = self.layout.seen_from(plan)
        seconds = _SCALE_SECONDS if self.autoscaling else _START_SECONDS
        try:
            async with asyncio.timeout(seconds):
                node = await self.handles[plan.name].spawn_roles.remote(self.factory, placement, peers, self.logs)
            self._nodes[plan.name] = await self._head.ask(partial(_checked_node, node))
        except TimeoutError as error:
            usable = usable_nodes(await self._head.ask(alive_nodes), exclude_driver=self.exclude_driver)
            why = describe_wait(plan, usable) or "there is room for it"
            raise UsageError(f"host {plan.name} did not start within {seconds:.0f} s: {why}") from error
        except RayTaskError as error:
            # `RaySystemError`, with a traceback in its text: the factory itself could not be unpickled.
            if isinstance(error.cause, UsageError | ImportError | RaySystemError):
                raise UsageError(f"host {plan.name}: {str(error.cause).splitlines()[0]}") from error
            raise
        except RayError as error:
            raise UsageError(f"host {plan.name} did not start: {one_line(error)}") from error

    async def _join_shared(self) -> None:
        if self.shared is not None:
            await self.shared.join(self.handles, self._head)

    # Replacement and resizing; see `HostStarter`

    async def start(self, name: HostName, like: HostName, *, instead: bool) -> None:
        before = self.layout
        layout, plan = before.replace(like, name) if instead else before.add(name, like)
        await self._head.ask(lambda: self._start_actors([plan], fit_nodes(), strictly=True))
        self.layout, new = layout, self.handles[name]
        try:
            await self._spawn_roles(plan)
            for dead in list(self.polls.dead):
                await new.lose.remote(dead)
            await self._join_shared()
        except (UsageError, HostLost, RayError) as error:
            await self._head.kill(new)
            if name in self._pinned:
                self._failed.add(self._pinned[name].id)
            self.layout = before
            if isinstance(error, RayError):
                raise UsageError(f"host {name}: {one_line(error)}") from error
            raise
        await self._tell_others(name, lambda other: other.meet.remote(name, new))
        self.polls.add(name, new)

    async def announce(self, name: HostName, like: HostName, *, instead: bool) -> None:
        if instead:
            await self._tell_others(name, lambda other: other.ask_instead.remote(like, name))
            return
        [roles] = [plan.roles for plan in self.layout.hosts if plan.name == name]
        self.placement.add(name, roles)
        await self._tell_others(name, lambda other: other.ask_too.remote(name, roles))

    async def retire(self, name: HostName) -> None:
        self.layout = self.layout.remove(name)
        await self._tell_others(name, lambda other: other.ask_no_more.remote(name))

    async def is_free(self, name: HostName) -> bool:
        try:
            return await self.handles[name].is_free.remote()
        except ActorDiedError:
            return True
        except RayError:
            return False

    async def give_back(self, name: HostName) -> None:
        await self._stop(name, self.handles[name])
        self.polls.give_back(name)
        await self._head.kill(self.handles[name])

    async def _tell_others(self, name: HostName, tell: "Callable[[HostHandle], ObjectRef[None]]") -> None:
        others = [host for other, host in self.handles.items() if other != name and other not in self.polls.dead]
        telling = [asyncio.wrap_future(tell(host).future()) for host in others]
        if telling:
            await asyncio.wait(telling, timeout=_MEET_SECONDS)

    async def stop(self) -> None:
        """Let every host send its last messages, and close it; kill one that takes too long."""
        await asyncio.gather(*(self._stop(name, handle) for name, handle in self.handles.items()))

    async def _stop(self, name: HostName, handle: HostHandle) -> None:
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await handle.stop.remote()
        except ActorDiedError:
            return
        except (TimeoutError, RayError) as error:
            _log.warning("host %s did not stop; killing it: %r", name, error)
            await self._head.kill(handle)


def fit_nodes() -> list[ClusterNode]:
    """The nodes that are alive and have the same versions as here; those that joined since are asked for theirs."""
    fit: list[ClusterNode] = []
    for node in alive_nodes():
        try:
            check_versions([node])
            fit.append(node)
        except UsageError as error:
            _log.warning("no host is started there: %s", error)
    return fit


def _checked_node(node_id: str) -> ClusterNode:
    """The node of a host that has started; a `UsageError` if it died, or joined since and has other versions."""
    for node in alive_nodes():
        if node.id == node_id:
            check_versions([node])
            return node
    raise UsageError(f"node {node_id[:12]} died")
