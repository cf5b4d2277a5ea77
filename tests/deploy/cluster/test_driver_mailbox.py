"""The tray: what a host has for the driver waits for the standing call, and is acknowledged by the next."""

import asyncio

import pytest

from quintet.cluster.chunks import LARGEST
from quintet.cluster.driver_mailbox import DriverMailbox, PollReply, load_decoder
from quintet.errors import HostLost
from quintet.ports.transport import HostName
from tests.simulation.virtual import run


async def carried(tray: DriverMailbox, *taken: bool) -> PollReply:
    return load_decoder.decode(await tray.carry(list(taken)))


def test_a_piece_is_acknowledged_by_the_next_call_and_not_before() -> None:
    async def scene() -> None:
        tray = DriverMailbox()
        putting = asyncio.create_task(tray.put(b"piece"))
        assert (await carried(tray)).pieces == (b"piece",)
        assert not putting.done()
        again = asyncio.create_task(carried(tray, True))
        await putting
        assert not again.done()
        again.cancel()

    run(scene())


def test_what_the_driver_cannot_decode_is_lost_and_the_rest_is_not() -> None:
    async def scene() -> None:
        tray = DriverMailbox()
        putting = [asyncio.create_task(tray.put(piece)) for piece in (b"good", b"bad")]
        await asyncio.sleep(0)
        assert len((await carried(tray)).pieces) == 2
        again = asyncio.create_task(tray.carry([True, False]))
        await putting[0]
        with pytest.raises(HostLost):
            await putting[1]
        again.cancel()

    run(scene())


def test_a_load_is_no_larger_than_ray_carries_well() -> None:
    async def scene() -> None:
        tray = DriverMailbox()
        putting = [asyncio.create_task(tray.put(bytes(LARGEST // 2))) for _ in range(5)]
        await asyncio.sleep(0)
        sizes: list[int] = []
        taken: list[bool] = []
        for _ in range(3):
            load = await carried(tray, *taken)
            taken = [True] * len(load.pieces)
            sizes.append(len(taken))
        assert sizes == [2, 2, 1]
        for task in putting:
            task.cancel()

    run(scene())


def test_a_silent_host_is_reported_once_and_at_once() -> None:
    async def scene() -> None:
        tray = DriverMailbox()
        waiting = asyncio.create_task(carried(tray))
        await asyncio.sleep(0)
        tray.report(HostName("host-2"))
        assert (await waiting).silent == ("host-2",)
        waiting = asyncio.create_task(carried(tray))
        await asyncio.sleep(60)
        assert not waiting.done()
        waiting.cancel()

    run(scene())
