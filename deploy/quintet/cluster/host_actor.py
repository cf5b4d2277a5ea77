"""A host inside a Ray actor, and how it is called from outside."""

import asyncio
import gc
import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path as FilePath
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import msgspec
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from quintet.cluster.driver_mailbox import DriverMailbox
from quintet.cluster.placement import HostPlan
from quintet.cluster.ray_api import RemoteMethod, ray
from quintet.cluster.spread import ClusterNode
from quintet.cluster.transport import RayTransport, Route, deliver
from quintet.errors import Fault, FaultNote, RunClosed
from quintet.messages.paths import VISIT, Path
from quintet.messages.visit import Visit, VisitFailed
from quintet.messages.wire import encode
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.runtime.garbage import collect_rarely
from quintet.runtime.gateway import GATEWAY
from quintet.runtime.host import Host
from quintet.runtime.logs import logging_to
from quintet.runtime.roles import Placement

_MethodT = TypeVar("_MethodT", bound=Callable[..., Any])


class RoleSpawner(Protocol):
    """Spawns roles on a host; a `RunSpec` is one."""

    def spawn_roles(self, host: Host, placement: Placement) -> object:
        """Spawn on `host` the roles that live there."""
        ...


SpawnerFactory: TypeAlias = Callable[[], RoleSpawner]
"""Makes the role spawner on the node of a host. It is pickled, so all that it names must be installed there."""

_NODE = "ray.io/node-id"
"""A label that Ray gives every node."""

_CONTROL = "control"
"""A concurrency group with its own loop and thread, so that control works while the host is busy."""
_VISITS, _AT_ONCE = "visits", 1000
"""Another, so that visits leave room for messages, however many wait for their answers."""


def _control(method: _MethodT) -> _MethodT:
    return cast("_MethodT", ray.method(concurrency_group=_CONTROL)(method))


def _visits(method: _MethodT) -> _MethodT:
    return cast("_MethodT", ray.method(concurrency_group=_VISITS)(method))


