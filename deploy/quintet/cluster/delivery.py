"""Delivery: one Ray call with one piece, which its receiver acknowledges soon or never."""

import asyncio
from typing import Protocol

from ray import ObjectRef
from ray.exceptions import ActorDiedError, RayError

from quintet.errors import HostLost
from quintet.ports.transport import HostName

TICK, TICKS = 10.0, 12
"""The delivery deadline, 120 seconds, counted in ticks: longer than any sane step of a synchronous world, during which
its host acknowledges nothing. A process that was itself stopped (Ctrl-Z, a debugger, a laptop's lid) finds one tick
gone when it goes on, not all of them, and blames nobody."""


class DeliveryTimeout(HostLost):
    """A host did not acknowledge within the delivery deadline, or cannot be reached. Ray does not say that it died."""


class HostDied(HostLost):
    """Ray says that a host died."""


class Take(Protocol):
    """A host's Ray method that takes a piece."""

    def remote(self, piece: bytes, /) -> "ObjectRef[bool]": ...


def _unheeded(call: asyncio.Future[bool]) -> None:
    """An answer that may still come, and concerns nobody."""
    if not call.cancelled():
        call.exception()


async def deliver(take: Take, to: HostName, piece: bytes) -> None:
    """Send a piece and wait until it is acknowledged.

    Raises:
        Silent: it was not, and nobody knows why.
        Died: the receiver died.
        HostLost: it could not decode the batch that this piece completed.
    """
    call = asyncio.wrap_future(take.remote(piece).future())
    for _ in range(TICKS):
        if (await asyncio.wait([call], timeout=TICK))[0]:
            break
    else:
        call.add_done_callback(_unheeded)
        raise DeliveryTimeout(f"{to}: no acknowledgement within {TICK * TICKS:.0f} s")
    try:
        taken = call.result()
    except ActorDiedError as died:
        raise HostDied(f"{to}: the host died") from died
    except RayError as error:
        raise DeliveryTimeout(f"{to}: {type(error).__name__}") from error
    if not taken:
        raise HostLost(f"{to}: the batch could not be decoded")
