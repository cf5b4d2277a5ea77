"""Chunks: batches of any size arrive unchanged, even if several hosts send at once."""

import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.cluster.chunks import MAX_CALL_BYTES, Reassembler, split
from quintet.errors import Undecodable
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
