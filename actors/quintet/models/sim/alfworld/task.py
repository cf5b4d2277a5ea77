"""A prompt about a household: its goal, as tasks and plans word it, its room, what was done before, and one step."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, cast

from quintet.models.sim.transcript import Exchange, PromptTask, split_exchange

Treatment: TypeAlias = Literal["clean", "heat", "cool"]

_TREATMENTS: dict[str, Treatment] = {
    **dict.fromkeys(("clean", "cleaned", "wash", "washed", "rinse"), "clean"),
    **dict.fromkeys(("heat", "heated", "hot", "warm"), "heat"),
    **dict.fromkeys(("cool", "cooled", "cold", "chill", "chilled"), "cool"),
}

_A = r"(?:(?:an?|some|one|the|another) )?"
_THING = r"(?P<thing>[a-z]+)(?: [0-9]{1,9})?"
_STATE = r"(?:(?P<treat>clean|cleaned|washed|hot|heated|warm|cool|cooled|cold|chilled) )?"
_TREAT = r"(?P<treat>clean|wash|rinse|heat|warm|cool|chill)"
_INTO = r"(?:in/on|into|onto|inside|in|on|to)"
_LAMP = r"(?:the |an? )?(?P<lamp>[a-z]*lamp)(?: [0-9]{1,9})?"
_PLACE = r"(?:the |an? )?(?P<{}>[a-z]+(?: [0-9]{{1,9}}(?:(?: to |-)[0-9]{{1,9}})?)?)"
_TARGET, _SOUGHT, _SHUNNED = map(_PLACE.format, ("target", "sought", "shunned"))
_FROM = rf"(?:(?: that is)? (?:from|on|in|in/on|at) {_SOUGHT})?"
_NOT_FROM = rf"(?:,? (?:but )?not from {_SHUNNED})?"
_WITH = r"(?: (?:with|using|in) (?:the |an? )?(?P<appliance>[a-z]+)(?: [0-9]{1,9})?)?"
_GOALS = (
    rf"(?:look at|examine|inspect) {_A}{_THING} (?:under|with|using|by) {_LAMP}",
    rf"(?:find and )?(?:use|turn on|switch on) {_LAMP}{_FROM}",
    rf"(?P<two>put two|find two) {_THING}(?: and put (?:them|both))? {_INTO} {_TARGET}",
    rf"{_TREAT} {_A}{_THING} and (?:then )?(?:put|place|move) it {_INTO} {_TARGET}",
    rf"(?:put|place|move) {_A}{_STATE}{_THING} {_INTO} {_TARGET}",
    rf"{_TREAT} {_A}{_THING}{_WITH}",
    rf"(?:find and take|find and pick up|find|take|pick up|get) {_A}{_THING}{_FROM}{_NOT_FROM}",
)
_GOAL_FORMS = [re.compile(form) for form in _GOALS]
"""The first that fits is meant."""
_RANGE = re.compile(r"([a-z]+?)(?: ([0-9]{1,9})(?:(?: to |-)([0-9]{1,9}))?)?")

_GOAL = re.compile(r"^[ \t]*(?:goal|your task is to)[ \t]*:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_ROOM = re.compile(r"you are in the middle of a room\.[^\n]*?you see ([^\n]+)", re.IGNORECASE)
_LAST = re.compile(r"^[ \t]*the last action[^:\n]*:[ \t]*(\S.*(?:\n.*\S.*)*)$", re.MULTILINE | re.IGNORECASE)
_NAME = re.compile(r"[a-z]+ [0-9]{1,9}")


@dataclass(frozen=True)
class Places:
    """Some of the places in a room: all of a kind, or those with certain numbers."""

    kind: str
    first: int = 1
    last: int = 10**9

    def covers(self, name: str) -> bool:
        """Whether `cabinet 3` is one of them."""
        kind, number = name.split()
        return kind in (self.kind, self.kind.removesuffix("s")) and self.first <= int(number) <= self.last


@dataclass(frozen=True)
class HouseGoal:
    """The goal. Its parts follow each other: take the object, treat it, put it somewhere or light it."""

    thing: str | None
    """The kind of object; None if the goal is only to use a lamp."""
    treatment: Treatment | None = None
    appliance: str | None = None
    """The appliance, if the goal names one."""
    target: Places | None = None
    count: int = 1
    lamp: str | None = None
    sought: Places | None = None
    """Where to look for the object or the lamp; None: anywhere."""
    shunned: Places | None = None
    """Places whose objects do not count."""

    def admits(self, place: str) -> bool:
        """Whether a place is one to look at."""
        return (self.sought is None or self.sought.covers(place)) and not (self.shunned and self.shunned.covers(place))


@dataclass(frozen=True)
class HouseTask(PromptTask):
    """A task in a household."""

    goal: HouseGoal
    room: tuple[str, ...]
    """The places in it, in the order of the text."""
    last_action: str = ""
    """The last action that was carried out before, with its answer; empty where the prompt has none."""

    def kinds(self) -> frozenset[str]:
        """The kinds of places in the room."""
        return frozenset(map(kind_in, self.room))


@lru_cache(maxsize=4096)
def read_house_task(text: str) -> HouseTask | None:
    """The task that a text ends with, perhaps after worked examples."""
    rooms, goals = list(_ROOM.finditer(text)), _GOAL.findall(text)
    goal = read_house_goal(goals[-1]) if goals else None
    if goal is None or not rooms:
        return None
    before = _LAST.findall(text, rooms[-1].end())
    return HouseTask(goals[-1].rstrip(" \t."), goal, names_in(rooms[-1][1]), before[-1] if before else "")


@lru_cache(maxsize=4096)
def read_house_goal(text: str) -> HouseGoal | None:
    """`put a hot egg in fridge`, `find and take a mug from cabinet 1 to 6`; None for what is no goal of this world."""
    match = next(filter(None, (form.fullmatch(plain(text)) for form in _GOAL_FORMS)), None)
    if match is None:
        return None
    said = match.groupdict()
    target, treat, two = _places(said.get("target")), said.get("treat"), "two" in said
    return HouseGoal(
        thing=said.get("thing"),
        treatment=treatment(treat) if treat else None,
        appliance=said.get("appliance"),
        target=target,
        count=2 if two else 1,
        lamp=said.get("lamp"),
        sought=_places(said.get("sought")),
        shunned=target if two else _places(said.get("shunned")),
    )


def _places(text: str | None) -> Places | None:
    if text is None:
        return None
    match = _RANGE.fullmatch(text)
    assert match is not None
    kind, first, last = cast("tuple[str, str | None, str | None]", match.groups())
    return Places(kind) if first is None else Places(kind, int(first), int(last or first))


def treatment(word: str) -> Treatment:
    """The treatment that a word names: `hot` names `heat`."""
    return _TREATMENTS[word.lower()]


def names_in(text: str) -> tuple[str, ...]:
    """`a desk 1, a drawer 2, and a garbagecan 1` as names."""
    return tuple(dict.fromkeys(_NAME.findall(text.lower())))


def kind_in(name: str) -> str:
    """`mug` of `mug 2`."""
    return name.split()[0]


def plain(text: str) -> str:
    """A text in lower case, with single blanks and without a full stop."""
    return " ".join(text.lower().split()).rstrip(" .")


@lru_cache(maxsize=16384)
def read_house_exchange(answer: str, observation: str) -> Exchange:
    """The last action of an answer, and what the household said to it."""
    action, said = split_exchange(answer, observation)
    return Exchange(plain(action), said, (plain(action), said))
