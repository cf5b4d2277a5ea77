"""Ids of tuples: version, place of the process in the version, number of the tuple in the process.

So an id does not depend on when its tuple arrives, and ids order tuples by version, process and step.
"""

from typing import Final, NamedTuple

_PLACE_BITS = 32
_NUMBER_BITS = 16
_VERSION_BITS = 15
"""SQLite's numbers have 63 bits without the sign."""

MOST_TUPLES: Final = 1 << _NUMBER_BITS
"""Of a process."""


class TuplePlace(NamedTuple):
    """What an id is made of."""

    version: int
    """The version that the tuple came in with, below 2**15."""
    place: int
    """Of its process in the version, below 2**32."""
    number: int
    """In the process, from 0, below 2**16."""


def tuple_id(version: int, place: int, number: int) -> int:
    """The id of a tuple; a `ValueError` if one of the three is negative or too large."""
    limits = {"version": (version, _VERSION_BITS), "place": (place, _PLACE_BITS), "number": (number, _NUMBER_BITS)}
    for name, (value, bits) in limits.items():
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{name} of a tuple: expected 0 to {(1 << bits) - 1:,}, got {value:,}")
    return version << _PLACE_BITS + _NUMBER_BITS | place << _NUMBER_BITS | number


def place_of(identifier: int) -> TuplePlace:
    """What an id is made of."""
    process, number = identifier >> _NUMBER_BITS, identifier & (1 << _NUMBER_BITS) - 1
    return TuplePlace(process >> _PLACE_BITS, process & (1 << _PLACE_BITS) - 1, number)


def ids_of_version(version: int) -> range:
    """All ids that a version may add."""
    return range(tuple_id(version, 0, 0), version + 1 << _PLACE_BITS + _NUMBER_BITS)


def ids_of_process(version: int, place: int) -> range:
    """All ids that a process may have."""
    first = tuple_id(version, place, 0)
    return range(first, first + (1 << _NUMBER_BITS))
