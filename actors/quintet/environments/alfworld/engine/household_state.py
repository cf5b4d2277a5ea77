"""The changing part of a household: where everything is, and its state."""

from msgspec import Struct
from msgspec.structs import replace


class HouseholdState(Struct, frozen=True, array_like=True):
    """Everything that actions change. Immutable, so that any number of sessions share one.

    Objects, receptacles and places are numbered by the household, in the order of their ids.
    """

    place: int
    """Where the agent is."""
    contents: tuple[tuple[int, ...], ...]
    """The objects in every receptacle, in order. An official game may have one object in two receptacles at first."""
    beside: tuple[tuple[int, ...], ...]
    """The objects at every place, in order, by the engine's record. The record keeps an object at its first place after
    it is taken, if that is not the place of its receptacle."""
    held: int | None = None
    """The object in the agent's hand."""
    taken: frozenset[tuple[int, int]] = frozenset()
    """Objects taken out of a receptacle and not put back, each with that receptacle."""
    opened: frozenset[int] = frozenset()
    """Receptacles."""
    clean: frozenset[int] = frozenset()
    hot: frozenset[int] = frozenset()
    cool: frozenset[int] = frozenset()
    sliced: frozenset[int] = frozenset()
    toggled: frozenset[int] = frozenset()
    """Objects that were used at least once."""

    def after_take(self, thing: int, receptacle: int) -> "HouseholdState":
        """The situation with `thing` in hand instead of in `receptacle`, which is here."""
        return replace(
            self,
            held=thing,
            contents=_without(self.contents, receptacle, thing),
            beside=_without(self.beside, self.place, thing),
            taken=self.taken | {(thing, receptacle)},
        )

    def after_put(self, thing: int, receptacle: int) -> "HouseholdState":
        """The situation with the thing in hand put into `receptacle`, which is here."""
        return replace(
            self,
            held=None,
            contents=_with(self.contents, receptacle, thing),
            beside=_with(self.beside, self.place, thing),
            taken=self.taken - {(thing, receptacle)},
        )

    def treated(self, verb: str) -> frozenset[int]:
        """The objects that were cleaned, heated or cooled, and are so still."""
        return {"clean": self.clean, "heat": self.hot, "cool": self.cool}[verb]

    def after_treat(self, verb: str, thing: int) -> "HouseholdState":
        """The situation with `thing` cleaned, heated or cooled."""
        if verb == "clean":
            return replace(self, clean=self.clean | {thing})
        if verb == "heat":
            return replace(self, hot=self.hot | {thing}, cool=self.cool - {thing})
        return replace(self, cool=self.cool | {thing}, hot=self.hot - {thing})


def _without(rows: tuple[tuple[int, ...], ...], row: int, thing: int) -> tuple[tuple[int, ...], ...]:
    left = tuple(each for each in rows[row] if each != thing)
    return (*rows[:row], left, *rows[row + 1 :])


def _with(rows: tuple[tuple[int, ...], ...], row: int, thing: int) -> tuple[tuple[int, ...], ...]:
    if thing in rows[row]:
        return rows
    return (*rows[:row], tuple(sorted((*rows[row], thing))), *rows[row + 1 :])
