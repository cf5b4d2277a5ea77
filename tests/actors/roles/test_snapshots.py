"""The snapshot that a method holds: every one is read back, and a damaged one is a fault."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import WorldFault
from quintet.roles.snapshots import SessionSnapshot, decode_snapshot, encode_snapshot

SNAPSHOTS = st.builds(SessionSnapshot, seen=st.text(st.characters(codec=None)), state=st.binary())


@given(SNAPSHOTS)
def test_a_snapshot_is_read_back(snapshot: SessionSnapshot) -> None:
    assert decode_snapshot(encode_snapshot(snapshot)) == snapshot


@given(SNAPSHOTS, st.data())
def test_a_damaged_snapshot_is_a_fault(snapshot: SessionSnapshot, data: st.DataObject) -> None:
    damaged = bytearray(encode_snapshot(snapshot))
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(WorldFault, match="expected what a session wrote, got"):
        decode_snapshot(bytes(damaged))


@given(st.binary())
def test_other_bytes_are_a_fault(data: bytes) -> None:
    with pytest.raises(WorldFault, match=re.escape(f"got {len(data)} bytes of something else")):
        decode_snapshot(data)


@given(SNAPSHOTS, st.data())
def test_a_cut_snapshot_is_a_fault(snapshot: SessionSnapshot, data: st.DataObject) -> None:
    whole = encode_snapshot(snapshot)
    with pytest.raises(WorldFault):
        decode_snapshot(whole[: data.draw(st.integers(0, len(whole) - 1))])
