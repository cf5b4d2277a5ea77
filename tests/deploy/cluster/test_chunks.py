"""Chunks, and the mailbox in which they wait for the driver's poll."""

import asyncio
import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.cluster.chunks import MAX_CALL_BYTES, Reassembler, split
from quintet.cluster.driver_mailbox import DriverMailbox, PollReply, poll_replies
from quintet.errors import HostLost, Undecodable
from quintet.ports.transport import HostName

A, B = HostName("a"), HostName("b")


def chunks_of(batch: list[bytes], sender: HostName = A, numbers: Iterator[int] | None = None) -> list[bytes]:
    return list(split(batch, sender, numbers or itertools.count(1)))


def reassemble(reassembler: Reassembler, chunks: Sequence[bytes]) -> list[bytes]:
    return [envelope for chunk in chunks for envelope in reassembler.add(chunk) or []]


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=400))
def test_a_batch_arrives_whole_and_in_order(batch: list[bytes]) -> None:
    reassembler = Reassembler()
    assert reassemble(reassembler, chunks_of(batch)) == batch
    assert len(reassembler) == 0


@pytest.mark.parametrize("size", [MAX_CALL_BYTES - 100, MAX_CALL_BYTES, MAX_CALL_BYTES + 1, 10 * MAX_CALL_BYTES])
def test_a_large_envelope_is_split_into_calls_that_ray_carries_well(size: int) -> None:
    batch = [b"before", bytes(size), b"after"]
    chunks = chunks_of(batch)
    assert max(map(len, chunks)) < 100 * 1024
    assert reassemble(Reassembler(), chunks) == batch


def test_chunks_of_several_senders_and_batches_do_not_mix() -> None:
    reassembler, numbers = Reassembler(), itertools.count(1)
    ones, twos, others = (
        chunks_of([mark * 3 * MAX_CALL_BYTES], sender, counter)
        for sender, counter, mark in ((A, numbers, b"1"), (A, numbers, b"2"), (B, itertools.count(1), b"3"))
    )
    arrived = reassemble(reassembler, [chunk for trio in zip(ones, twos, others, strict=True) for chunk in trio])
    assert arrived == [b"1" * 3 * MAX_CALL_BYTES, b"2" * 3 * MAX_CALL_BYTES, b"3" * 3 * MAX_CALL_BYTES]


def test_incomplete_batches_of_a_dead_sender_are_dropped_even_if_a_chunk_arrives_late() -> None:
    reassembler = Reassembler()
    first, second, _ = chunks_of([bytes(2 * MAX_CALL_BYTES)])
    reassembler.add(first)
    assert len(reassembler) == 1
    reassembler.forget(A)
    reassembler.add(second)
    assert len(reassembler) == 0


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x94\xa1a\x01\xc3\xc4\x01\xc1", b"\x94\xa1\xff\x01\xc3\xc4\x01\x90"])
def test_bytes_that_are_not_chunks_are_undecodable(data: bytes) -> None:
    with pytest.raises(Undecodable):
        Reassembler().add(data)


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
