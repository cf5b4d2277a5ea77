"""The kinds of scenarios, and which of their scenarios a soak of a size has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.soak import cluster, kill, process, schedules, surroundings, web
from tests.soak.scenario import Kind

KINDS: Sequence[Kind] = (
    kill.KIND,
    schedules.KIND,
    process.KIND,
    *cluster.KINDS,
    web.KIND,
    surroundings.KIND,
)


class Place(NamedTuple):
    """A scenario of a soak."""

    kind: str
    seed: int


def split_kinds(kinds: Sequence[Kind] = KINDS) -> tuple[Sequence[Kind], Mapping[str, str]]:
    """Those that can run here, and why the others cannot, by name."""
    reasons = {kind.name: kind.missing() for kind in kinds}
    return [kind for kind in kinds if not reasons[kind.name]], {name: why for name, why in reasons.items() if why}


def places(kinds: Sequence[Kind], number: int, first: int) -> Iterator[Place]:
    """So many scenarios: one of each kind, then by weight, so that a soak that is cut off is a small one.

    Args:
        first: the seed of each kind's first scenario.
    """
    total = sum(kind.weight for kind in kinds)
    begun = Counter[str]()
    for position in range(1, number + 1):
        kind = max(kinds, key=lambda each: (not begun[each.name], each.weight * position / total - begun[each.name]))
        yield Place(kind.name, first + begun[kind.name])
        begun[kind.name] += 1


def kind_of(name: str) -> Kind:
    """The kind of a name."""
    return next(kind for kind in KINDS if kind.name == name)
