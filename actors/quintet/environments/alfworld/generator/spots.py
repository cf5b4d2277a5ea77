"""Positions: coordinates in metres, places to stand on a grid of quarter metres, and the names made of both."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

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
