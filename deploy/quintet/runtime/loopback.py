"""The loop-back transport: one host that sends to itself."""

from collections.abc import Callable

from quintet.errors import HostLost, Undecodable
from quintet.ports.transport import Batch, HostName


class Loopback:
    """Hands every batch back at once. Nothing is lost; there is no other host."""

    def __init__(self, name: HostName) -> None:
        self._name = name
        self._receive: Callable[[Batch], None] | None = None

    def bind(self, receive: Callable[[Batch], None], lost: Callable[[HostName], None]) -> None:
        self._receive = receive

    async def deliver(self, to: HostName, batch: Batch) -> None:
        if to != self._name or self._receive is None:
            raise HostLost(f"expected the one host {self._name}, got {to}")
        try:
            self._receive(batch)
        except Undecodable as error:
            raise HostLost(f"{to}: {error}") from error
