"""The expert: a shortest or nearly shortest way to the goal from any situation.

It knows the six goals of the household tasks. It lists the ways to fetch the right things, treat them and bring them
where they belong, one after the other, and takes the shortest that reaches the goal when it is carried out.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from quintet.environments.alfworld.engine.goal_spec import GoalSpec, goal_spec_of
from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.rules import carry_out


class ActionRoute(NamedTuple):
    """A sequence of actions, and the state after it."""

    house: Household
    place: int
    held: int | None
    opened: frozenset[int]
    actions: tuple[str, ...] = ()

    def reach(self, receptacle: int) -> "ActionRoute":
        """Go to a receptacle, which has a place."""
        home = self.house.home[receptacle]
        if home is None or home == self.place:
            return self
        return self._then(f"go to {self.house.receptacles[receptacle]}")._replace(place=home)

    def take(self, thing: int, receptacle: int) -> "ActionRoute":
        """Take a thing out of a receptacle; the hand is empty."""
        action = f"take {self.house.objects[thing]} from {self.house.receptacles[receptacle]}"
        return self._uncover(receptacle)._then(action)._replace(held=thing)

    def put(self, receptacle: int) -> "ActionRoute":
        """Put the thing in hand into a receptacle that can contain it."""
        action = self.house.dialect.put(self._in_hand, self.house.receptacles[receptacle])
        return self._uncover(receptacle)._then(action)._replace(held=None)

    def treat(self, verb: str, receptacle: int) -> "ActionRoute":
        """Clean, heat or cool the thing in hand."""
        action = f"{verb} {self._in_hand} with {self.house.receptacles[receptacle]}"
        return self.reach(receptacle)._then(action)

    def use(self, thing: int, receptacle: int) -> "ActionRoute":
        """Turn on a thing in or on a receptacle."""
        return self.reach(receptacle)._then(f"use {self.house.objects[thing]}")

    def _uncover(self, receptacle: int) -> "ActionRoute":
        route = self.reach(receptacle)
        if receptacle not in self.house.openable or receptacle in self.opened:
            return route
        opened = self.opened | {receptacle}
        return route._then(f"open {self.house.receptacles[receptacle]}")._replace(opened=opened)

    @property
    def _in_hand(self) -> str:
        assert self.held is not None
        return self.house.objects[self.held]

    def _then(self, action: str) -> "ActionRoute":
        return self._replace(actions=(*self.actions, action))


def expert_plan(house: Household, now: HouseholdState) -> tuple[str, ...] | None:
    """Actions that reach the goal, at least one, since any wins where it is reached; None: no way is known."""
    if house.goal.reached(now):
        return ("look",)
    spec = goal_spec_of(house)
    routes = () if spec is None else _look_routes(house, now, spec) if spec.looking else _put_routes(house, now, spec)
    ways = sorted({route.actions for route in routes}, key=lambda actions: (len(actions), actions))
    return next((way for actions in ways if (way := verify_plan(house, now, actions))), None)


def verify_plan(house: Household, now: HouseholdState, actions: Iterable[str]) -> tuple[str, ...] | None:
    """Carry actions of either dialect out up to the one that reaches the goal; None: one is rejected, or none does."""
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


def _look_routes(house: Household, now: HouseholdState, spec: GoalSpec) -> Iterator[ActionRoute]:
    start = ActionRoute(house, now.place, now.held, now.opened)
    fetched = [route for thing in sorted(spec.things) for route in _fetch(start, now, thing)]
    for lamp in sorted(spec.targets):
        for receptacle in _receptacles_of(house, now, lamp):
            for route in fetched:
                lit = lamp in now.toggled
                yield route.reach(receptacle) if lit else route.use(lamp, receptacle)


def _put_routes(house: Household, now: HouseholdState, spec: GoalSpec) -> Iterator[ActionRoute]:
    ready = _treated_things(now, spec)
    for target in sorted(spec.targets):
        there = ready & set(now.contents[target])
        missing = sorted(spec.things & house.accepts[target] - there)
        for things in permutations(missing, spec.number - len(there)) if house.home[target] is not None else ():
            routes = [ActionRoute(house, now.place, now.held, now.opened)]
            for thing in things:
                routes = [way for route in _shortest(routes) for way in _bring(route, now, spec, thing, target)]
            yield from routes


def _shortest(routes: Sequence[ActionRoute]) -> list[ActionRoute]:
    least = min((len(route.actions) for route in routes), default=0)
    return [route for route in routes if len(route.actions) == least]


def _treated_things(now: HouseholdState, spec: GoalSpec) -> frozenset[int]:
    return spec.things if spec.verb is None else spec.things & now.treated(spec.verb)


def _bring(route: ActionRoute, now: HouseholdState, spec: GoalSpec, thing: int, target: int) -> Iterator[ActionRoute]:
    house = route.house
    for fetched in _fetch(route, now, thing):
        if spec.verb is None or thing in _treated_things(now, spec):
            yield fetched.put(target)
        else:
            for device in sorted(house.treatments[spec.verb].appliances):
                if house.home[device] is not None:
                    treated = fetched.treat(spec.verb, device)
                    yield treated.put(target)
                    if thing in now.contents[target]:
                        yield treated  # an official game may have it in two receptacles; one is left


def _fetch(route: ActionRoute, now: HouseholdState, thing: int) -> Iterator[ActionRoute]:
    """Routes that end with the thing in hand. Another thing in hand is put down first, nearby if anything takes it."""
    if route.held == thing:
        yield route
        return
    for source in _receptacles_of(route.house, now, thing) if thing in route.house.pickupable else ():
        for freed in _free_hand(route, source):
            yield freed.take(thing, source)


def _free_hand(route: ActionRoute, source: int) -> Iterator[ActionRoute]:
    house, held = route.house, route.held
    if held is None:
        yield route
        return
    near = [each for place in {route.place, house.home[source]} if place is not None for each in house.at[place]]
    takers = [each for each in near if held in house.accepts[each]] or [
        each for each, accepted in enumerate(house.accepts) if held in accepted and house.home[each] is not None
    ]
    least = min((len(route.put(each).actions) for each in takers), default=0)
    yield from (put for each in takers if len((put := route.put(each)).actions) == least or each in near)


def _receptacles_of(house: Household, now: HouseholdState, thing: int) -> list[int]:
    return [each for each, things in enumerate(now.contents) if thing in things and house.home[each] is not None]
