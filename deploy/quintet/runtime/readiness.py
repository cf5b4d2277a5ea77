"""Readiness: whether each environment host can play a run's episodes, asked before the first of them."""

import asyncio
import itertools
from collections.abc import Collection
from typing import Final

from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import Fault, Suspension, UsageError, one_line
from quintet.messages.environment import GetReady, NotReady
from quintet.ports.transport import DRIVER
from quintet.ports.world import World
from quintet.runtime.ask_home import ask_home
from quintet.runtime.homes import Homes
from quintet.runtime.host import Host

_TRIES: Final = 10
"""A host that is alive is asked so often: messages may be lost, and a process that the world has started may end."""


class Readiness:
    """Lets the world get ready on its hosts. Nothing is asked where it needs nothing there.

    Args:
        world: of the run.
        host: the driver's own.
        homes: the hosts that hold sessions.
    """

    def __init__(self, world: World, host: Host, homes: Homes) -> None:
        self._name = world.name
        self._needed = overrides(beneath(world), World, "get_ready")
        self._host = host
        self._homes = homes
        self._numbers = itertools.count()

    async def check(self, tasks: Collection[str]) -> None:
        """Return once every host can play these tasks.

        Raises:
            UsageError: one cannot, in the world's words.
            Suspension: the world failed otherwise, or a host does not answer; the run stops, and resumes.
        """
        if not self._needed or not tasks:
            return
        request, visit = GetReady(tasks=tuple(tasks)), f"ready/{next(self._numbers)}"
        hosts = self._homes.living
        try:
            asked = (ask_home(self._host, name, request, visit, tries=_TRIES) for name in hosts)
            replies = await asyncio.gather(*asked)
        except Suspension:
            raise
        except Fault as fault:  # a plug-in may raise anything, and no episode is there to end by it
            raise Suspension(f"environment {self._name}: get ready: {one_line(fault)}") from fault
        for name, reply in zip(hosts, replies, strict=True):
            if isinstance(reply, NotReady):
                raise UsageError(reply.reason if name == DRIVER else f"{reply.reason} (host {name})")
