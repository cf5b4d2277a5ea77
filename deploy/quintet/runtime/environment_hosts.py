"""What the driver asks of the hosts of the environment role: to get ready for tasks, and to close their sessions."""

import asyncio
import itertools
import logging
from collections.abc import Collection
from typing import Final

from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import Fault, HostLost, Suspension, UsageError, one_line
from quintet.messages.environment import GetReady, NotReady, Vacate
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import VISIT, Path
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.ports.world import World
from quintet.roles.environment import ENVIRONMENT_ROLE
from quintet.runtime.host import Host
from quintet.runtime.slots import Homes

_log = logging.getLogger("quintet.driver")

_VACATE_SECONDS: Final = 60.0
"""Seconds in which a host must have closed its sessions."""

_READY_TRIES: Final = 10
"""A host that is alive is asked so often: messages may be lost, and a process that the world has started may end."""

_VACATE_TRIES: Final = 100
"""The same, where only messages may be lost."""


class EnvironmentHosts:
    """The world on the hosts of its sessions, outside any episode; one that needs nothing is asked nothing."""

    def __init__(self, world: World, host: Host, homes: Homes) -> None:
        self._name = world.name
        self._world = world
        self._gets_ready = overrides(beneath(world), World, "get_ready")
        self._host = host
        self._homes = homes
        self._numbers = itertools.count()

    @property
    def repeats(self) -> bool:
        """Whether an attempt that was interrupted can be replayed."""
        return self._world.repeats

    def scores(self, task: str) -> tuple[str, ...]:
        """The figures of a task that are 0 until an outcome has them."""
        return self._world.scores(task)

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Return once every host can play these tasks; a `UsageError` if one cannot, else a `Suspension`."""
        if not self._gets_ready or not tasks:
            return
        request, hosts = GetReady(tasks=tuple(tasks)), self._homes.living
        try:
            replies = await asyncio.gather(*(self._ask(name, request, _READY_TRIES) for name in hosts))
        except Suspension:
            raise
        except Fault as fault:  # a plug-in may raise anything, and no episode is there to end by it
            raise Suspension(f"environment {self._name}: get ready: {one_line(fault)}") from fault
        for name, reply in zip(hosts, replies, strict=True):
            if isinstance(reply, NotReady):
                raise UsageError(reply.reason if name == DRIVER else f"{reply.reason} (host {name})")

    async def reset(self) -> None:
        """Bring the world to its beginning, once all sessions are closed; a `Suspension` if that fails."""
        # Every host must know first which incarnations are over: what they still send it opens no session then.
        await self._host.delivered()
        try:
            await asyncio.gather(*(self._vacate(name) for name in self._homes.living))
            await self._world.reset()
        except Suspension:
            raise
        except Exception as error:  # a plug-in may raise anything
            kind = "" if isinstance(error, Fault) else f"{type(error).__name__}: "
            raise Suspension(f"environment {self._name}: reset: {kind}{one_line(error)}") from error
        _log.info("environment %s was reset", self._name)

    async def _vacate(self, name: HostName) -> None:
        if await self._ask(name, Vacate(), _VACATE_TRIES, _VACATE_SECONDS) is None:
            _log.info("%s has died, and its sessions with it", name)

    async def _ask(
        self, name: HostName, request: Request[ReplyT], tries: int, seconds: float | None = None
    ) -> ReplyT | None:
        """Ask a host, and ask again where a message or a process was lost; None: the host has died."""
        to, path = Address(host=name, role=ENVIRONMENT_ROLE.name), Path(f"{VISIT}/hosts/{next(self._numbers)}")
        last: HostLost | None = None
        for _ in range(tries):
            try:
                return await self._host.ask(to, request, path=path, incarnation=1, seconds=seconds)
            except HostLost as lost:
                if name in self._host.lost:
                    return None
                last = lost
        raise Suspension(f"environment host {name}: expected an answer, got none: {last}")
