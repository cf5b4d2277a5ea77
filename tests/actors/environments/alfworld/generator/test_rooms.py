"""Rooms, each the same for ever."""

import re
from typing import get_args

import pytest

from quintet.environments.alfworld.generator.rooms import (
    UNSEEN_SCENES,
    kind_of,
    lamps,
    receptacle_counts,
    room,
    scenes,
)
from quintet.environments.alfworld.generator.tables import RoomKind, furniture

KINDS: tuple[RoomKind, ...] = get_args(RoomKind)
SCENES = [scene for kind in KINDS for unseen in (False, True) for scene in scenes(kind, unseen=unseen)]
_NUMBER = r"(?:_plus_|_minus_)\d\d_dot_\d\d"


def test_rooms_are_numbered_as_the_official_ones() -> None:
    assert sorted(SCENES) == [*range(1, 31), *range(201, 231), *range(301, 331), *range(401, 431)]
    assert sorted(UNSEEN_SCENES) == [10, 219, 308, 424]


@pytest.mark.parametrize("scene", [-1, 0, 31, 200, 231, 999])
def test_no_room_has_another_number(scene: int) -> None:
    assert kind_of(scene) is None
    with pytest.raises(ValueError, match=f"got {scene}"):
        room(scene)


def test_every_room_has_what_its_tasks_need() -> None:
    for scene in SCENES:
        has = receptacle_counts(scene)
        assert has.get("GarbageCan") == 1
        if kind_of(scene) == "kitchen":
            assert (has["Fridge"], has["Microwave"], has["SinkBasin"], has["StoveBurner"]) == (1, 1, 1, 4)
        if kind_of(scene) == "bathroom":
            assert has["SinkBasin"] in {1, 2}
    assert any(lamps(scene) for scene in UNSEEN_SCENES)


@pytest.mark.parametrize("scene", SCENES[::6] + sorted(UNSEEN_SCENES))
def test_a_room_is_well_formed(scene: int) -> None:
    here = room(scene)
    names = [*(each.id for each in here.receptacles), *(each.id for each in here.fixtures)]
    assert len(names) == len(set(names))
    basins = {each.id.removesuffix("_bar_SinkBasin") for each in here.receptacles if each.type == "SinkBasin"}
    assert basins <= {each.id for each in here.fixtures}
    assert all(re.fullmatch(rf"[A-Za-z]+(_bar_{_NUMBER}){{3}}(_bar_(Sink|Bathtub)Basin)?", name) for name in names)
    standing = {each.standing.location for each in here.receptacles}
    standing |= {each.standing.location for each in here.fixtures}
    assert all(re.fullmatch(r"loc(_bar_(_minus_)?\d+){4}", location) for location in standing)
    assert not standing & {each.location for each in here.spare}
    doors = {entry.type for entry in furniture(here.kind) if entry.opens}
    assert all(each.type in doors for each in here.receptacles if each.opens)
    room.cache_clear()
    assert room(scene) == here


def test_some_receptacles_are_reached_from_one_place() -> None:
    shared = [
        len(room(scene).receptacles) - len({each.standing for each in room(scene).receptacles}) for scene in SCENES
    ]
    assert 0 in shared
    assert max(shared) >= 3
