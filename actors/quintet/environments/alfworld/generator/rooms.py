"""Rooms: a number fixes a room's kind, its receptacles, its fixtures, and the places to stand.

Positions are coordinates in metres, places to stand lie on a grid of quarter metres, and names are made of both.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

from msgspec import Struct

from quintet.environments.alfworld.generator.tables import (
    FLOOR,
    ContentRow,
    Furniture,
    RoomKind,
    contents,
    furniture,
    random_for,
    things,
)

_STEP = 0.25
_REACH = 3
"""Grid steps between a wall and an agent that stands before it."""
_HORIZONS = ((0.5, 60), (0.9, 45), (1.2, 30), (1.5, 15), (1.8, 0), (2.1, -15))
"""By height in metres, the angle of looking down, in degrees."""
_HIGHEST_HORIZON = -30


class Standing(NamedTuple):
    """A place to stand, with the direction it faces and the point it looks at."""

    location: str
    """Its name, which encodes all of it."""
    x: float
    z: float
    """Of the point looked at, in metres."""


class Spots:
    """The free places of one room, from the middle outwards. All names are distinct."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._half = random.randint(8, 14), random.randint(8, 14)
        """Half its width and depth, in grid steps."""
        self._taken: set[str] = set()

    def before_a_wall(self, height: float) -> Standing:
        """A place before one of the four walls, looking at a height in metres."""
        while True:
            side = self._random.randrange(4)
            along = self._half[side % 2 == 1]
            step = self._random.randint(-along, along)
            depth = self._half[side % 2 == 0]
            at = _point(side, step, depth - _REACH)
            if (location := _location(at, side, _horizon(height))) not in self._taken:
                self._taken.add(location)
                x, z = _point(side, step, depth)
                return Standing(location, x * _STEP, z * _STEP)

    def free(self) -> Standing:
        """A place in the middle of the room, facing nothing."""
        while True:
            at = tuple(self._random.randint(-half + _REACH + 1, half - _REACH - 1) for half in self._half)
            if (location := _location(at, self._random.randrange(4), 30)) not in self._taken:
                self._taken.add(location)
                return Standing(location, at[0] * _STEP, at[1] * _STEP)

    def name(self, kind: str, standing: Standing, height: float) -> str:
        """A name unique in the room, for a thing near the point looked at."""
        return object_id(kind, standing, height, self._random, self._taken)


def object_id(kind: str, standing: Standing, height: float, random: Random, taken: set[str]) -> str:
    """The name of a thing near the point looked at: its type and its coordinates. Adds the name to `taken`."""
    while True:
        x, z = (at + random.uniform(-0.3, 0.3) for at in (standing.x, standing.z))
        name = kind + "".join(f"_bar_{_coordinate(at)}" for at in (x, height + random.uniform(0, 0.05), z))
        if name not in taken:
            taken.add(name)
            return name


def _point(side: int, along: int, depth: int) -> tuple[int, int]:
    return ((along, depth), (depth, along), (along, -depth), (-depth, along))[side]


def _location(at: Sequence[int], side: int, horizon: int) -> str:
    return "loc" + "".join(f"_bar_{_integer(number)}" for number in (*at, side, horizon))


def _horizon(height: float) -> int:
    return next((horizon for up_to, horizon in _HORIZONS if height <= up_to), _HIGHEST_HORIZON)


def _integer(number: int) -> str:
    return f"_minus_{-number}" if number < 0 else str(number)


def _coordinate(metres: float) -> str:
    sign = "_minus_" if round(metres, 2) < 0 else "_plus_"
    return sign + f"{abs(metres):05.2f}".replace(".", "_dot_")


_FIRST: Mapping[RoomKind, int] = {"kitchen": 1, "livingroom": 201, "bedroom": 301, "bathroom": 401}
_PER_KIND = 30
UNSEEN_SCENES = frozenset({10, 219, 308, 424})
"""The rooms of the unseen split, one of each kind, with the official numbers. No other split uses them."""

_STACKED = {"Cabinet", "Drawer", "Shelf", "StoveBurner"}
_AT_ONE_PLACE = 0.15
"""Share of the stacked receptacles that share the place of the one before."""
_SPARE = 12
"""How many places of a room face no receptacle."""
_BODIES = {"SinkBasin": "Sink", "BathtubBasin": "Bathtub"}
"""Receptacles that are the inside of a fixture and are named after it."""


class Receptacle(Struct, frozen=True):
    """An immovable thing that holds others."""

    id: str
    type: str
    opens: bool
    standing: Standing
    """The place from which it is in reach. Several may share one."""


