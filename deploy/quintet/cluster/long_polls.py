"""Standing calls: one to each host, kept open by the driver, which so hears what it has to say, and of its death."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from functools import partial
from typing import Any

from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.delivery import deliver
from quintet.cluster.driver_mailbox import load_decoder
from quintet.cluster.host_actor import HostHandle
from quintet.cluster.ray_api import ray
from quintet.cluster.transport import RayTransport
from quintet.ports.transport import DRIVER, HostName

log = logging.getLogger("quintet.cluster")


class LongPolls:
    """The driver's side of all hosts. It alone decides who is dead, and tells the others."""

    def __init__(self) -> None:
        self.transport = RayTransport(DRIVER, self._silent, self._bury)
        self._buried: set[HostName] = set()
        self._hosts: Mapping[HostName, HostHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, hosts: Mapping[HostName, HostHandle]) -> None:
        """Call every host, and go on doing so."""
        self._hosts = hosts
        self.transport.connect({name: partial(deliver, host.take, name) for name, host in hosts.items()})
        for name in hosts:
            self._begin(self._stand(name))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stand(self, name: HostName) -> None:
        taken: list[bool] = []
        while True:
            try:
                load = load_decoder.decode(await self._hosts[name].collect.remote(taken))
            except ActorDiedError:
                self._bury(name)
                return
            except RayError as error:
                log.warning("host %s: %s", name, error)
                await self._kill(name)
                return
            taken = [self.transport.take(piece) for piece in load.pieces]
            for silent in load.silent:
                self._silent(silent)

    def lose_all(self) -> None:
        """Count every host as dead, as where nobody can tell any more."""
        for name in self._hosts:
            self._bury(name)

    def _silent(self, name: HostName) -> None:
        self._begin(self._kill(name))

    async def _kill(self, name: HostName) -> None:
        log.warning("host %s does not acknowledge, and is killed", name)
        await asyncio.to_thread(ray.kill, self._hosts[name])
        self._bury(name)  # whatever it still says is of older incarnations

    def _bury(self, name: HostName) -> None:
        # At once, whoever hears of it first: a host that counts as living is given work.
        if name in self._buried:
            return
        self._buried.add(name)
        log.warning("host %s died", name)
        self.transport.lose(name)
        for other, host in self._hosts.items():
            if other != name:
                host.lose.remote(name)

    async def close(self) -> None:
        """Call no more."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
