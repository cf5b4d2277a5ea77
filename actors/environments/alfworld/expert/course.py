"""A course of actions: what the expert strings together, without carrying anything out."""

from typing import NamedTuple

from actors.environments.alfworld.engine.household import Household
from actors.environments.alfworld.engine.situation import Situation


class Course(NamedTuple):
    """Actions one after the other, and what they change for those that follow."""

    house: Household
    place: int
    held: int | None
    opened: frozenset[int]
    actions: tuple[str, ...] = ()

    @classmethod
    def of(cls, house: Household, now: Situation) -> "Course":
        """No action yet."""
        return cls(house, now.place, now.held, now.opened)

    def reach(self, receptacle: int) -> "Course":
        """Then stand at a receptacle, which has a place."""
        home = self.house.home[receptacle]
        if home is None or home == self.place:
            return self
        return self._then(f"go to {self.house.receptacles[receptacle]}", place=home)

    def take(self, thing: int, receptacle: int) -> "Course":
        """Then have what is in a receptacle in the hand, which is empty."""
        action = f"take {self.house.objects[thing]} from {self.house.receptacles[receptacle]}"
        return self._uncover(receptacle)._then(action, held=thing)

    def put(self, receptacle: int) -> "Course":
        """Then lay what is in the hand into a receptacle that can contain it."""
        action = self.house.dialect.put(self._in_hand, self.house.receptacles[receptacle])
        return self._uncover(receptacle)._then(action, held=-1)

    def treat(self, verb: str, receptacle: int) -> "Course":
        """Then clean, heat or cool what is in the hand."""
        action = f"{verb} {self._in_hand} with {self.house.receptacles[receptacle]}"
        return self.reach(receptacle)._then(action)

    def use(self, thing: int, receptacle: int) -> "Course":
        """Then turn on what stands in or on a receptacle."""
        return self.reach(receptacle)._then(f"use {self.house.objects[thing]}")

    def _uncover(self, receptacle: int) -> "Course":
        course = self.reach(receptacle)
        if receptacle not in self.house.openable or receptacle in self.opened:
            return course
        return course._then(f"open {self.house.receptacles[receptacle]}", opened=self.opened | {receptacle})

    @property
    def _in_hand(self) -> str:
        return "" if self.held is None else self.house.objects[self.held]

    def _then(
        self, action: str, *, place: int | None = None, held: int | None = None, opened: frozenset[int] | None = None
    ) -> "Course":
        """One action more. `held`: -1 for an empty hand, None for the same as before."""
        return Course(
            self.house,
            self.place if place is None else place,
            self.held if held is None else (None if held < 0 else held),
            self.opened if opened is None else opened,
            (*self.actions, action),
        )
