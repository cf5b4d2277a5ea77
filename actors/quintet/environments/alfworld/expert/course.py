"""A course of actions: what the expert strings together, without carrying anything out."""

from typing import NamedTuple

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.situation import Situation


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
        return self._then(f"go to {self.house.receptacles[receptacle]}")._replace(place=home)

    def take(self, thing: int, receptacle: int) -> "Course":
        """Then have what is in a receptacle in the hand, which is empty."""
        action = f"take {self.house.objects[thing]} from {self.house.receptacles[receptacle]}"
        return self._uncover(receptacle)._then(action)._replace(held=thing)

    def put(self, receptacle: int) -> "Course":
        """Then lay what is in the hand, which is not empty, into a receptacle that can contain it."""
        action = self.house.dialect.put(self._in_hand, self.house.receptacles[receptacle])
        return self._uncover(receptacle)._then(action)._replace(held=None)

    def treat(self, verb: str, receptacle: int) -> "Course":
        """Then clean, heat or cool what is in the hand, which is not empty."""
        action = f"{verb} {self._in_hand} with {self.house.receptacles[receptacle]}"
        return self.reach(receptacle)._then(action)

    def use(self, thing: int, receptacle: int) -> "Course":
        """Then turn on what stands in or on a receptacle."""
        return self.reach(receptacle)._then(f"use {self.house.objects[thing]}")

    def _uncover(self, receptacle: int) -> "Course":
        course = self.reach(receptacle)
        if receptacle not in self.house.openable or receptacle in self.opened:
            return course
        opened = self.opened | {receptacle}
        return course._then(f"open {self.house.receptacles[receptacle]}")._replace(opened=opened)

    @property
    def _in_hand(self) -> str:
        assert self.held is not None
        return self.house.objects[self.held]

    def _then(self, action: str) -> "Course":
        return self._replace(actions=(*self.actions, action))
