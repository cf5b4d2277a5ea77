"""The faulty transport: several hosts in one process, whose batches are delayed, reordered and lost, and who die."""

import asyncio
from collections.abc import Callable
from random import Random

from quintet.errors import HostLost, Undecodable
from quintet.ports.transport import Batch, HostName

DELIVERY_DEADLINE = 2.0
"""Virtual seconds after which an unacknowledged batch counts as lost."""


class Network:
    """Connects hosts by name.

    Args:
        random: decides every delay and loss.
        delay: the longest time a batch takes one way, in virtual seconds; the shortest is 0, so batches overtake.
        loss: chance in [0, 1) that a batch, or its acknowledgement, is lost.
    """

    def __init__(self, random: Random, *, delay: float = 0.0, loss: float = 0.0) -> None:
        self._random = random
        self._delay = delay
        self.loss = loss
        self._bound: dict[HostName, tuple[Callable[[Batch], None], Callable[[HostName], None]]] = {}
        self.dead: set[HostName] = set()

    def transport(self, name: HostName) -> "FaultyTransport":
        """A host's connection."""
        return FaultyTransport(self, name)

    def bind(self, name: HostName, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._bound[name] = receive, lost

    def kill(self, name: HostName) -> None:
        """A host dies: nothing from it or to it arrives any more, and the others are told at differing times."""
        self.dead.add(name)
        loop = asyncio.get_running_loop()
        for other, (_, lost) in self._bound.items():
            if other not in self.dead:
                loop.call_later(self.some_delay(), lost, name)

    async def carry(self, sender: HostName, to: HostName, batch: Batch) -> None:
        if sender in self.dead:
            await asyncio.Event().wait()  # the dead do nothing, not even notice
        loop = asyncio.get_running_loop()
        deadline = loop.time() + DELIVERY_DEADLINE
        if self._random.random() >= self.loss:
            await asyncio.sleep(self.some_delay())
            taken = to not in self.dead and sender not in self.dead and self._take(to, batch)
            if taken and self._random.random() >= self.loss:
                await asyncio.sleep(self.some_delay())
                return
        await asyncio.sleep(deadline - loop.time())
        raise HostLost(f"{to}: no acknowledgement within {DELIVERY_DEADLINE} s")

    def _take(self, to: HostName, batch: Batch) -> bool:
        try:
            self._bound[to][0](batch)
        except Undecodable:
            return False
        return True

    def some_delay(self) -> float:
        """Virtual seconds."""
        return self._random.random() * self._delay


class FaultyTransport:
    """One host's end of the network. Implements the transport port."""

    def __init__(self, network: Network, name: HostName) -> None:
        self._network = network
        self._name = name

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._network.bind(self._name, receive, lost)

    async def deliver(self, to: HostName, batch: Batch) -> None:
        await self._network.carry(self._name, to, batch)
