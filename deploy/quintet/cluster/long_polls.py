"""Long polls: the driver keeps one call open to each host, and so receives its messages and learns of its death."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from functools import partial
from typing import Any

from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.driver_mailbox import poll_replies
from quintet.cluster.head import Head
from quintet.cluster.host_actor import HostHandle
from quintet.cluster.transport import RayTransport, deliver
from quintet.ports.transport import DRIVER, HostName

_log = logging.getLogger("quintet.cluster")


class LongPolls:
    """The driver's side of all hosts. It alone decides which host is dead, and tells the others."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.transport = RayTransport(DRIVER, self._on_silent, self._declare_dead)
        self.dead: set[HostName] = set()
        self._hosts: dict[HostName, HostHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, hosts: Mapping[HostName, HostHandle]) -> None:
        """Start to poll every host."""
        for name, host in hosts.items():
            self.add(name, host)

    def add(self, name: HostName, host: HostHandle) -> None:
        """Start to poll a host."""
        self._hosts[name] = host
        self.transport.connect({name: partial(deliver, host.accept, name)})
        self._start(self._poll(name))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _poll(self, name: HostName) -> None:
        acknowledged: list[bool] = []
        while True:
            try:
                reply = poll_replies.decode(await self._hosts[name].poll.remote(acknowledged))
            except ActorDiedError:
                self._declare_dead(name)
                return
            except RayError as error:
                _log.warning("host %s: %s", name, error)
                await self._kill(name)
                return
            acknowledged = [self.transport.accept(chunk) for chunk in reply.chunks]
            for silent in reply.silent:
                self._on_silent(silent)

    def give_back(self, name: HostName) -> None:
        """Let every host know that one was closed: whatever is still asked of it is lost."""
        self._declare_dead(name, "was closed")

    def lose_all(self) -> None:
        """Declare every host dead: Ray's head is away, so nothing else is known of them."""
        for name in self._hosts:
            self._declare_dead(name)

    def _on_silent(self, name: HostName) -> None:
        if name in self.dead:
            return  # the other hosts report it too
        self._start(self._kill(name))

    async def _kill(self, name: HostName) -> None:
        _log.warning("host %s does not acknowledge; killing it", name)
        await self.head.kill(self._hosts[name])
        self._declare_dead(name)  # anything it still sends belongs to older incarnations

    def _declare_dead(self, name: HostName, why: str = "died") -> None:
        # At the first report: a host that counts as living is given work.
        if name in self.dead:
            return
        self.dead.add(name)
        _log.warning("host %s %s", name, why)
        self.transport.lose(name)
        if self.head.lost:
            return
        for other, host in self._hosts.items():
            if other != name and other not in self.dead:
                host.lose.remote(name)

    async def close(self) -> None:
        """Stop polling."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
