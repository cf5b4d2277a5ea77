"""The snapshot that a method holds: every one is read back, and a damaged or foreign one is a fault."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.roles.snapshots import SessionSnapshot, decode_snapshot, encode_snapshot

TASK = Task(name="hall", seed=1)
SNAPSHOTS = st.builds(
    SessionSnapshot,
    task=st.just(TASK),
    version=st.just("1"),
    seen=st.text(st.characters(codec=None)),
    state=st.binary(),
)


@given(SNAPSHOTS)
def test_a_snapshot_is_read_back(snapshot: SessionSnapshot) -> None:
    assert decode_snapshot(encode_snapshot(snapshot), TASK, "1") == snapshot


@given(SNAPSHOTS, st.data())
def test_a_damaged_snapshot_is_a_fault(snapshot: SessionSnapshot, data: st.DataObject) -> None:
    damaged = bytearray(encode_snapshot(snapshot))
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(WorldFault, match="expected what a session wrote, got"):
        decode_snapshot(bytes(damaged), TASK, "1")


@given(st.binary())
def test_other_bytes_are_a_fault(data: bytes) -> None:
    with pytest.raises(WorldFault, match=re.escape(f"got {len(data)} bytes of something else")):
        decode_snapshot(data, TASK, "1")


@given(SNAPSHOTS, st.data())
def test_a_cut_snapshot_is_a_fault(snapshot: SessionSnapshot, data: st.DataObject) -> None:
    whole = encode_snapshot(snapshot)
    with pytest.raises(WorldFault):
        decode_snapshot(whole[: data.draw(st.integers(0, len(whole) - 1))], TASK, "1")


@given(SNAPSHOTS)
def test_one_of_another_task_seed_or_version_is_a_fault(snapshot: SessionSnapshot) -> None:
    whole = encode_snapshot(snapshot)
    with pytest.raises(WorldFault, match="expected one of version 2, got one of 1"):
        decode_snapshot(whole, TASK, "2")
    for other in (Task(name="hall", seed=2), Task(name="door", seed=1)):
        with pytest.raises(WorldFault, match=re.escape(f"expected one of task {other}, got one of {TASK}")):
            decode_snapshot(whole, other, "1")
