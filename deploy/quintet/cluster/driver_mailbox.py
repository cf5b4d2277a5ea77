"""The driver's mailbox on a host. Ray actors cannot call a driver, so the driver keeps one call open to each of them.

The answer to that poll brings what the mailbox holds; the next poll acknowledges it.
"""

import asyncio
from collections import deque

import msgspec
from msgspec import Struct

from quintet.cluster.chunks import MAX_CALL_BYTES
from quintet.errors import HostLost
from quintet.ports.transport import DRIVER, HostName


class PollReply(Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True):
    """The answer to a poll."""

    chunks: tuple[bytes, ...]
    silent: tuple[HostName, ...]
    """Hosts that did not acknowledge a delivery in time. The driver kills them."""


poll_replies = msgspec.msgpack.Decoder(PollReply)


class DriverMailbox:
    """One host's messages to the driver.

    There is no deadline: a driver that ends takes its hosts along, and a driver that was stopped continues.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[bytes, asyncio.Future[bool]]] = deque()
        self._sent: list[asyncio.Future[bool]] = []
        """Acknowledgements that the next poll brings, one for each chunk of the last reply."""
        self._silent: list[HostName] = []
        self._filled = asyncio.Event()

    async def put(self, chunk: bytes) -> None:
        """Add a chunk, and wait until the driver has it; a `HostLost` if it cannot decode the batch."""
        acknowledged = asyncio.get_running_loop().create_future()
        self._waiting.append((chunk, acknowledged))
        self._filled.set()
        if not await acknowledged:
            raise HostLost(f"{DRIVER}: the batch could not be decoded")

    def report_silent(self, host: HostName) -> None:
        """Report a host that does not acknowledge."""
        self._silent.append(host)
        self._filled.set()

    async def poll(self, acknowledged: list[bool]) -> bytes:
        """Answer a poll as soon as there is something to send.

        Args:
            acknowledged: for each chunk of the last reply, whether the driver could decode it.

        Returns:
            A `PollReply`, encoded.
        """
        for sent, answer in zip(self._sent, acknowledged, strict=True):
            sent.set_result(answer)
        self._sent = []
        await self._filled.wait()
        chunks: list[bytes] = []
        room = MAX_CALL_BYTES
        while self._waiting and (not chunks or len(self._waiting[0][0]) <= room):
            chunk, answered = self._waiting.popleft()
            chunks.append(chunk)
            self._sent.append(answered)
            room -= len(chunk)
        reply = PollReply(chunks=tuple(chunks), silent=tuple(self._silent))
        self._silent.clear()
        if not self._waiting:
            self._filled.clear()
        return msgspec.msgpack.encode(reply)
