"""The expert: a shortest or nearly shortest way to the goal from any situation.

It knows the six goals of the household tasks. Of all ways that fetch the right things, treat them and bring them where
they belong, one after the other, it takes the shortest, and believes in it only after carrying it out.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from quintet.environments.alfworld.engine.goal_spec import GoalSpec, wished
from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.rules import carry_out
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


def expert_plan(house: Household, now: Situation) -> tuple[str, ...] | None:
    """Actions that reach the goal, at least one: where it is reached already, whatever is done next wins the game.

    Args:
        house: the game.
        now: where to start from.

    Returns:
        None where no way to the goal is known.
    """
    if house.goal.reached(now):
        return ("look",)
    wish = wished(house)
    courses = () if wish is None else _looking(house, now, wish) if wish.looking else _placing(house, now, wish)
    ways = sorted({course.actions for course in courses}, key=lambda actions: (len(actions), actions))
    return next((way for actions in ways if (way := verified(house, now, actions))), None)


def verified(house: Household, now: Situation, actions: Iterable[str]) -> tuple[str, ...] | None:
    """Actions up to the one that reaches the goal; None: one cannot be carried out, or none reaches it.

    Args:
        house: the game.
        now: where to start from.
        actions: in the words of either dialect.
    """
    carried_out: list[str] = []
    for action in map(house.dialect.own, actions):
        done = carry_out(house, now, action)
        if done is None:
            return None
        carried_out.append(action)
        now = done.now
        if house.goal.reached(now):
            return tuple(carried_out)
    return None


def _looking(house: Household, now: Situation, wish: GoalSpec) -> Iterator[Course]:
    fetched = [course for thing in sorted(wish.things) for course in _fetched(Course.of(house, now), now, thing)]
    for lamp in sorted(wish.targets):
        for receptacle in _around(house, now, lamp):
            for course in fetched:
                lit = lamp in now.toggled
                yield course.reach(receptacle) if lit else course.use(lamp, receptacle)


def _placing(house: Household, now: Situation, wish: GoalSpec) -> Iterator[Course]:
    ready = _ready(now, wish)
    for target in sorted(wish.targets):
        there = ready & set(now.contents[target])
        missing = sorted(wish.things & house.accepts[target] - there)
        for things in permutations(missing, wish.number - len(there)) if house.home[target] is not None else ():
            courses = [Course.of(house, now)]
            for thing in things:
                courses = [way for course in _shortest(courses) for way in _brought(course, now, wish, thing, target)]
            yield from courses


def _shortest(courses: Sequence[Course]) -> list[Course]:
    least = min((len(course.actions) for course in courses), default=0)
    return [course for course in courses if len(course.actions) == least]


def _ready(now: Situation, wish: GoalSpec) -> frozenset[int]:
    """The things that nothing needs to be done to any more."""
    states = {"clean": now.clean, "heat": now.hot, "cool": now.cool}
    return wish.things if wish.verb is None else wish.things & states[wish.verb]


def _brought(course: Course, now: Situation, wish: GoalSpec, thing: int, target: int) -> Iterator[Course]:
    house = course.house
    devices = {"clean": house.sinks, "heat": house.microwaves, "cool": house.fridges}
    for fetched in _fetched(course, now, thing):
        if wish.verb is None or thing in _ready(now, wish):
            yield fetched.put(target)
        else:
            for device in sorted(devices[wish.verb]):
                if house.home[device] is not None:
                    treated = fetched.treat(wish.verb, device)
                    yield treated.put(target)
                    if thing in now.contents[target]:
                        yield treated  # official games have things in two receptacles at once: it may still be there


def _fetched(course: Course, now: Situation, thing: int) -> Iterator[Course]:
    """The thing in the hand; what was there before is laid down here, where the thing is, or wherever it can be."""
    if course.held == thing:
        yield course
        return
    for source in _around(course.house, now, thing) if thing in course.house.pickupable else ():
        for freed in _freed(course, source):
            yield freed.take(thing, source)


def _freed(course: Course, source: int) -> Iterator[Course]:
    house, held = course.house, course.held
    if held is None:
        yield course
        return
    near = [each for place in {course.place, house.home[source]} if place is not None for each in house.at[place]]
    takers = [each for each in near if held in house.accepts[each]] or [
        each for each, accepted in enumerate(house.accepts) if held in accepted and house.home[each] is not None
    ]
    least = min((len(course.put(each).actions) for each in takers), default=0)
    yield from (put for each in takers if len((put := course.put(each)).actions) == least or each in near)


def _around(house: Household, now: Situation, thing: int) -> list[int]:
    """The receptacles that hold a thing and can be reached."""
    return [each for each, things in enumerate(now.contents) if thing in things and house.home[each] is not None]
