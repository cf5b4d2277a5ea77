"""The host actor: a host inside a Ray actor, and how it is called."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

from ray import ObjectRef
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from quintet.cluster.delivery import deliver
from quintet.cluster.driver_mailbox import DriverMailbox
from quintet.cluster.nodes import Node
from quintet.cluster.placement import HostPlan
from quintet.cluster.ray_api import ray
from quintet.cluster.transport import RayTransport, Route
from quintet.ports.transport import DRIVER, HostName
from quintet.runs.logs import logging_to
from quintet.runtime.host import Host
from quintet.runtime.roles import Placement

P = ParamSpec("P")
T = TypeVar("T")
MethodT = TypeVar("MethodT", bound=Callable[..., Any])


class RoleSpawner(Protocol):
    """What a host is furnished with: an `RunSpec`."""

    def spawn_roles(self, host: Host, placement: Placement) -> object:
        """Spawn on `host` what lives there."""
        ...


Recipe = Callable[[], RoleSpawner]
"""Makes the furniture on the node where it is needed. Pickled; whatever it names must be installed there."""

_CONTROL = "control"
"""A loop and a thread of their own, so that control is heard whatever the host is doing."""


def _control(method: MethodT) -> MethodT:
    return cast("MethodT", ray.method(concurrency_group=_CONTROL)(method))


class RayHost:
    """The actor. Its data methods run on the loop of its host; the methods of the control group hand over to it."""

    def __init__(self, name: HostName) -> None:
        self._name = name
        self._tray = DriverMailbox()
        self._transport = RayTransport(name, self._tray.report, self._tray.report)
        self.host = Host(name, self._transport)
        self._logging = ExitStack()

    def __repr__(self) -> str:
        return self._name  # as Ray's own tools show it

    async def spawn_roles(
        self, recipe: Recipe, placement: Placement, peers: "Mapping[HostName, HostHandle]", logs: Path | None
    ) -> None:
        """Spawn what lives here. To be answered before anything else is sent.

        Args:
            peers: every host but the driver's.
            logs: the run's folder of logs; None, or not to be seen from this node: no log.

        Raises:
            UsageError: something that the recipe names is not to be had on this node.
        """
        self._loop = asyncio.get_running_loop()
        routes: dict[HostName, Route] = {name: partial(deliver, peer.take, name) for name, peer in peers.items()}
        self._transport.connect({**routes, DRIVER: self._tray.put})
        if logs is not None and logs.is_dir():  # noqa: ASYNC240  once, before there is anybody to keep waiting
            self._logging.enter_context(logging_to(logs, self._name))
        recipe().spawn_roles(self.host, placement)

    async def take(self, piece: bytes) -> bool:
        """Take a piece; whether it is acknowledged."""
        return self._transport.take(piece)

    async def collect(self, taken: list[bool]) -> bytes:
        """The driver's standing call; see `DriverMailbox.carry`."""
        return await self._tray.carry(taken)

    async def stay(self) -> None:
        """Never answered: whoever waits for the answer hears of this host's end."""
        await asyncio.Event().wait()

    @_control
    async def lose(self, name: HostName) -> None:
        """A host died."""
        self._loop.call_soon_threadsafe(self._transport.lose, name)

    @_control
    async def stop(self) -> None:
        """Close the host; returns when everything it had to say has arrived."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self.host.close(), self._loop))
        self._logging.close()


class Remote(Protocol, Generic[P, T]):
    """A method of an actor, as it is called from outside."""

    def remote(self, *args: P.args, **kwargs: P.kwargs) -> "ObjectRef[T]": ...


class HostHandle(Protocol):
    """A `RayHost`, as it is called from outside."""

    @property
    def spawn_roles(self) -> Remote[[Recipe, Placement, "Mapping[HostName, HostHandle]", Path | None], None]: ...
    @property
    def take(self) -> Remote[[bytes], bool]: ...
    @property
    def collect(self) -> Remote[[list[bool]], bytes]: ...
    @property
    def stay(self) -> Remote[[], None]: ...
    @property
    def lose(self) -> Remote[[HostName], None]: ...
    @property
    def stop(self) -> Remote[[], None]: ...


def start(plan: HostPlan, namespace: str, node: Node | None) -> HostHandle:
    """Start a host's actor. Returns before it runs.

    Args:
        node: where; None: wherever there is what it reserves.
    """
    reserved = plan.resources
    actor = ray.remote(concurrency_groups={_CONTROL: 1})(RayHost)
    return cast(
        "HostHandle",
        actor.options(
            name=plan.name,
            namespace=namespace,
            num_cpus=reserved.cpus,
            num_gpus=reserved.gpus,
            memory=reserved.memory or None,
            resources=dict(reserved.custom) or None,
            scheduling_strategy="SPREAD" if node is None else NodeAffinitySchedulingStrategy(node.id, soft=True),
            max_restarts=0,
            max_task_retries=0,
        ).remote(plan.name),
    )
