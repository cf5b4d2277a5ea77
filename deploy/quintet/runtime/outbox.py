"""The outbox: envelopes gathered during a turn of the event loop, one batch per receiving host at its end."""

import asyncio
from collections.abc import Callable

from quintet.errors import HostLost
from quintet.messages.wire import encode
from quintet.ports.transport import Envelope, HostName, Transport

NotDelivered = Callable[[HostName, Envelope, HostLost], None]
"""Told of every envelope whose batch was not acknowledged."""


class Outbox:
    """Sends each host what was said to it in this turn of the loop. No timer, no retry."""

    def __init__(self, transport: Transport, not_delivered: NotDelivered) -> None:
        self._transport = transport
        self._not_delivered = not_delivered
        self._waiting: dict[HostName, list[tuple[Envelope, bytes]]] = {}
        self._deliveries: set[asyncio.Task[None]] = set()

    def put(self, to: HostName, envelope: Envelope) -> None:
        """Send an envelope at the end of this turn.

        Raises:
            UnicodeEncodeError: a text in it has no UTF-8 form; nothing is sent.
        """
        data = encode(envelope)
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.setdefault(to, []).append((envelope, data))

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for to, envelopes in waiting.items():
            delivery = asyncio.create_task(self._deliver(to, envelopes))
            self._deliveries.add(delivery)
            delivery.add_done_callback(self._deliveries.discard)

    async def _deliver(self, to: HostName, envelopes: list[tuple[Envelope, bytes]]) -> None:
        try:
            await self._transport.deliver(to, [data for _, data in envelopes])
        except HostLost as lost:
            for envelope, _ in envelopes:
                self._not_delivered(to, envelope, lost)

    @property
    def idle(self) -> bool:
        """Everything was delivered, or lost and told of."""
        return not self._waiting and not self._deliveries

    async def close(self) -> None:
        """Send what waits, and wait for every delivery to be acknowledged or lost."""
        self._flush()
        while self._deliveries:
            await asyncio.wait(self._deliveries)
