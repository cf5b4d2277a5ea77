"""What the agent can see of a household, and what the names that it writes can refer to, by that alone."""

import re

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.observations import in_sight

_NAME = re.compile(r"[^\W\d_]{1,40}(?P<index> \d{1,9})?")


class View:
    """A household as the agent sees it. Objects out of sight are treated as if they did not exist."""

    def __init__(self, house: Household, now: HouseholdState) -> None:
        self.house = house
        self.now = now
        self._objects = {house.objects[each]: each for each in in_sight(house, now)}
        if now.held is not None:
            self._objects[house.objects[now.held]] = now.held

    def object(self, name: str) -> int | None:
        """The object of that name, if it is in sight or in the hand."""
        return self._objects.get(name)

    def receptacle(self, name: str) -> int | None:
        """The receptacle of that name, if the opening names it, so that the agent can go there."""
        number = self.house.receptacle_numbers.get(name)
        return None if number is None or self.house.home[number] is None else number

    def is_name(self, text: str) -> bool:
        """Whether the text looks like a name, with or without an index."""
        return self._shows(text) or _NAME.fullmatch(text) is not None

    def is_indexed(self, name: str) -> bool:
        """Whether a name has its index."""
        found = _NAME.fullmatch(name)
        return self._shows(name) or (found is not None and found["index"] is not None)

    def may_be_object(self, name: str) -> bool:
        """Whether an object might have that name."""
        return self.is_indexed(name) and self.receptacle(name) is None

    def sounds_like_receptacle(self, name: str) -> bool:
        """Whether the opening names receptacles of its kind, and no such object is in sight."""
        kinds = {each.rpartition(" ")[0] for each in self.house.receptacles if self.receptacle(each) is not None}
        return name not in self._objects and name.rpartition(" ")[0] in kinds

    def here(self, name: str) -> int | None:
        """The receptacle of that name, if the agent is at it."""
        receptacle = self.receptacle(name)
        return receptacle if receptacle is not None and self.house.is_here(self.now, receptacle) else None

    def closed(self, name: str) -> bool:
        """Whether it is a receptacle that is here and closed."""
        receptacle = self.here(name)
        return receptacle is not None and not self.house.stands_open(self.now, receptacle)

    def contents(self, name: str) -> tuple[int, ...] | None:
        """The objects in a receptacle; None if they are out of sight."""
        receptacle = self.here(name)
        return None if receptacle is None or self.closed(name) else self.now.contents[receptacle]

    def held(self, name: str) -> int | None:
        """The object in the hand, if that is its name."""
        found = self.object(name)
        return found if found == self.now.held else None

    def _shows(self, name: str) -> bool:
        return name in self._objects or self.receptacle(name) is not None
