"""Why an action was rejected, worked out from the household's state.

Source: AutoPlan, Table 6, and the further cases that its released code tells apart. The sentences are our own, but for
the few words that the table prints. Differs: nothing is told that cannot be seen from where the agent is, such as
what lies in a closed or distant receptacle, or whether a distant one is closed.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from actors.environments.alfworld.engine.household import Household
from actors.environments.alfworld.engine.observations import in_sight
from actors.environments.alfworld.engine.rules import of_anywhere
from actors.environments.alfworld.engine.situation import Situation

_Causes: TypeAlias = Iterator[str]
_ECHOED = 60
"""Characters of what the agent wrote that are repeated at most."""


def cause(house: Household, now: Situation, action: str) -> str:
    """What keeps an action from being carried out, one sentence for each cause.

    Args:
        house: where.
        now: when; the action cannot be carried out then.
        action: as it was written, in the game's own dialect or not; may be any text.
    """
    return " ".join(dict.fromkeys(_Judge(house, now).causes(action)))


class _Judge:
    def __init__(self, house: Household, now: Situation) -> None:
        self._house = house
        self._now = now

    def causes(self, action: str) -> _Causes:
        verb, _, rest = action.partition(" ")
        if verb == "go":
            return self._go(rest)
        if verb in ("open", "close"):
            return self._door(verb, rest)
        if verb == "take":
            return self._pair(rest, "take", "from", self._take)
        if verb == self._house.dialect.put_verb:
            return self._pair(rest, verb, self._house.dialect.put_word, self._put)
        if verb in _APPLIANCES:
            return self._pair(rest, verb, "with", lambda thing, place: self._treat(verb, thing, place))
        if verb == "slice":
            return self._pair(rest, "slice", "with", self._slice)
        if verb in ("use", "examine"):
            return self._single(verb, rest)
        return self._form(verb)

    def _form(self, verb: str) -> _Causes:
        if verb in of_anywhere(self._house):
            yield f"The form of this action is: {verb}."
        elif verb in ("put", "move"):
            yield f"Here an object is put down by: {self._house.dialect.put('OBJECT', 'RECEPTACLE')}."
        else:
            yield f"{_echoed(verb)} is no action here." if verb else "No action was given."

    def _pair(self, rest: str, verb: str, word: str, causes: Callable[[str, str], _Causes]) -> _Causes:
        thing, found, place = rest.partition(f" {word} ")
        if not found:
            yield f"The form of this action is: {verb} OBJECT {word} {'OBJECT' if verb == 'slice' else 'RECEPTACLE'}."
            return
        for name in (thing, place):
            yield from self._named(name)
        for name in (thing, place) if verb == "slice" else (thing,):
            if name in self._house.receptacle_numbers:
                yield f"{name} is a receptacle, which cannot be handled like that."
        yield from causes(thing, place)

    def _named(self, name: str) -> _Causes:
        """That a name lacks its number, or that nothing has it."""
        house = self._house
        if name in house.object_numbers or name in house.receptacle_numbers:
            return
        first = f"{name} 1"
        if first in house.object_numbers or first in house.receptacle_numbers:
            yield f"You miss the index of {name}, e.g., {first}."
        else:
            yield f"There is no {_echoed(name) or 'such thing'} in this household."

    def _place(self, name: str) -> _Causes:
        """That a receptacle is none, or is elsewhere."""
        if name in self._house.receptacle_numbers:
            if self._here(name) is None:
                yield f"You are not at {name}."
        elif name in self._house.object_numbers:
            yield f"{name} is no receptacle."

    def _here(self, name: str) -> int | None:
        receptacle = self._house.receptacle_numbers.get(name)
        return receptacle if receptacle is not None and self._house.is_here(self._now, receptacle) else None

    def _shut(self, name: str) -> _Causes:
        """That a receptacle which is here is closed."""
        receptacle = self._here(name)
        if receptacle is not None and not self._house.stands_open(self._now, receptacle):
            yield f"{name} is closed."

    def _shown(self, name: str) -> tuple[int, ...] | None:
        """The objects in a receptacle; None where one does not see them from here."""
        receptacle = self._here(name)
        if receptacle is None or not self._house.stands_open(self._now, receptacle):
            return None
        return self._now.contents[receptacle]

    def _in_hand(self, name: str) -> _Causes:
        thing = self._house.object_numbers.get(name)
        if thing is not None and thing != self._now.held:
            yield f"You are not carrying {name}."

    def _go(self, rest: str) -> _Causes:
        if not rest.startswith("to "):
            yield "The form of this action is: go to RECEPTACLE."
            return
        name = rest.removeprefix("to ")
        yield from self._named(name)
        receptacle = self._house.receptacle_numbers.get(name)
        if receptacle is None:
            yield from self._place(name)
        elif self._house.is_here(self._now, receptacle):
            yield f"You are already at {name}."
        elif self._house.home[receptacle] is None:
            yield f"{name} cannot be reached."

    def _door(self, verb: str, name: str) -> _Causes:
        yield from self._named(name)
        yield from self._place(name)
        receptacle = self._here(name)
        if receptacle is None:
            return
        if receptacle not in self._house.openable:
            yield f"{name} cannot be {'opened' if verb == 'open' else 'closed'}."
        elif (receptacle in self._now.opened) == (verb == "open"):
            yield f"{name} is already {'open' if verb == 'open' else 'closed'}."

    def _take(self, thing: str, place: str) -> _Causes:
        house = self._house
        yield from self._place(place)
        yield from self._shut(place)
        if self._now.held is not None:
            yield "You cannot hold more than one object."
        number, shown = house.object_numbers.get(thing), self._shown(place)
        if number is not None and number not in house.pickupable:
            yield f"{thing} cannot be taken."
        elif number is not None and shown is not None and number not in shown:
            yield f"{thing} is not in/on {place}."

    def _put(self, thing: str, place: str) -> _Causes:
        yield from self._in_hand(thing)
        yield from self._place(place)
        yield from self._shut(place)
        number, receptacle = self._house.object_numbers.get(thing), self._house.receptacle_numbers.get(place)
        if number is not None and receptacle is not None and number not in self._house.accepts[receptacle]:
            yield f"{thing} does not fit in/on {place}."

    def _treat(self, verb: str, thing: str, place: str) -> _Causes:
        house = self._house
        appliances, fit, participle = _APPLIANCES[verb](house)
        receptacle, number = house.receptacle_numbers.get(place), house.object_numbers.get(thing)
        if receptacle is not None and receptacle not in appliances:
            yield f"{place.rpartition(' ')[0]} cannot be used for {verb}ing."
        yield from self._place(place)
        yield from self._in_hand(thing)
        if number is not None and number not in fit:
            yield f"{thing} cannot be {participle}."

    def _slice(self, thing: str, knife: str) -> _Causes:
        house = self._house
        number, blade = house.object_numbers.get(thing), house.object_numbers.get(knife)
        if blade is not None and blade not in house.knives:
            yield f"{knife} cannot be used for slicing."
        yield from self._in_hand(knife)
        if number is not None and number not in house.sliceable:
            yield f"{thing} cannot be sliced."
        elif number is not None:
            yield from self._out_of_reach(thing, number, "slice")
            # The engine believes where an object is booked, even if one sees it here.
            if number not in self._now.beside[self._now.place] and number in in_sight(house, self._now):
                yield f"{thing} cannot be sliced here."

    def _single(self, verb: str, name: str) -> _Causes:
        house = self._house
        yield from self._named(name)
        number = house.object_numbers.get(name)
        if verb == "examine":
            yield from self._in_hand(name) if number is not None else self._place(name)
        elif number is None or number not in house.toggleable:
            if number is not None or name in house.receptacle_numbers:
                yield f"{name} cannot be used."
        else:
            yield from self._out_of_reach(name, number, "use")

    def _out_of_reach(self, name: str, number: int, verb: str) -> _Causes:
        """That an object would have to lie here, but is in the hand or out of sight."""
        if number == self._now.held:
            yield f"{name} is in your hand, and must be put down to {verb} it."
        elif number not in in_sight(self._house, self._now):
            yield f"{name} cannot be seen here."


_APPLIANCES: Mapping[str, Callable[[Household], tuple[frozenset[int], frozenset[int], str]]] = {
    "clean": lambda house: (house.sinks, house.cleanable, "cleaned"),
    "heat": lambda house: (house.microwaves, house.heatable, "heated"),
    "cool": lambda house: (house.fridges, house.coolable, "cooled"),
}
"""What an action of this kind needs: appliances, objects that it works on, and what is then done to them."""


def _echoed(text: str) -> str:
    """What the agent wrote, as one short piece of printable text."""
    start = text[: _ECHOED + 1]
    shown = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in start)
    return shown if len(shown) <= _ECHOED else f"{shown[: _ECHOED - 3]}..."
