"""A reader's picture of the household after some steps: places, contents, treatments and refusals."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from quintet.models.sim.alfworld.task import Treatment, names_in, plain, treatment
from quintet.models.sim.transcript import Exchange

_X, _Y = r"([a-z]+ [0-9]{1,9})", r"([a-z]+ [0-9]{1,9})"
VIEW = re.compile(rf"(?:\bon the {_X}, you see|\bthe {_Y} is open\. in it, you see) ([^.]*)\.", re.IGNORECASE)
SHUT_DOOR = re.compile(rf"\bthe {_X} is closed\.|\byou close the {_Y}\.", re.IGNORECASE)
_ARRIVED = re.compile(rf"you arrive at {_X}\.")
"""Nothing is said of what is there."""
_NOWHERE = re.compile(r"you are in the middle of a room\b")
_TAKEN = re.compile(rf"you pick up the {_X} from the {_Y}\.")
_LAID = re.compile(rf"you (?:move|put) the {_X} (?:to|in/on) the {_Y}\.")
_TREATED = re.compile(rf"you (heat|cool|clean) the {_X} using the {_Y}\.")
_LIT = re.compile(rf"you turn on the {_X}\.")
_INVENTORY = re.compile(r"you are carrying:? ([^.]*)\.|you are not carrying anything\.")
REFUSED = re.compile(r"nothing happens\b")

TREATING = re.compile(rf"(heat|cool|clean) {_X} with {_Y}")
_DONE = (
    (re.compile(rf"take {_X} from {_Y}"), "You pick up the {} from the {}."),
    (re.compile(rf"(?:move|put) {_X} (?:to|in/on) {_Y}"), "You move the {} to the {}."),
    (TREATING, "You {} the {} using the {}."),
    (re.compile(rf"use {_X}"), "You turn on the {}."),
)
"""The household's answers to actions that were carried out."""

_UNDOES: dict[Treatment, Treatment] = {"heat": "cool", "cool": "heat"}


@dataclass
class Picture:
    """A reader's picture of the household. It comes from observations alone: what no observation shows is unknown."""

    here: str | None = None
    """The reader's place."""
    arrived: str | None = None
    """The place that was last looked at or stood at in the steps that were read."""
    contents: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The things seen in or on places."""
    closed: set[str] = field(default_factory=set[str])
    held: str | None = None
    sure: bool = False
    """Some observation showed what is held, or that nothing is."""
    treated: set[tuple[Treatment, str]] = field(default_factory=set[tuple[Treatment, str]])
    laid: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Objects that were laid down, and where."""
    lit: set[str] = field(default_factory=set[str])
    refused: set[str] = field(default_factory=set[str])
    """Actions that were not carried out."""
    failed_inside: set[str] = field(default_factory=set[str])
    """Appliances that did nothing to an object inside them."""

    def learn(self, step: Exchange) -> None:
        """Take in one step."""
        said = step.observation.lower()
        if REFUSED.search(said):
            self.refused.add(step.action)
            if (match := TREATING.fullmatch(step.action)) and (match[2], match[3]) in self.laid:
                self.failed_inside.add(match[3])
            return
        self._learn_of_hands(said)
        if match := SHUT_DOOR.search(said):
            self._stand(place := match[1] or match[2])
            self.closed.add(place)
        elif match := VIEW.search(said):
            self._stand(place := match[1] or match[2])
            self.closed.discard(place)
            self.contents[place] = names_in(match[3])
        elif match := _ARRIVED.fullmatch(said):
            self._stand(match[1])
        elif match := _LIT.search(said):
            self.lit.add(match[1])
        elif _NOWHERE.search(said):
            self.here = self.arrived = None

    def _learn_of_hands(self, said: str) -> None:
        if match := _TAKEN.search(said):
            self._carry(match[1], match[2], taken=True)
        elif match := _LAID.search(said):
            self._carry(match[1], match[2], taken=False)
        elif match := _TREATED.search(said):
            how, self.held, self.sure = treatment(match[1]), match[2], True
            self._stand(match[3])
            if how in _UNDOES:
                self.treated.discard((_UNDOES[how], match[2]))
            self.treated.add((how, match[2]))
        elif match := _INVENTORY.search(said):
            self.held, self.sure = next(iter(names_in(match[1] or "")), None), True

    def _stand(self, place: str) -> None:
        self.here = self.arrived = place

    def _carry(self, thing: str, place: str, *, taken: bool) -> None:
        """A thing was taken from a place, or laid down there."""
        self._stand(place)
        self.held, self.sure = thing if taken else None, True
        if place in self.contents:
            others = tuple(other for other in self.contents[place] if other != thing)
            self.contents[place] = others if taken else (*others, thing)
        self.laid = {(other, where) for other, where in self.laid if other != thing}
        if not taken:
            self.laid.add((thing, place))
        # A refused action may be possible once an object has moved.
        self.refused = {action for action in self.refused if f" {thing} " not in f"{action} "}


def picture_after(last_action: str, steps: Iterable[Exchange]) -> Picture:
    """What the steps show that are read, and the last action before them, in the words of the prompt.

    Args:
        last_action: it was carried out, and its answer may follow it; empty where the prompt has none.
        steps: those that are read.
    """
    seen = Picture()
    if last_action:
        seen.learn(Exchange(plain(last_action), f"{last_action}\n{_answer(last_action)}"))
        seen.arrived = None
    for step in steps:
        seen.learn(step)
    return seen


def _answer(action: str) -> str:
    """What the household answered to an action that was carried out, as far as the action shows it."""
    for form, answer in _DONE:
        if match := form.match(plain(action)):
            return answer.format(*match.groups())
    return ""
