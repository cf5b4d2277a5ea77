"""What names mean to somebody who sees no more than the agent; no answer tells what is in the household beyond that."""

from collections.abc import Iterator, Sequence

import pytest

from quintet.environments.alfworld.engine.causes import cause
from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.observations import in_sight
from quintet.environments.alfworld.engine.rules import admissible, carry_out
from quintet.environments.alfworld.generator.objectives import TaskType
from quintet.environments.alfworld.generator.tables import things
from quintet.environments.alfworld.sources.library import GeneratedLibrary

NOWHERE = 98765
"""No object has this number."""
KINDS = sorted(kind.lower() for kind in things())
LIBRARY = GeneratedLibrary()
TASKS = {name.partition("-")[0]: name for name in LIBRARY.tasks("valid_unseen")}
"""A task of every type."""


def situations(house: Household) -> Iterator[HouseholdState]:
    """At the beginning; beside a receptacle, open or not; and with something in the hand, at every appliance."""
    now = house.begin
    yield now
    for receptacle in (
        0,
        *sorted({*house.openable})[:2],
        *sorted(frozenset().union(*(each.appliances for each in house.treatments.values()))),
    ):
        arrived = carry_out(house, now, f"go to {house.receptacles[receptacle]}")
        now = now if arrived is None else arrived.now
        yield now
        for action in admissible(house, now):
            if action.startswith(("open ", "take ")) and (done := carry_out(house, now, action)) is not None:
                now = done.now
                yield now


def probes(house: Household, now: HouseholdState, name: str) -> Iterator[str]:
    """Everything that might be said of a name."""
    places = [house.receptacles[each] for each in {*house.at[now.place], 0, len(house.receptacles) - 1}]
    held = "gadget 1" if now.held is None else house.objects[now.held]
    yield from (f"{verb} {name}" for verb in ("examine", "use", "go to", "open", "close", "dance with", "look"))
    yield from (f"slice {name} with {held}", f"slice {held} with {name}", f"heat {held} with {name}")
    for place in places:
        yield from (f"take {name} from {place}", house.dialect.put(name, place), f"put {name} in/on {place}")
        yield from (f"{verb} {name} with {place}" for verb in ("clean", "heat", "cool"))
        yield from (f"take {held} from {name}", house.dialect.put(held, name))


def observations_of(house: Household, now: HouseholdState, kind: str, number: int) -> Sequence[str | None]:
    """What is answered to every probe of a name, with `NAME` for it; None: it is carried out."""
    name = f"{kind} {number}"
    actions = probes(house, now, name)
    return [
        None if carry_out(house, now, action) is not None else cause(house, now, action).replace(name, "NAME")
        for action in actions
    ]


@pytest.mark.parametrize(
    "kind_of_task",
    [
        "look_at_obj_in_light",
        "pick_heat_then_place_in_recep",
        *(
            pytest.param(kind, marks=pytest.mark.slow, id=kind)
            for kind in sorted(TASKS.keys() - {"look_at_obj_in_light", "pick_heat_then_place_in_recep"})
        ),
    ],
)
def test_no_cause_tells_whether_an_object_out_of_sight_exists(kind_of_task: TaskType) -> None:
    house = household(LIBRARY.game(TASKS[kind_of_task]))
    hidden = 0
    for now in situations(house):
        seen = {house.objects[each] for each in in_sight(house, now) | ({now.held} - {None})}  # type: ignore[index]
        for kind in KINDS:
            nothing = observations_of(house, now, kind, NOWHERE)
            for number in range(1, 4):
                name = f"{kind} {number}"
                if name in seen or name in house.receptacle_numbers:
                    continue
                hidden += name in house.object_numbers
                pairs = zip(observations_of(house, now, kind, number), nothing, strict=True)
                assert [(found, other) for found, other in pairs if found not in (None, other)] == []
    assert hidden > 100
