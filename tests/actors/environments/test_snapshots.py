import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from quintet.environments.snapshots import SnapshotCodec
from quintet.errors import WorldFault
from quintet.messages.environment import Task

TASK = Task(name="hall", seed=1)


class Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    place: str
    steps: int


class OtherHeld(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    steps: int


CODEC = SnapshotCodec("maze", Held)
WHOLE = CODEC.encode(TASK, "1", Held("door", 3))


@given(st.text(st.characters(codec="utf-8")), st.integers(-(2**63), 2**63))
def test_what_a_state_held_is_read_back(place: str, steps: int) -> None:
    held = Held(place, steps)
    assert CODEC.decode(TASK, "1", CODEC.encode(TASK, "1", held)) == held


def test_a_snapshot_with_any_byte_changed_cut_off_or_added_is_refused() -> None:
    flipped = [WHOLE[:at] + bytes([WHOLE[at] ^ 1]) + WHOLE[at + 1 :] for at in range(len(WHOLE))]
    for damaged in (b"", WHOLE[:-1], b"\xff" + WHOLE, *flipped):
        with pytest.raises(WorldFault, match="snapshot: expected one of maze, got other or damaged bytes"):
            CODEC.decode(TASK, "1", damaged)


def test_another_task_or_version_is_refused_before_what_it_held_is_read() -> None:
    other = SnapshotCodec("maze", OtherHeld).encode(TASK, "2", OtherHeld(1))
    with pytest.raises(WorldFault, match=re.escape("expected one of version 1, got one of 2 (maze)")):
        CODEC.decode(TASK, "1", other)
    with pytest.raises(WorldFault, match=r"expected one of task Task\(name='hall', seed=2"):
        CODEC.decode(Task(name="hall", seed=2), "1", WHOLE)
    with pytest.raises(WorldFault, match="expected one of maze, got other bytes"):
        CODEC.decode(TASK, "2", other)
