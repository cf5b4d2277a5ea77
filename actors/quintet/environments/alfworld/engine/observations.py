"""Observations: the official engine's sentences, in its order of names."""

from collections.abc import Iterable, Iterator

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState

WELCOME = "-= Welcome to TextWorld, ALFRED! =-"
NOTHING_HAPPENS = "Nothing happens."


def opening(house: Household) -> str:
    """The opening of a game, without its objective."""
    now = house.begin
    if house.at[now.place]:
        return f"{WELCOME}\n\n{describe_surroundings(house, now)}"
    around = [f"a {name}" for name, place in zip(house.receptacles, house.home, strict=True) if place is not None]
    return f"{WELCOME}\n\n{_in_the_middle(around)}"


def describe_surroundings(house: Household, now: HouseholdState) -> str:
    """The answer to `look`."""
    here = house.at[now.place]
    if not here:
        return _in_the_middle(())
    faced = as_list(house.receptacles[receptacle] for receptacle in here)
    return f"You are facing the {faced}. Next to it, you see {_things(house, _beside(house, now))}."


def in_sight(house: Household, now: HouseholdState) -> frozenset[int]:
    """The objects that `look`, or `examine` of a receptacle that is here, names."""
    shown = [now.contents[each] for each in house.at[now.place] if house.stands_open(now, each)]
    return frozenset(_beside(house, now)).union(*shown)


def _beside(house: Household, now: HouseholdState) -> Iterator[int]:
    for thing in now.beside[now.place]:
        yield from (thing for receptacle in house.at[now.place] if (thing, receptacle) in now.taken)


def _in_the_middle(around: Iterable[str]) -> str:
    return f"You are in the middle of a room. Looking quickly around you, you see {as_list(around)}."


def describe_receptacle(house: Household, now: HouseholdState, receptacle: int) -> str:
    """The answer to `examine` of a receptacle that is here."""
    name = house.receptacles[receptacle]
    if receptacle not in house.openable:
        return f"On the {name}, you see {_things(house, now.contents[receptacle])}."
    if receptacle not in now.opened:
        return f"The {name} is closed."
    return f"The {name} is open. In it, you see {_things(house, now.contents[receptacle])}."


def describe_inventory(house: Household, now: HouseholdState) -> str:
    """The answer to `inventory`."""
    return "You are not carrying anything." if now.held is None else f"You are carrying: a {house.objects[now.held]}."


def describe_object(house: Household, now: HouseholdState, thing: int) -> str:
    """The answer to `examine` of an object."""
    name = house.objects[thing]
    if thing in house.vessels:
        return f"This is a normal {name}. In it, you see {_things(house, house.vessels[thing])}."
    state = _state(now, thing)
    if state:
        return f"This is a {state} {name}."
    if thing in house.toggleable and thing in now.toggled:
        return f"This {name} is on."
    if thing in house.sliceable and thing in now.sliced:
        return f"This is a sliced {name}."
    return f"There's nothing special about {name}."


def _state(now: HouseholdState, thing: int) -> str:
    """The engine's words for an object's treatments; it uses both `cool` and `cold`."""
    clean, hot, cool, cut = (thing in those for those in (now.clean, now.hot, now.cool, now.sliced))
    if clean and (hot or cool):
        words = "hot and clean" if hot else "cool and clean"
        return f"{words} sliced" if cut else words
    if cut:
        word = "clean" if clean else "hot" if hot else "cool" if cool else ""
        return f"{word} sliced" if word else ""
    return "hot" if hot else "clean" if clean else "cold" if cool else ""


def _things(house: Household, things: Iterable[int]) -> str:
    return as_list(f"a {house.objects[thing]}" for thing in things)


def as_list(names: Iterable[str]) -> str:
    """`a cd 1, a pen 2, and a pen 1`; `nothing` for none."""
    names = tuple(names)
    if len(names) < 2:
        return names[0] if names else "nothing"
    return f"{', '.join(names[:-1])}, and {names[-1]}"
