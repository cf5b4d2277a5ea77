"""The Ray transport: sends a host's batches in chunks, each by one Ray call that is acknowledged soon or never."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping

from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.chunks import Reassembler, split
from quintet.cluster.ray_api import RemoteMethod
from quintet.errors import HostLost, Undecodable
from quintet.ports.transport import Batch, HostName
from quintet.runtime.local import Loopback

TICK, TICKS = 10.0, 12
"""The delivery deadline, 120 seconds, counted in ticks. It is longer than any sane step of a synchronous world, during
which a host acknowledges nothing. A process that was itself stopped (Ctrl-Z, a debugger, a closed laptop) loses one
tick when it continues, and blames no other host."""


class DeliveryTimeout(HostLost):
    """A host did not acknowledge within the delivery deadline, or cannot be reached. Ray does not report its death."""


class HostDied(HostLost):
    """Ray reports that a host died."""


Route = Callable[[bytes], Awaitable[None]]
"""Sends a chunk and returns when it is acknowledged; raises `HostLost`."""


async def deliver(accept: RemoteMethod[[bytes], bool], to: HostName, chunk: bytes) -> None:
    """Send a chunk and wait until it is acknowledged.

    Raises:
        DeliveryTimeout: it was not, for a reason that is unknown.
        HostDied: the receiver died.
        HostLost: the receiver could not decode the batch that this chunk completed.
    """
    call = asyncio.wrap_future(accept.remote(chunk).future())
    for _ in range(TICKS):
        if (await asyncio.wait([call], timeout=TICK))[0]:
            break
    else:
        call.add_done_callback(_ignore)
        raise DeliveryTimeout(f"{to}: no acknowledgement within {TICK * TICKS:.0f} s")
    try:
        acknowledged = call.result()
    except ActorDiedError as died:
        raise HostDied(f"{to}: the host died") from died
    except RayError as error:
        raise DeliveryTimeout(f"{to}: {type(error).__name__}") from error
    if not acknowledged:
        raise HostLost(f"{to}: the batch could not be decoded")


def _ignore(late: asyncio.Future[bool]) -> None:
    if not late.cancelled():
        late.exception()  # or asyncio would log it as never retrieved


class RayTransport:
    """One host's end of the transport port, for the driver or in a Ray actor; it tells who is silent or died."""

    def __init__(
        self, name: HostName, on_silent: Callable[[HostName], None], on_death: Callable[[HostName], None]
    ) -> None:
        self._name = name
        self._on_silent = on_silent
        self._on_death = on_death
        self._own = Loopback(name)
        self._batch_numbers = itertools.count(1)
        self._reassembler = Reassembler()
        self._routes: Mapping[HostName, Route] = {}
        self._receive: Callable[[Batch], None] | None = None
        self._lost: Callable[[HostName], None] | None = None

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._own.bind(receive, lost)
        self._receive, self._lost = receive, lost

    def connect(self, routes: Mapping[HostName, Route]) -> None:
        """Add routes to other hosts. From any thread."""
        self._routes = {**self._routes, **routes}

    def deliver(self, to: HostName, batch: Batch) -> Awaitable[None] | None:
        if to != self._name:
            return self._send(to, batch)
        self._own.deliver(to, batch)
        return None

    async def _send(self, to: HostName, batch: Batch) -> None:
        if to not in self._routes:
            raise HostLost(f"{to}: this host was not told yet how to reach it")
        try:
            for chunk in split(batch, self._name, self._batch_numbers):
                await self._routes[to](chunk)
        except DeliveryTimeout:
            self._on_silent(to)
            raise
        except HostDied:
            self._on_death(to)
            raise

    def accept(self, chunk: bytes) -> bool:
        """Handle a chunk that arrived. Returns whether it could be decoded."""
        assert self._receive is not None
        try:
            batch = self._reassembler.add(chunk)
            if batch is not None:
                self._receive(batch)
        except Undecodable:
            return False
        return True

    def lose(self, host: HostName) -> None:
        """Handle the death of another host."""
        assert self._lost is not None
        self._reassembler.forget(host)
        self._lost(host)
