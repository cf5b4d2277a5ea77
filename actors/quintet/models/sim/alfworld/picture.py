"""A picture of the household after some steps: what is where, what is held, what was done and refused."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from quintet.models.sim.alfworld.task import Treatment, names_in, plain, treatment
from quintet.models.sim.transcript import Exchange

_X, _Y = r"([a-z]+ [0-9]{1,9})", r"([a-z]+ [0-9]{1,9})"
_VIEW = re.compile(rf"(?:\bon the {_X}, you see|\bthe {_Y} is open\. in it, you see) ([^.]*)\.", re.IGNORECASE)
_CLOSED = re.compile(rf"\bthe {_X} is closed\.|\byou close the {_Y}\.", re.IGNORECASE)
_TAKEN = re.compile(rf"you pick up the {_X} from the {_Y}\.", re.IGNORECASE)
_LAID = re.compile(rf"you (?:move|put) the {_X} (?:to|in/on) the {_Y}\.", re.IGNORECASE)
_TREATED = re.compile(rf"you (heat|cool|clean) the {_X} using the {_Y}\.", re.IGNORECASE)
_LIT = re.compile(rf"you turn on the {_X}\.", re.IGNORECASE)
_CARRYING = re.compile(r"you are carrying:? ([^.]*)\.", re.IGNORECASE)
_EMPTY_HANDED = re.compile(r"you are not carrying anything\.", re.IGNORECASE)
_REFUSED = re.compile(r"nothing happens\b", re.IGNORECASE)

_TREATING = re.compile(rf"(heat|cool|clean) {_X} with {_Y}")
_DONE = (
    (re.compile(rf"take {_X} from {_Y}"), "You pick up the {} from the {}."),
    (re.compile(rf"(?:move|put) {_X} (?:to|in/on) {_Y}"), "You move the {} to the {}."),
    (_TREATING, "You {} the {} using the {}."),
    (re.compile(rf"use {_X}"), "You turn on the {}."),
)
"""What the household must have answered to an action that was carried out."""

_UNDOES: dict[Treatment, Treatment] = {"heat": "cool", "cool": "heat"}


@dataclass
class Picture:
    """A reader's picture of the household. It comes from observations alone: what no observation shows is unknown."""

    here: str | None = None
    """Where one stands."""
    arrived: str | None = None
    """The place that was last looked at or stood at in the steps that were read."""
    contents: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What was seen in or on the places that were looked into."""
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
        said = step.observation
        if _REFUSED.search(said):
            self._refuse(step.action)
            return
        self._hands(said)
        if match := _CLOSED.search(said):
            self._stand(place := (match[1] or match[2]).lower())
            self.closed.add(place)
        elif match := _VIEW.search(said):
            self._see((match[1] or match[2]).lower(), match[3])
        elif match := _LIT.search(said):
            self.lit.add(match[1].lower())

    def _refuse(self, action: str) -> None:
        self.refused.add(action)
        if (match := _TREATING.fullmatch(action)) and (match[2], match[3]) in self.laid:
            self.failed_inside.add(match[3])

    def _hands(self, said: str) -> None:
        if match := _TAKEN.search(said):
            self._take(match[1].lower(), match[2].lower())
        elif match := _LAID.search(said):
            self._lay(match[1].lower(), match[2].lower())
        elif match := _TREATED.search(said):
            self._treat(treatment(match[1]), match[2].lower(), match[3].lower())
        elif match := _CARRYING.search(said):
            self.held = next(iter(names_in(match[1])), None)
            self.sure = True
        elif _EMPTY_HANDED.search(said):
            self.held, self.sure = None, True

    def _stand(self, place: str) -> None:
        self.here = self.arrived = place

    def _see(self, place: str, what: str) -> None:
        self._stand(place)
        self.closed.discard(place)
        self.contents[place] = names_in(what)

    def _take(self, thing: str, place: str) -> None:
        self._stand(place)
        self.held, self.sure = thing, True
        if place in self.contents:
            self.contents[place] = tuple(other for other in self.contents[place] if other != thing)
        self.laid = {(other, where) for other, where in self.laid if other != thing}
        self._may_work_now(thing)

    def _lay(self, thing: str, place: str) -> None:
        self._stand(place)
        self.held, self.sure = None, True
        if place in self.contents:
            self.contents[place] = (*self.contents[place], thing)
        self.laid.add((thing, place))
        self._may_work_now(thing)

    def _may_work_now(self, thing: str) -> None:
        """What was refused may be possible once an object is somewhere else."""
        self.refused = {action for action in self.refused if f" {thing} " not in f"{action} "}

    def _treat(self, how: Treatment, thing: str, place: str) -> None:
        self._stand(place)
        self.held, self.sure = thing, True
        if how in _UNDOES:
            self.treated.discard((_UNDOES[how], thing))
        self.treated.add((how, thing))


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
