"""Where the things of a game are at first. Its objective does not hold yet and can be reached."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct

from quintet.environments.alfworld.generator.objectives import Objective
from quintet.environments.alfworld.generator.rooms import Placed, Receptacle, Room, Standing, object_id
from quintet.environments.alfworld.generator.tables import FLOOR, ContentRow, contents, things

_WITH_ONE_INSIDE = 0.2
"""Share of the games in which a thing lies in a carried one."""
_WITH_COOL_THINGS = 0.1
"""Share of the games in which things in a fridge are cool at first."""


class Arrangement(Struct, frozen=True):
    """The start of a game."""

    start: str
    """The agent's place."""
    placed: tuple[Placed, ...]
    inside: tuple[tuple[str, str], ...]
    """Things that lie in other movable things, each with that one. Both are in the same receptacle."""
    cool: tuple[str, ...]


def arrange_things(room: Room, objective: Objective, random: Random) -> Arrangement:
    """The things of a game in a room."""
    spare = list(room.spare)
    random.shuffle(spare)
    start = spare.pop()
    placed = tuple(_placed(room, objective, spare, random))
    return Arrangement(
        start=start.location,
        placed=placed,
        inside=_inside(placed, random) if random.random() < _WITH_ONE_INSIDE else (),
        cool=_cool(placed, objective) if random.random() < _WITH_COOL_THINGS else (),
    )


def _placed(room: Room, objective: Objective, spare: Sequence[Standing], random: Random) -> Iterator[Placed]:
    taken = {receptacle.id for receptacle in room.receptacles} | {fixture.id for fixture in room.fixtures}
    by_type: dict[str, list[Receptacle]] = {}
    for receptacle in room.receptacles:
        by_type.setdefault(receptacle.type, []).append(receptacle)
    for entry in contents(room.kind):
        if "take" not in things()[entry.type].allows:
            continue
        wanted = entry.type == objective.thing
        number = random.choice(entry.counts)
        weights = _weights(entry, by_type, objective if wanted else None)
        for _ in range(max(number, objective.number) if wanted else number):
            yield _one(entry.type, weights, by_type, spare, random, taken)


def _weights(entry: ContentRow, present: Mapping[str, object], objective: Objective | None) -> Mapping[str, int]:
    """Where a type of thing may lie. The objective's things lie within reach and not yet at the target."""
    here = entry.within(present)
    if objective is not None:
        here = {place: weight for place, weight in here.items() if place not in {FLOOR, objective.target}}
    target = None if objective is None else objective.target
    allowed = sorted(things()[entry.type].receptacles & set(present) - {target})
    return here or dict.fromkeys(allowed, 1) or {FLOOR: 1}


def _one(
    thing: str,
    weights: Mapping[str, int],
    by_type: Mapping[str, Sequence[Receptacle]],
    spare: Sequence[Standing],
    random: Random,
    taken: set[str],
) -> Placed:
    place = random.choices(list(weights), list(weights.values()))[0]
    receptacle = None if place == FLOOR else random.choice(by_type[place])
    standing = random.choice(spare) if receptacle is None else receptacle.standing
    height = 0.0 if receptacle is None else random.uniform(0.1, 1.6)
    return Placed(object_id(thing, standing, height, random, taken), thing, standing, receptacle)


def _inside(placed: Sequence[Placed], random: Random) -> tuple[tuple[str, str], ...]:
    pairs = [
        (inner.id, outer.id)
        for outer in placed
        if outer.receptacle is not None and "hold" in things()[outer.type].allows
        for inner in placed
        if inner is not outer and inner.receptacle is outer.receptacle and outer.type in things()[inner.type].vessels
    ]
    return (random.choice(pairs),) if pairs else ()


def _cool(placed: Sequence[Placed], objective: Objective) -> tuple[str, ...]:
    return tuple(
        each.id
        for each in placed
        if each.receptacle is not None and each.receptacle.type == "Fridge" and each.type != objective.thing
    )
