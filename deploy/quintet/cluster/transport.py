"""The Ray transport: a host's batches, in pieces, over whichever way leads to the receiver."""

from collections.abc import Awaitable, Callable, Mapping

from quintet.cluster.chunks import Cutter, Reassembler
from quintet.cluster.delivery import DeliveryTimeout, HostDied
from quintet.errors import Undecodable
from quintet.ports.transport import Batch, HostName
from quintet.runtime.local import Loopback

Route = Callable[[bytes], Awaitable[None]]
"""Sends a piece, and returns when it is acknowledged; raises `HostLost`."""


class RayTransport:
    """One host's end. Implements the transport port, whether the host is the driver's or inside a Ray actor.

    Args:
        silent: told of a receiver that does not acknowledge.
        died: told of one that died.
    """

    def __init__(self, name: HostName, silent: Callable[[HostName], None], died: Callable[[HostName], None]) -> None:
        self._name = name
        self._silent = silent
        self._died = died
        self._own = Loopback(name)
        self._cutter = Cutter(name)
        self._joiner = Reassembler()
        self._routes: Mapping[HostName, Route] = {}
        self._receive: Callable[[Batch], None] | None = None
        self._lost: Callable[[HostName], None] | None = None

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._own.bind(receive, lost)
        self._receive, self._lost = receive, lost

    def connect(self, routes: Mapping[HostName, Route]) -> None:
        """Learn the ways to all other hosts."""
        self._routes = routes

    async def deliver(self, to: HostName, batch: Batch) -> None:
        if to == self._name:
            await self._own.deliver(to, batch)
            return
        try:
            for piece in self._cutter.cut(batch):
                await self._routes[to](piece)
        except DeliveryTimeout:
            self._silent(to)
            raise
        except HostDied:
            self._died(to)
            raise

    def take(self, piece: bytes) -> bool:
        """Take a piece that arrived; whether to acknowledge it."""
        assert self._receive is not None
        try:
            batch = self._joiner.join(piece)
            if batch is not None:
                self._receive(batch)
        except Undecodable:
            return False
        return True

    def lose(self, name: HostName) -> None:
        """A host died."""
        assert self._lost is not None
        self._joiner.forget(name)
        self._lost(name)
