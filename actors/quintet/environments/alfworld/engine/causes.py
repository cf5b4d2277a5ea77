"""Why an action was rejected, worked out from what the agent can see and what it wrote.

Source: AutoPlan, Table 6, and the further cases of its released code. The sentences are our own, except for the few
words that the table prints. Differs: a cause reveals only what the agent can see from where it is. An object out of
sight is judged by its name alone, so no answer reveals whether it exists; the opening names all receptacles.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from quintet.environments.alfworld.engine.household import Household
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.engine.observations import in_sight
from quintet.environments.alfworld.engine.rules import actions_anywhere

_Causes: TypeAlias = Iterator[str]
_ECHOED = 60
"""The most characters of the agent's text that a cause quotes."""
_FORMS = {
    "go": "go to RECEPTACLE",
    "open": "open RECEPTACLE",
    "close": "close RECEPTACLE",
    "take": "take OBJECT from RECEPTACLE",
    "clean": "clean OBJECT with RECEPTACLE",
    "heat": "heat OBJECT with RECEPTACLE",
    "cool": "cool OBJECT with RECEPTACLE",
    "use": "use OBJECT",
    "examine": "examine OBJECT or RECEPTACLE",
    "slice": "slice OBJECT with OBJECT",
}
_NAME = re.compile(r"[^\W\d_]{1,40}(?P<index> \d{1,9})?")
_BLANK = re.compile("OBJECT or RECEPTACLE|OBJECT|RECEPTACLE")


def cause(house: Household, now: HouseholdState, action: str) -> str:
    """Explain why an action cannot be carried out, one sentence for each cause."""
    return " ".join(dict.fromkeys(_Judge(house, now).causes(action)))