class RayHost:
    """The actor. Its data methods run on the host's loop; methods of the control group pass work to that loop."""

    def __init__(self, name: HostName) -> None:
        collect_rarely()
        self._name = name
        self._mailbox = DriverMailbox()
        self._transport = RayTransport(name, self._mailbox.report_silent, self._mailbox.report_silent)
        self.host = Host(name, self._transport)
        self._logging = ExitStack()
        self._visit_numbers = itertools.count(1)

    def __repr__(self) -> str:
        return self._name  # as Ray's own tools show it

    async def spawn_roles(
        self,
        factory: SpawnerFactory,
        placement: Placement,
        peers: "Mapping[HostName, HostHandle]",
        logs: FilePath | None,
    ) -> str:
        """Spawn the roles that live here. Call this, and wait for it, before anything else.

        Args:
            peers: every host but the driver's.
            logs: the run's folder of logs. No log is written if it is None or this node does not have it.

        Returns:
            The id of this node.

        Raises:
            UsageError: this node lacks something that the factory names.
        """
        self._loop = asyncio.get_running_loop()
        self._placement = placement
        routes: dict[HostName, Route] = {name: partial(deliver, peer.accept, name) for name, peer in peers.items()}
        self._transport.connect({**routes, DRIVER: self._mailbox.put})
        if logs is not None and logs.is_dir():  # noqa: ASYNC240  once, before there is other work
            self._logging.enter_context(logging_to(logs, self._name))
        factory().spawn_roles(self.host, placement)
        gc.freeze()  # what lives until the process ends is not looked through
        node: str = ray.get_runtime_context().get_node_id()
        return node

    async def accept(self, chunk: bytes) -> bool:
        """Handle a chunk. Returns whether it could be decoded."""
        return self._transport.accept(chunk)

    async def poll(self, acknowledged: list[bool]) -> bytes:
        """The driver's long poll; see `DriverMailbox.poll`."""
        return await self._mailbox.poll(acknowledged)

    async def is_free(self) -> bool:
        """Whether the host does nothing and has no session."""
        return self.host.is_free

    async def wait_forever(self) -> None:
        """Never returns: a caller learns of this host's end by an error."""
        await asyncio.Event().wait()

    @_visits
    async def visit(self, visit: bytes) -> bytes:
        """Ask a role from outside any episode by an encoded `Visit`; a `Visited` or `VisitFailed`, encoded."""
        work = self._visit(msgspec.msgpack.decode(visit, type=Visit))
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _visit(self, visit: Visit) -> bytes:
        path = Path(f"{VISIT}/{self._name}/{next(self._visit_numbers)}")
        try:
            return encode(await self.host.ask(Address(host=DRIVER, role=GATEWAY), visit, path=path, incarnation=1))
        except Fault as fault:
            closed = RunClosed(f"{visit.role}: expected an open run, got one that was closed")
            return encode(VisitFailed(fault=FaultNote.of(closed if self.host.closed else fault)))

    @_control
    async def meet(self, name: HostName, peer: "HostHandle") -> None:
        """Learn how to reach a host that started later."""
        self._transport.connect({name: partial(deliver, peer.accept, name)})

    @_control
    async def ask_instead(self, dead: HostName, new: HostName) -> None:
        """Ask a new host in the place of a dead one from now on."""
        self._loop.call_soon_threadsafe(self.host.replaced.__setitem__, dead, new)

    @_control
    async def ask_too(self, new: HostName, roles: tuple[str, ...]) -> None:
        """Ask one host more for some roles from now on."""
        self._loop.call_soon_threadsafe(self._placement.add, new, roles)

    @_control
    async def ask_no_more(self, leaving: HostName) -> None:
        """Ask a host no more, but for the sessions that are open there."""
        self._loop.call_soon_threadsafe(self.host.leaving.add, leaving)

    @_control
    async def lose(self, name: HostName) -> None:
        """Handle the death of another host."""
        self._loop.call_soon_threadsafe(self._transport.lose, name)

    @_control
    async def stop(self) -> None:
        """Close the host. Returns when its last messages have arrived."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self.host.close(), self._loop))
        self._logging.close()


class HostHandle(Protocol):
    """A `RayHost`, as it is called from outside."""

    spawn_roles: "RemoteMethod[[SpawnerFactory, Placement, Mapping[HostName, HostHandle], FilePath | None], str]"
    accept: RemoteMethod[[bytes], bool]
    poll: RemoteMethod[[list[bool]], bytes]
    wait_forever: RemoteMethod[[], None]
    visit: RemoteMethod[[bytes], bytes]
    meet: "RemoteMethod[[HostName, HostHandle], None]"
    ask_instead: RemoteMethod[[HostName, HostName], None]
    ask_too: RemoteMethod[[HostName, tuple[str, ...]], None]
    ask_no_more: RemoteMethod[[HostName], None]
    is_free: RemoteMethod[[], bool]
    lose: RemoteMethod[[HostName], None]
    stop: RemoteMethod[[], None]


def _actor_class(roles: Sequence[str]) -> type[RayHost]:
    """The class that Ray's tools show: the role's own, `Executor`, or `RayHost` if several share the host."""
    if len(roles) > 1:
        return RayHost
    return type(roles[0].title().replace("_", "").replace("-", ""), (RayHost,), {})


def start_host(
    plan: HostPlan,
    namespace: str,
    node: ClusterNode | None,
    *,
    strictly: bool,
    avoiding: ClusterNode | None = None,
    env: Mapping[str, object] | None = None,
) -> HostHandle:
    """Start a host's actor. Returns before it runs.

    Args:
        namespace: Ray's, for the actor's name.
        node: preferred node; None: Ray chooses one as soon as one has the resources.
        strictly: whether it fails if Ray does not find that node, in place of starting on another.
        avoiding: a node that Ray does not choose.
        env: Ray's `runtime_env`.
    """
    reserved = plan.resources
    # Ray overlooks a soft affinity of an actor that reserves nothing.
    hard = strictly or not reserved.by_name()
    where = "SPREAD" if node is None else NodeAffinitySchedulingStrategy(node.id, soft=not hard)
    actor = ray.remote(concurrency_groups={_CONTROL: 1, _VISITS: _AT_ONCE})(_actor_class(plan.roles))
    return cast(
        "HostHandle",
        actor.options(
            name=plan.name,
            namespace=namespace,
            num_cpus=reserved.cpus,
            num_gpus=reserved.gpus,
            memory=reserved.memory or None,
            resources=dict(reserved.custom) or None,
            scheduling_strategy=where,
            label_selector={_NODE: f"!{avoiding.id}"} if node is None and avoiding is not None else None,
            runtime_env=dict(env) if env else None,
            max_restarts=0,
            max_task_retries=0,
        ).remote(plan.name),
    )
