"""The tables behind generated households: what every type allows, and what every room has and where."""

from collections.abc import Container, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from random import Random
from types import MappingProxyType
from typing import Literal, TypeAlias

from msgspec import Struct

RoomKind: TypeAlias = Literal["kitchen", "livingroom", "bedroom", "bathroom"]
FLOOR = "floor"
"""The place of out-of-reach things."""


class Thing(Struct, frozen=True):
    """What a type of thing allows, in any room."""

    allows: frozenset[str]
    """Some of take, clean, heat, cool, slice, light, hold."""
    receptacles: frozenset[str]
    """Types of receptacles that may hold it."""
    vessels: frozenset[str]
    """Types of movable things that may hold it."""


class Furniture(Struct, frozen=True):
    """A type of receptacle in one kind of room."""

    type: str
    counts: tuple[int, ...]
    """How many there are; each as likely as the others."""
    opens: int
    """Percent of them that have a door."""
    lowest: float
    highest: float
    """Metres above the floor."""


class ContentRow(Struct, frozen=True):
    """A type of thing in one kind of room."""

    type: str
    counts: tuple[int, ...]
    """How many there are; each as likely as the others."""
    places: Mapping[str, int]
    """Weights of receptacle types, and of `FLOOR`."""

    def within(self, types: Container[str]) -> Mapping[str, int]:
        """The places that there are where a room has only these types of receptacles."""
        return {place: weight for place, weight in self.places.items() if place == FLOOR or place in types}


def random_for(text: str) -> Random:
    """A generator seeded by a text, the same in every process and on every machine."""
    return Random(text_hash(text))


def text_hash(text: str) -> int:
    """A 64-bit hash of a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


@cache
def things() -> Mapping[str, Thing]:
    """Every type of thing, by name."""
    found = {name: Thing(_words(allows), _words(held), _words(lies)) for name, allows, held, lies in _rows("things")}
    return MappingProxyType(found)


@cache
def furniture(kind: RoomKind) -> tuple[Furniture, ...]:
    """The types of receptacles that a kind of room has."""
    rows = (row[1:] for row in _rows("furniture") if row[0] == kind)
    return tuple(
        Furniture(name, _numbers(counts), int(opens), *map(float, heights.split()))
        for name, counts, opens, heights in rows
    )


@cache
def contents(kind: RoomKind) -> tuple[ContentRow, ...]:
    """The types of things that a kind of room has."""
    rows = (row[1:] for row in _rows("contents") if row[0] == kind)
    return tuple(ContentRow(name, _numbers(counts), _weights(places)) for name, counts, places in rows)


@cache
def receptacle_types() -> tuple[str, ...]:
    """Every type of receptacle, sorted."""
    return tuple(sorted({row[1] for row in _rows("furniture")}))


def _rows(table: str) -> Iterator[list[str]]:
    text = files("quintet.environments.alfworld.generator").joinpath(f"{table}.tsv").read_text("utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split()) - {"-"}


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _weights(text: str) -> Mapping[str, int]:
    pairs = (entry.split(":") for entry in text.split())
    return MappingProxyType({place: int(weight) for place, weight in pairs})
