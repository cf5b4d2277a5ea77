"""The mailbox: a host's messages wait for the driver's poll, and the next poll acknowledges them."""

import asyncio

import pytest

from quintet.cluster.chunks import MAX_CALL_BYTES
from quintet.cluster.driver_mailbox import DriverMailbox, PollReply, poll_replies
from quintet.errors import HostLost
from quintet.ports.transport import HostName


async def poll_once(mailbox: DriverMailbox, *acknowledged: bool) -> PollReply:
    return poll_replies.decode(await mailbox.poll(list(acknowledged)))


async def test_a_chunk_is_acknowledged_by_the_next_poll_and_not_before() -> None:
    mailbox = DriverMailbox()
    putting = asyncio.create_task(mailbox.put(b"chunk"))
    assert (await poll_once(mailbox)).chunks == (b"chunk",)
    assert not putting.done()
    again = asyncio.create_task(poll_once(mailbox, True))
    await putting
    assert not again.done()
    again.cancel()


async def test_a_batch_that_the_driver_cannot_decode_is_lost_alone() -> None:
    mailbox = DriverMailbox()
    putting = [asyncio.create_task(mailbox.put(chunk)) for chunk in (b"good", b"bad")]
    await asyncio.sleep(0)
    assert len((await poll_once(mailbox)).chunks) == 2
    again = asyncio.create_task(mailbox.poll([True, False]))
    await putting[0]
    with pytest.raises(HostLost):
        await putting[1]
    again.cancel()


async def test_a_reply_is_no_larger_than_ray_carries_well() -> None:
    mailbox = DriverMailbox()
    putting = [asyncio.create_task(mailbox.put(bytes(MAX_CALL_BYTES // 2))) for _ in range(5)]
    await asyncio.sleep(0)
    sizes: list[int] = []
    acknowledged: list[bool] = []
    for _ in range(3):
        reply = await poll_once(mailbox, *acknowledged)
        acknowledged = [True] * len(reply.chunks)
        sizes.append(len(acknowledged))
    assert sizes == [2, 2, 1]
    for task in putting:
        task.cancel()


async def test_a_silent_host_is_reported_once_and_at_once() -> None:
    mailbox = DriverMailbox()
    waiting = asyncio.create_task(poll_once(mailbox))
    await asyncio.sleep(0)
    mailbox.report_silent(HostName("host-2"))
    assert (await waiting).silent == ("host-2",)
    waiting = asyncio.create_task(poll_once(mailbox))
    await asyncio.sleep(60)
    assert not waiting.done()
    waiting.cancel()
