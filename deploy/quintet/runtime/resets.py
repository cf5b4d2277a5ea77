"""Resets: how a world that does not repeat is brought to its beginning, with no session of it open on any host."""

import asyncio
import itertools
import logging

from quintet.errors import Fault, Suspension, one_line
from quintet.messages.environment import Vacate
from quintet.ports.transport import HostName
from quintet.ports.world import World
from quintet.runtime.ask_home import ask_home
from quintet.runtime.homes import Homes
from quintet.runtime.host import Host

_log = logging.getLogger("quintet.driver")

_VACATE_SECONDS = 60.0
"""Seconds in which a host must have closed its sessions."""

_TRIES = 100
"""A host that is alive is asked so often, since messages may be lost."""


class Resets:
    """Resets a world. Nothing is ever reset in one that answers the same actions alike.

    Args:
        world: of the run.
        host: the driver's own.
        homes: the hosts that may hold sessions.
    """

    def __init__(self, world: World, host: Host, homes: Homes) -> None:
        self._name = world.name
        self._world = world
        self._host = host
        self._homes = homes
        self._numbers = itertools.count()

    @property
    def repeats(self) -> bool:
        """Whether an attempt that was interrupted can be replayed."""
        return self._world.repeats

    async def reset(self) -> None:
        """Reset the world once every host has closed its sessions, also those of requests still on their way.

        Raises:
            Suspension: the reset failed, or a host closed its sessions not in time; the run stops, and resumes.
        """
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
        visit = f"reset/{next(self._numbers)}"
        if await ask_home(self._host, name, Vacate(), visit, tries=_TRIES, seconds=_VACATE_SECONDS) is None:
            _log.info("%s has died, and its sessions with it", name)
