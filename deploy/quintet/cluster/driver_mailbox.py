"""The tray: what a host has for the driver. Ray actors cannot call a driver, so it keeps one call open to each of them.

The answer to that standing call brings what lies on the tray; its acknowledgement goes in the next call.
"""

import asyncio
from collections import deque

import msgspec
from msgspec import Struct

from quintet.cluster.chunks import LARGEST
from quintet.errors import HostLost
from quintet.ports.transport import DRIVER, HostName


class PollReply(Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True):
    """The answer to a standing call."""

    pieces: tuple[bytes, ...]
    silent: tuple[HostName, ...]
    """Hosts that did not acknowledge a delivery in time, for the driver to deal with."""


load_decoder = msgspec.msgpack.Decoder(PollReply)


class DriverMailbox:
    """One host's. There is no deadline: a driver that is gone takes its hosts along, one that was stopped goes on."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[bytes, asyncio.Future[bool]]] = deque()
        self._carried: list[asyncio.Future[bool]] = []
        """What the last load brought, until it is acknowledged."""
        self._silent: list[HostName] = []
        self._something = asyncio.Event()

    async def put(self, piece: bytes) -> None:
        """Lay a piece on the tray, and wait until the driver has it.

        Raises:
            HostLost: the driver could not decode the batch that this piece completed.
        """
        taken = asyncio.get_running_loop().create_future()
        self._waiting.append((piece, taken))
        self._something.set()
        if not await taken:
            raise HostLost(f"{DRIVER}: the batch could not be decoded")

    def report(self, silent: HostName) -> None:
        """Let the driver know of a host that does not acknowledge."""
        self._silent.append(silent)
        self._something.set()

    async def carry(self, taken: list[bool]) -> bytes:
        """Answer a standing call, as soon as there is something to bring.

        Args:
            taken: of each piece of the last load, whether the driver acknowledges it.

        Returns:
            A `PollReply`, encoded.
        """
        for acknowledged, answer in zip(self._carried, taken, strict=True):
            acknowledged.set_result(answer)
        self._carried = []
        await self._something.wait()
        pieces: list[bytes] = []
        room = LARGEST
        while self._waiting and (not pieces or len(self._waiting[0][0]) <= room):
            piece, answered = self._waiting.popleft()
            pieces.append(piece)
            self._carried.append(answered)
            room -= len(piece)
        load = PollReply(pieces=tuple(pieces), silent=tuple(self._silent))
        self._silent.clear()
        if not self._waiting:
            self._something.clear()
        return msgspec.msgpack.encode(load)
