"""Pieces: any batch arrives as it was, whatever its size and whoever sends at the same time."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.cluster.chunks import LARGEST, Cutter, Reassembler
from quintet.errors import Undecodable
from quintet.ports.transport import HostName

A, B = HostName("a"), HostName("b")


def joined(joiner: Reassembler, pieces: Sequence[bytes]) -> list[bytes]:
    return [envelope for piece in pieces for envelope in joiner.join(piece) or []]


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=400))
def test_a_batch_arrives_whole_and_in_order(batch: list[bytes]) -> None:
    joiner = Reassembler()
    assert joined(joiner, list(Cutter(A).cut(batch))) == batch
    assert len(joiner) == 0


@pytest.mark.parametrize("size", [LARGEST - 100, LARGEST, LARGEST + 1, 10 * LARGEST])
def test_a_large_envelope_travels_in_pieces_that_ray_carries_well(size: int) -> None:
    batch = [b"before", bytes(size), b"after"]
    pieces = list(Cutter(A).cut(batch))
    assert max(map(len, pieces)) < 100 * 1024
    assert joined(Reassembler(), pieces) == batch


def test_pieces_of_several_senders_and_batches_do_not_mix() -> None:
    joiner = Reassembler()
    cutter = Cutter(A)
    ones, twos, others = (
        list(sender.cut([mark * 3 * LARGEST])) for sender, mark in ((cutter, b"1"), (cutter, b"2"), (Cutter(B), b"3"))
    )
    arrived = joined(joiner, [piece for trio in zip(ones, twos, others, strict=True) for piece in trio])
    assert arrived == [b"1" * 3 * LARGEST, b"2" * 3 * LARGEST, b"3" * 3 * LARGEST]


def test_what_a_lost_sender_began_is_forgotten_also_if_it_arrives_late() -> None:
    joiner = Reassembler()
    first, second, _ = Cutter(A).cut([bytes(2 * LARGEST)])
    joiner.join(first)
    assert len(joiner) == 1
    joiner.forget(A)
    joiner.join(second)
    assert len(joiner) == 0


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x94\xa1a\x01\xc3\xc4\x01\xc1", b"\x94\xa1\xff\x01\xc3\xc4\x01\x90"])
def test_bytes_that_are_no_pieces_are_undecodable(data: bytes) -> None:
    with pytest.raises(Undecodable):
        Reassembler().join(data)
