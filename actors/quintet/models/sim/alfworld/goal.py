"""What a goal in a household asks for, as tasks and plans word it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, cast

Treatment: TypeAlias = Literal["clean", "heat", "cool"]

_TREATMENTS: dict[str, Treatment] = {
    **dict.fromkeys(("clean", "cleaned", "wash", "washed", "rinse"), "clean"),
    **dict.fromkeys(("heat", "heated", "hot", "warm"), "heat"),
    **dict.fromkeys(("cool", "cooled", "cold", "chill", "chilled"), "cool"),
}

_A = r"(?:(an?|some|one|the|another) )?"
_THING = r"([a-z]+)(?: [0-9]{1,9})?"
_STATE = r"(?:(clean|cleaned|washed|hot|heated|warm|cool|cooled|cold|chilled) )?"
_TREAT = r"(clean|wash|rinse|heat|warm|cool|chill)"
_INTO = r"(?:in/on|into|onto|inside|in|on|to)"
_PLACE = r"(?:the |an? )?([a-z]+(?: [0-9]{1,9}(?:(?: to |-)[0-9]{1,9})?)?)"
_FROM = rf"(?:(?: that is)? (?:from|on|in|in/on|at) {_PLACE})?"

_LOOK = re.compile(
    rf"(?:look at|examine|inspect) {_A}{_THING} (?:under|with|using|by) (?:the |an? )?([a-z]*lamp)(?: [0-9]{{1,9}})?"
)
_USE = re.compile(rf"(?:find and )?(?:use|turn on|switch on) (?:the |an? )?([a-z]*lamp)(?: [0-9]{{1,9}})?{_FROM}")
_TWO = re.compile(rf"(?:put two|find two) {_THING}(?: and put (?:them|both))? {_INTO} {_PLACE}")
_TREAT_AND_PUT = re.compile(rf"{_TREAT} {_A}{_THING} and (?:then )?(?:put|place|move) it {_INTO} {_PLACE}")
_PUT = re.compile(rf"(?:put|place|move) {_A}{_STATE}{_THING} {_INTO} {_PLACE}")
_TREAT_ONLY = re.compile(rf"{_TREAT} {_A}{_THING}(?: (?:with|using|in) (?:the |an? )?([a-z]+)(?: [0-9]{{1,9}})?)?")
_TAKE = re.compile(
    rf"(?:find and take|find and pick up|find|take|pick up|get) {_A}{_THING}{_FROM}(?:,? (?:but )?not from {_PLACE})?"
)

_RANGE = re.compile(r"([a-z]+?)(?: ([0-9]{1,9})(?:(?: to |-)([0-9]{1,9}))?)?")


def treatment(word: str) -> Treatment:
    """What a word for it means."""
    return _TREATMENTS[word.lower()]


@dataclass(frozen=True)
class Place:
    """Some of the places in a room: all of a kind, or those with certain numbers."""

    kind: str
    first: int = 1
    last: int = 10**9

    def covers(self, name: str) -> bool:
        """Whether `cabinet 3` is meant."""
        kind, number = name.split()
        return kind in (self.kind, self.kind.removesuffix("s")) and self.first <= int(number) <= self.last


@dataclass(frozen=True)
class Goal:
    """What is to be done. Its parts follow each other: take the object, treat it, put it somewhere or light it."""

    thing: str | None
    """The kind of object; None where only a lamp is to be used."""
    treatment: Treatment | None = None
    appliance: str | None = None
    """What to treat it with, where the goal says so."""
    target: Place | None = None
    count: int = 1
    lamp: str | None = None
    sought: Place | None = None
    """Where to look for the object or the lamp; None: anywhere."""
    shunned: Place | None = None
    """Where objects do not count."""


@lru_cache(maxsize=4096)
def read_goal(text: str) -> Goal | None:
    """`put a hot egg in fridge`, `find and take a mug from cabinet 1 to 6`; None for what is no goal of this world."""
    text = " ".join(text.lower().split()).rstrip(" .")
    if match := _LOOK.fullmatch(text):
        return Goal(match[2], lamp=match[3])
    if match := _USE.fullmatch(text):
        return Goal(None, lamp=match[1], sought=_place(match[2]))
    if match := _TWO.fullmatch(text):
        target = _place(match[2])
        return Goal(match[1], target=target, count=2, shunned=target)
    if match := _TREAT_AND_PUT.fullmatch(text):
        return Goal(match[3], treatment=treatment(match[1]), target=_place(match[4]))
    if match := _PUT.fullmatch(text):
        state = None if match[2] is None else treatment(match[2])
        return Goal(match[3], treatment=state, target=_place(match[4]))
    if match := _TREAT_ONLY.fullmatch(text):
        return Goal(match[3], treatment=treatment(match[1]), appliance=match[4])
    if match := _TAKE.fullmatch(text):
        return Goal(match[2], sought=_place(match[3]), shunned=_place(match[4]))
    return None


def _place(text: str | None) -> Place | None:
    if text is None:
        return None
    match = _RANGE.fullmatch(text)
    assert match is not None
    kind, first, last = cast("tuple[str, str | None, str | None]", match.groups())
    return Place(kind) if first is None else Place(kind, int(first), int(last or first))
