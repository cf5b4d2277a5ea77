"""What tests ask of the processes behind a run's hosts."""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from quintet.cluster.host_actor import RayHost
from quintet.cluster.runtime import RayRuntime
from quintet.ports.transport import HostName
from quintet.roles.environment import Environment
from quintet.runtime.host import Host

_T = TypeVar("_T")


async def on_hosts(runtime: RayRuntime, look: Callable[[RayHost], _T]) -> dict[HostName, _T]:
    """What a function of this module, or another that can be imported there, says of each living host."""
    handles = {name: cast("Any", handle) for name, handle in runtime.handles.items() if name not in runtime.host.lost}
    return {name: await handle.__ray_call__.remote(look) for name, handle in handles.items()}


def process(_actor: RayHost) -> int:
    """Its id."""
    return os.getpid()


def sessions(actor: RayHost) -> int:
    """How many it holds."""
    return held(actor.host)


def is_idle(actor: RayHost) -> bool:
    """Whether nothing is asked, answered or on its way."""
    return actor.host.idle


def held(host: Host) -> int:
    """The sessions on a host."""
    return sum(role.sessions for role in host.actors.values() if isinstance(role, Environment))