class _Judge:
    """Judges an action by what the agent sees. Objects out of sight are treated as if they did not exist."""

    def __init__(self, house: Household, now: HouseholdState) -> None:
        self._house = house
        self._now = now
        self._objects = {house.objects[each]: each for each in in_sight(house, now)}
        if now.held is not None:
            self._objects[house.objects[now.held]] = now.held

    def causes(self, action: str) -> _Causes:
        verb = action.partition(" ")[0]
        form = self._forms().get(verb)
        names = None if form is None else self._names(form, action)
        if form is None:
            yield from self._no_action(verb)
        elif names is None:
            yield f"The form of this action is: {form}."
        else:
            for name in names:
                if not self._is_indexed(name):
                    yield f"You miss the index of {name}, e.g., {name} 1."
            yield from self._judged(verb, *names)

    def _forms(self) -> Mapping[str, str]:
        dialect = self._house.dialect
        anywhere = {action: action for action in actions_anywhere(self._house)}
        return {**_FORMS, dialect.put_verb: dialect.put("OBJECT", "RECEPTACLE"), **anywhere}

    def _names(self, form: str, action: str) -> tuple[str, ...] | None:
        """The names in an action at the OBJECT and RECEPTACLE of its form; None: it has another form."""
        found = re.fullmatch("(.+?)".join(map(re.escape, _BLANK.split(form))), action, re.DOTALL)
        return found.groups() if found is not None and all(map(self._is_name, found.groups())) else None

    def _no_action(self, verb: str) -> _Causes:
        if verb in ("put", "move"):
            yield f"Here an object is put down by: {self._house.dialect.put('OBJECT', 'RECEPTACLE')}."
        else:
            yield f"{_echoed(verb)} is no action here." if verb else "No action was given."

    def _judged(self, verb: str, first: str, second: str = "") -> _Causes:
        match verb:
            case "go":
                return self._go(first)
            case "open" | "close":
                return self._door(verb, first)
            case "take":
                return self._take(first, second)
            case "clean" | "heat" | "cool":
                return self._treat(verb, first, second)
            case "slice":
                return self._slice(first, second)
            case "use":
                return self._use(first)
            case "examine":
                return self._examine(first)
            case _:
                return self._put(first, second)

    def _handled(self, *names: str) -> _Causes:
        """A receptacle is named instead of an object."""
        for name in names:
            if self._receptacle(name) is not None:
                yield f"{name} is a receptacle, which cannot be handled like that."

    def _place(self, name: str) -> _Causes:
        """The name is not a receptacle's, or the receptacle is at another place."""
        if self._may_be_object(name):
            yield f"There is no receptacle {name} in this household."
        elif self._is_indexed(name) and self._here(name) is None:
            yield f"You are not at {name}."

    def _shut(self, name: str) -> _Causes:
        if self._closed(name):
            yield f"{name} is closed."

    def _in_hand(self, name: str) -> _Causes:
        if self._may_be_object(name) and self._held(name) is None:
            yield f"You are not carrying {name}."

    def _go(self, name: str) -> _Causes:
        if self._here(name) is not None:
            yield f"You are already at {name}."
        elif self._may_be_object(name):
            yield f"There is no receptacle {name} in this household."

    def _door(self, verb: str, name: str) -> _Causes:
        yield from self._place(name)
        receptacle = self._here(name)
        if receptacle is not None and receptacle not in self._house.openable:
            yield f"{name} cannot be {'opened' if verb == 'open' else 'closed'}."
        elif receptacle is not None:
            yield f"{name} is already {'open' if verb == 'open' else 'closed'}."

    def _take(self, thing: str, place: str) -> _Causes:
        yield from self._handled(thing)
        yield from self._place(place)
        yield from self._shut(place)
        if self._now.held is not None:
            yield "You cannot hold more than one object."
        number, contents = self._objects.get(thing), self._contents(place)
        if number is not None and number not in self._house.pickupable:
            yield f"{thing} cannot be taken."
        elif self._may_be_object(thing) and contents is not None and number not in contents:
            yield f"{thing} is not in/on {place}."

    def _put(self, thing: str, place: str) -> _Causes:
        yield from self._handled(thing)
        yield from self._in_hand(thing)
        yield from self._place(place)
        yield from self._shut(place)
        number, receptacle = self._held(thing), self._receptacle(place)
        if number is not None and receptacle is not None and number not in self._house.accepts[receptacle]:
            yield f"{thing} does not fit in/on {place}."

    def _treat(self, verb: str, thing: str, place: str) -> _Causes:
        yield from self._handled(thing)
        appliances, fit = self._house.treatments[verb]
        receptacle, number = self._receptacle(place), self._held(thing)
        if receptacle is not None and receptacle not in appliances:
            yield f"{place.rpartition(' ')[0]} cannot be used for {verb}ing."
        yield from self._place(place)
        yield from self._in_hand(thing)
        if number is not None and number not in fit:
            yield f"{thing} cannot be {verb}ed."

    def _slice(self, thing: str, knife: str) -> _Causes:
        yield from self._handled(thing, knife)
        blade = self._held(knife)
        if blade is not None and blade not in self._house.knives:
            yield f"{knife} cannot be used for slicing."
        yield from self._in_hand(knife)
        yield from self._lying(thing, "slice", self._house.sliceable)

    def _use(self, name: str) -> _Causes:
        if self._receptacle(name) is not None:
            yield f"{name} cannot be used."
        yield from self._lying(name, "use", self._house.toggleable)

    def _lying(self, name: str, verb: str, fit: frozenset[int]) -> _Causes:
        """The object is not here, or the verb does not apply to it."""
        number = self._objects.get(name)
        if number is None:
            if self._may_be_object(name):
                yield f"{name} cannot be seen here."
        elif number not in fit:
            yield f"{name} cannot be {verb}d."
        elif number == self._now.held:
            yield f"{name} is in your hand, and must be put down to {verb} it."
        elif not self._lies_here(number, verb):
            yield f"{name} cannot be {verb}d here."

    def _lies_here(self, number: int, verb: str) -> bool:
        """Whether the engine counts an object as being here; for slicing, the engine's own record of places decides."""
        now = self._now
        if verb == "slice":
            return number in now.beside[now.place]
        return any(number in now.contents[receptacle] for receptacle in self._house.at[now.place])

    def _examine(self, name: str) -> _Causes:
        if self._receptacle(name) is not None or self._sounds_like_receptacle(name):
            yield from self._place(name)
        else:
            yield from self._in_hand(name)

    def _receptacle(self, name: str) -> int | None:
        """The receptacle of that name, if the opening names it, so that the agent can go there."""
        number = self._house.receptacle_numbers.get(name)
        return None if number is None or self._house.home[number] is None else number

    def _is_name(self, text: str) -> bool:
        return self._shows(text) or _NAME.fullmatch(text) is not None

    def _is_indexed(self, name: str) -> bool:
        found = _NAME.fullmatch(name)
        return self._shows(name) or (found is not None and found["index"] is not None)

    def _may_be_object(self, name: str) -> bool:
        return self._is_indexed(name) and self._receptacle(name) is None

    def _sounds_like_receptacle(self, name: str) -> bool:
        """Whether the opening names receptacles of its kind, and no such object is in sight."""
        kinds = {each.rpartition(" ")[0] for each in self._house.receptacles if self._receptacle(each) is not None}
        return name not in self._objects and name.rpartition(" ")[0] in kinds

    def _here(self, name: str) -> int | None:
        receptacle = self._receptacle(name)
        return receptacle if receptacle is not None and self._house.is_here(self._now, receptacle) else None

    def _closed(self, name: str) -> bool:
        receptacle = self._here(name)
        return receptacle is not None and not self._house.stands_open(self._now, receptacle)

    def _contents(self, name: str) -> tuple[int, ...] | None:
        """The objects in a receptacle; None if they are out of sight."""
        receptacle = self._here(name)
        return None if receptacle is None or self._closed(name) else self._now.contents[receptacle]

    def _held(self, name: str) -> int | None:
        found = self._objects.get(name)
        return found if found == self._now.held else None

    def _shows(self, name: str) -> bool:
        return name in self._objects or self._receptacle(name) is not None


def _echoed(text: str) -> str:
    start = text[: _ECHOED + 1]
    shown = "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in start)
    return shown if len(shown) <= _ECHOED else f"{shown[: _ECHOED - 3]}..."
