"""The facts that households are made of."""

from typing import get_args

from quintet.environments.alfworld.generator.tables import (
    FLOOR,
    RoomKind,
    contents,
    furniture,
    receptacle_types,
    things,
)

KINDS: tuple[RoomKind, ...] = get_args(RoomKind)


def test_what_can_be_taken_begins_where_it_may_be_held_or_out_of_reach() -> None:
    wrong = [
        (kind, entry.type, place)
        for kind in KINDS
        for entry in contents(kind)
        if "take" in things()[entry.type].allows
        for place in entry.places
        if place != FLOOR and place not in things()[entry.type].receptacles
    ]
    assert wrong == []


def test_every_place_is_a_receptacle_that_its_room_may_have() -> None:
    for kind in KINDS:
        known = {entry.type for entry in furniture(kind)} | {FLOOR}
        assert {place for entry in contents(kind) for place in entry.places} <= known
    assert {"SinkBasin", "Microwave", "Fridge"} <= set(receptacle_types())


def test_only_lamps_are_switched_and_only_food_is_sliced() -> None:
    allowing = {word: {name for name, thing in things().items() if word in thing.allows} for word in ("light", "slice")}
    assert allowing["light"] == {"DeskLamp", "FloorLamp"}
    assert allowing["slice"] == {"Apple", "Bread", "Egg", "Lettuce", "Potato", "Tomato"}