class Placed(Struct, frozen=True):
    """A thing at its place: a fixture of a room, or a movable thing at first."""

    id: str
    type: str
    standing: Standing
    receptacle: Receptacle | None
    """The receptacle that it is in or on; None: it stands for itself, or is out of reach."""


class Room(Struct, frozen=True):
    """What all games in a room share."""

    scene: int
    kind: RoomKind
    receptacles: tuple[Receptacle, ...]
    fixtures: tuple[Placed, ...]
    spare: tuple[Standing, ...]
    """Places away from every receptacle."""


def kind_of(scene: int) -> RoomKind | None:
    """The kind of room that has a number; None: no room has it."""
    for kind, first in _FIRST.items():
        if first <= scene < first + _PER_KIND:
            return kind
    return None


def scenes(kind: RoomKind, *, unseen: bool) -> tuple[int, ...]:
    """Numbers of the rooms of a kind, of the unseen split or of the others."""
    numbers = range(_FIRST[kind], _FIRST[kind] + _PER_KIND)
    return tuple(number for number in numbers if (number in UNSEEN_SCENES) is unseen)


@cache
def receptacle_counts(scene: int) -> Mapping[str, int]:
    """How many receptacles of each type a room has, if any; a `ValueError` if no room has this number."""
    random = random_for(f"furniture {scene}")
    return {entry.type: number for entry in furniture(_kind(scene)) if (number := random.choice(entry.counts))}


@cache
def lamps(scene: int) -> int:
    """How many desk lamps within reach a room has."""
    lamp = next((entry for entry in contents(_kind(scene)) if entry.type == "DeskLamp"), None)
    if lamp is None or not lamp.within(receptacle_counts(scene)):
        return 0
    return random_for(f"lamps {scene}").choice(lamp.counts)


@lru_cache(maxsize=128)
def room(scene: int) -> Room:
    """The room with this number, always the same; a `ValueError` if no room has this number."""
    kind, random = _kind(scene), random_for(f"room {scene}")
    spots = Spots(random)
    receptacles = tuple(
        receptacle
        for entry in furniture(kind)
        for receptacle in _receptacles(entry, receptacle_counts(scene).get(entry.type, 0), spots, random)
    )
    fixtures = (*_bodies(receptacles), *_fixtures(scene, receptacles, spots, random))
    spare = tuple(spots.free() for _ in range(_SPARE))
    return Room(scene=scene, kind=kind, receptacles=receptacles, fixtures=fixtures, spare=spare)


def _kind(scene: int) -> RoomKind:
    kind = kind_of(scene)
    if kind is None:
        raise ValueError(f"expected a room from 1, 201, 301 or 401 on, {_PER_KIND} each, got {scene}")
    return kind


def _receptacles(entry: Furniture, number: int, spots: Spots, random: Random) -> Iterator[Receptacle]:
    standing: Standing | None = None
    for _ in range(number):
        height = random.uniform(entry.lowest, entry.highest)
        shared = standing is not None and entry.type in _STACKED and random.random() < _AT_ONE_PLACE
        standing = standing if shared and standing is not None else spots.before_a_wall(height)
        name = _BODIES.get(entry.type, entry.type)
        suffix = f"_bar_{entry.type}" if name != entry.type else ""
        opens = random.randrange(100) < entry.opens
        yield Receptacle(spots.name(name, standing, height) + suffix, entry.type, opens, standing)


def _bodies(receptacles: Sequence[Receptacle]) -> Iterator[Placed]:
    for receptacle in receptacles:
        if body := _BODIES.get(receptacle.type):
            name = receptacle.id.removesuffix(f"_bar_{receptacle.type}")
            yield Placed(name, body, receptacle.standing, None)


def _fixtures(scene: int, receptacles: Sequence[Receptacle], spots: Spots, random: Random) -> Iterator[Placed]:
    for entry in contents(_kind(scene)):
        if "take" in things()[entry.type].allows:
            continue
        number = lamps(scene) if entry.type == "DeskLamp" else random.choice(entry.counts)
        for _ in range(number):
            yield _fixture(entry, receptacles, spots, random)


def _fixture(entry: ContentRow, receptacles: Sequence[Receptacle], spots: Spots, random: Random) -> Placed:
    places = entry.within({receptacle.type for receptacle in receptacles})
    place = random.choices(list(places), list(places.values()))[0] if places else FLOOR
    if place == FLOOR:
        standing = spots.before_a_wall(random.uniform(0, 2))
        return Placed(spots.name(entry.type, standing, random.uniform(0, 2)), entry.type, standing, None)
    under = random.choice([receptacle for receptacle in receptacles if receptacle.type == place])
    name = spots.name(entry.type, under.standing, random.uniform(0.4, 1.2))
    return Placed(name, entry.type, under.standing, under)
