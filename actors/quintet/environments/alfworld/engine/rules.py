"""The household's rules: what every action does, and which actions can be carried out.

An action is carried out if its text is exactly as the engine writes it, and its conditions hold.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from quintet.environments.alfworld.engine import observations
from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState


class ActionResult(NamedTuple):
    """The result of an action."""

    now: HouseholdState
    observation: str


_Rule: TypeAlias = Callable[[Household, HouseholdState, str], ActionResult | None]
"""Carries out an action, given its text after the verb; None if it is rejected."""


def carry_out(house: Household, now: HouseholdState, action: str) -> ActionResult | None:
    """Carry out an action; None if it is rejected."""
    verb, _, rest = action.partition(" ")
    rule = _put if verb == house.dialect.put_verb else _RULES.get(verb)
    return None if rule is None else rule(house, now, rest)


def admissible(house: Household, now: HouseholdState) -> tuple[str, ...]:
    """Every action that can be carried out, each once, sorted."""
    return tuple(sorted({*house.ways[now.place], *actions_anywhere(house), *_actions_here(house, now)}))


def actions_anywhere(house: Household) -> tuple[str, ...]:
    """The actions that are possible in every situation, in order."""
    return ("inventory", "look") if house.rules.help is None else ("help", "inventory", "look")


def _actions_here(house: Household, now: HouseholdState) -> Iterator[str]:
    for receptacle in house.at[now.place]:
        name = house.receptacles[receptacle]
        yield f"examine {name}"
        stands_open = receptacle not in house.openable
        if not stands_open:
            stands_open = receptacle in now.opened
            yield f"close {name}" if stands_open else f"open {name}"
        if now.held is not None:
            yield from _actions_with_held(house, now.held, receptacle, stands_open=stands_open)
        for thing in now.contents[receptacle]:
            if thing in house.toggleable:
                yield f"use {house.objects[thing]}"
            if stands_open and now.held is None and thing in house.pickupable:
                yield f"take {house.objects[thing]} from {name}"
    if now.held is not None:
        yield f"examine {house.objects[now.held]}"
        if now.held in house.knives:
            for thing in now.beside[now.place]:
                if thing in house.sliceable:
                    yield f"slice {house.objects[thing]} with {house.objects[now.held]}"


def _actions_with_held(house: Household, held: int, receptacle: int, *, stands_open: bool) -> Iterator[str]:
    thing, name = house.objects[held], house.receptacles[receptacle]
    if stands_open and held in house.accepts[receptacle]:
        yield house.dialect.put(thing, name)
    for verb, (appliances, fit) in house.treatments.items():
        if receptacle in appliances and held in fit:
            yield f"{verb} {thing} with {name}"


def _look(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    return None if rest else ActionResult(now, observations.describe_surroundings(house, now))


def _inventory(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    return None if rest else ActionResult(now, observations.describe_inventory(house, now))


def _help(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    return None if rest or house.rules.help is None else ActionResult(now, house.rules.help)


def _go(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    if not rest.startswith("to "):
        return None
    receptacle = house.receptacle_numbers.get(rest[3:])
    place = None if receptacle is None else house.home[receptacle]
    if receptacle is None or place is None or place == now.place:
        return None
    there = house.places[place] if house.dialect.arrives_at_places else house.receptacles[receptacle]
    now = replace(now, place=place)
    return ActionResult(now, f"You arrive at {there}. {observations.describe_receptacle(house, now, receptacle)}")


def _examine(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    receptacle = _here(house, now, rest)
    if receptacle is not None:
        return ActionResult(now, observations.describe_receptacle(house, now, receptacle))
    # The domain also means to allow objects in reach, but a comma in that condition makes it always false.
    thing = house.object_numbers.get(rest)
    if thing is None or thing != now.held:
        return None
    return ActionResult(now, observations.describe_object(house, now, thing))


def _door(verb: str, house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    receptacle = _here(house, now, rest)
    if receptacle is None or receptacle not in house.openable or (receptacle in now.opened) == (verb == "open"):
        return None
    now = replace(now, opened=now.opened ^ {receptacle})
    after = f" {observations.describe_receptacle(house, now, receptacle)}" if verb == "open" else ""
    return ActionResult(now, f"You {verb} the {rest}.{after}")


def _take(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    name, _, place = rest.partition(" from ")
    thing, receptacle = house.object_numbers.get(name), _here(house, now, place)
    if thing is None or receptacle is None or now.held is not None or not house.stands_open(now, receptacle):
        return None
    if thing not in house.pickupable or thing not in now.contents[receptacle]:
        return None
    return ActionResult(now.after_take(thing, receptacle), f"You pick up the {name} from the {place}.")


def _put(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    name, _, place = rest.partition(f" {house.dialect.put_word} ")
    thing, receptacle = house.object_numbers.get(name), _here(house, now, place)
    if thing is None or receptacle is None or thing != now.held or not house.stands_open(now, receptacle):
        return None
    if thing not in house.accepts[receptacle]:
        return None
    return ActionResult(now.after_put(thing, receptacle), house.dialect.puts.format(o=name, r=place))


def _treat(verb: str, house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    """Clean, heat or cool the object in hand. Doors may be closed."""
    name, _, place = rest.partition(" with ")
    thing, receptacle = house.object_numbers.get(name), _here(house, now, place)
    appliances, fit = house.treatments[verb]
    if thing is None or thing != now.held or receptacle not in appliances or thing not in fit:
        return None
    return ActionResult(now.after_treat(verb, thing), f"You {verb} the {name} using the {place}.")


def _use(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    thing = house.object_numbers.get(rest)
    # `use` alone reaches into closed receptacles.
    reachable = any(thing in now.contents[receptacle] for receptacle in house.at[now.place])
    if thing is None or thing not in house.toggleable or not reachable:
        return None
    return ActionResult(replace(now, toggled=now.toggled | {thing}), f"You turn on the {rest}.")


def _slice(house: Household, now: HouseholdState, rest: str) -> ActionResult | None:
    name, _, knife = rest.partition(" with ")
    thing = house.object_numbers.get(name)
    if thing is None or thing not in house.sliceable or thing not in now.beside[now.place]:
        return None
    if now.held not in house.knives or house.object_numbers.get(knife) != now.held:
        return None
    return ActionResult(replace(now, sliced=now.sliced | {thing}), f"You sliced the {name} with the {knife}.")


def _here(house: Household, now: HouseholdState, name: str) -> int | None:
    receptacle = house.receptacle_numbers.get(name)
    return receptacle if receptacle is not None and house.is_here(now, receptacle) else None


_RULES: Mapping[str, _Rule] = {
    "look": _look,
    "inventory": _inventory,
    "help": _help,
    "go": _go,
    "examine": _examine,
    "take": _take,
    **{verb: partial(_door, verb) for verb in ("open", "close")},
    **{verb: partial(_treat, verb) for verb in ("clean", "heat", "cool")},
    "use": _use,
    "slice": _slice,
}
