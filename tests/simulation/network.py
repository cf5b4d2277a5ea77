"""The faulty transport: several hosts in one process, whose batches are delayed, reordered and lost, and who die."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
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
        script: all delays in virtual seconds, and losses, by name, as `happened` has them; None: `random` decides.
    """

    def __init__(
        self, random: Random, *, delay: float = 0.0, loss: float = 0.0, script: Mapping[str, float] | None = None
    ) -> None:
        self._random = random
        self._delay = delay
        self.loss = loss
        self._script = script
        self.happened: dict[str, float] = {}
        """By name, the delays that were not 0, and the losses, as 1."""
        self._batches: Counter[str] = Counter()
        """By sender and receiver."""
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
                loop.call_later(self.some_delay(f"{other} hears that {name} died"), lost, name)

    def carry(self, sender: HostName, to: HostName, batch: Batch) -> Awaitable[None]:
        """Ends once the batch is acknowledged, with a `HostLost` at the deadline, or never: the dead notice nothing."""
        loop = asyncio.get_running_loop()
        acknowledged: asyncio.Future[None] = loop.create_future()
        if sender not in self.dead:
            link = f"{sender} to {to}"
            self._batches[link] += 1
            name = f"{link}, batch {self._batches[link]}"
            deadline = loop.time() + DELIVERY_DEADLINE

            def time_out() -> None:
                loop.call_at(deadline, _time_out, acknowledged, to)

            if self._is_lost(name):
                time_out()
            else:
                arrive = partial(self._arrive, name, sender, to, batch, acknowledged, time_out)
                loop.call_later(self.some_delay(name), arrive)
        return acknowledged

    def _arrive(
        self,
        name: str,
        sender: HostName,
        to: HostName,
        batch: Batch,
        acknowledged: "asyncio.Future[None]",
        time_out: Callable[[], None],
    ) -> None:
        answer = f"{name}, acknowledgement"
        taken = to not in self.dead and sender not in self.dead and self._take(to, batch)
        if taken and not self._is_lost(answer):
            asyncio.get_running_loop().call_later(self.some_delay(answer), _acknowledge, acknowledged)
        else:
            time_out()

    def _take(self, to: HostName, batch: Batch) -> bool:
        try:
            self._bound[to][0](batch)
        except Undecodable:
            return False
        return True

    def _is_lost(self, name: str) -> bool:
        name = f"{name}: lost"
        by_chance = self._script is None and self._random.random() < self.loss
        if not self.loss or not (by_chance or name in (self._script or ())):
            return False
        self.happened[name] = 1.0
        return True

    def some_delay(self, name: str) -> float:
        """Virtual seconds."""
        delay = self._random.random() * self._delay if self._script is None else self._script.get(name, 0.0)
        if delay:
            self.happened[name] = delay
        return delay


def _time_out(acknowledged: "asyncio.Future[None]", to: HostName) -> None:
    if not acknowledged.done():
        acknowledged.set_exception(HostLost(f"{to}: no acknowledgement within {DELIVERY_DEADLINE} s"))


def _acknowledge(acknowledged: "asyncio.Future[None]") -> None:
    if not acknowledged.done():
        acknowledged.set_result(None)


class FaultyTransport:
    """One host's end of the network. Implements the transport port."""

    def __init__(self, network: Network, name: HostName) -> None:
        self._network = network
        self._name = name

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._network.bind(self._name, receive, lost)

    def deliver(self, to: HostName, batch: Batch) -> Awaitable[None]:
        return self._network.carry(self._name, to, batch)
