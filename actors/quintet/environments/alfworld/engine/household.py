"""A household: what never changes in a game. Everything has a number, and a name for texts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from quintet.environments.alfworld.engine.goal import GoalTest, compile_goal
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.games.dialect import GameDialect
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.pddl import Problem, read_problem
from quintet.environments.alfworld.games.recognition import Rules, rules_of, sentence_of

_COORDINATES = "_bar_"


def names_of(ids: Iterable[str]) -> dict[str, str]:
    """The names that the official engine gives.

    Things of a kind are numbered downwards in the order of their ids. An id without coordinates keeps its own text,
    followed by a blank, as it does there.

    Args:
        ids: of everything that a fact mentions; other things have no name and no number.
    """
    kinds = {each: _kind(each) for each in sorted(set(ids)) if _COORDINATES in each}
    left = Counter(kinds.values())
    names = {each: f"{_plain(each)} " for each in ids}
    for each, kind in kinds.items():
        names[each] = f"{kind} {left[kind]}"
        left[kind] -= 1
    return names


def _plain(mangled: str) -> str:
    for mangle, sign in (("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")):
        mangled = mangled.replace(mangle, sign)
    return mangled


def _kind(mangled: str) -> str:
    kind = mangled.split(_COORDINATES, 1)[0]
    # A basin's id is that of its sink or bathtub with a suffix.
    return f"{kind}basin" if "basin" in mangled else kind


_SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "atlocation": ("agent", "location"),
    "receptacleatlocation": ("receptacle", "location"),
    "objectatlocation": ("object", "location"),
    "inreceptacle": ("object", "receptacle"),
    "receptacletype": ("receptacle", "rtype"),
    "objecttype": ("object", "otype"),
    "cancontain": ("rtype", "otype"),
    "openable": ("receptacle",),
    "opened": ("receptacle",),
    "pickupable": ("object",),
    "isreceptacleobject": ("object",),
    "inreceptacleobject": ("object", "object"),
    "cleanable": ("object",),
    "isclean": ("object",),
    "heatable": ("object",),
    "ishot": ("object",),
    "coolable": ("object",),
    "iscool": ("object",),
    "toggleable": ("object",),
    "sliceable": ("object",),
    "issliced": ("object",),
}
"""The facts that a native game may begin with, and the types of their arguments."""


class Treatment(NamedTuple):
    """Cleaning, heating or cooling."""

    appliances: frozenset[int]
    """The receptacles that do it."""
    fit: frozenset[int]
    """The objects it can be done to."""


@dataclass(frozen=True, eq=False, slots=True)
class Household:
    """The part of a game that never changes. Numbers follow the order of the ids in the problem."""

    digest: bytes
    """Hash of the problem and the rules: equal digests mean equal answers to equal actions."""
    rules: Rules
    sentence: str
    """The objective, as the opening states it."""
    objects: tuple[str, ...]
    """Names: `cd 1`."""
    receptacles: tuple[str, ...]
    places: tuple[str, ...]
    object_numbers: Mapping[str, int]
    receptacle_numbers: Mapping[str, int]
    home: tuple[int | None, ...]
    """The place of every receptacle; None: the agent cannot go there."""
    at: tuple[tuple[int, ...], ...]
    """The receptacles at every place."""
    object_kinds: tuple[str, ...]
    """The type of every object without `type`: `cd`."""
    receptacle_kinds: tuple[str, ...]
    accepts: tuple[frozenset[int], ...]
    """The objects that every receptacle can contain."""
    openable: frozenset[int]
    pickupable: frozenset[int]
    toggleable: frozenset[int]
    sliceable: frozenset[int]
    knives: frozenset[int]
    """The objects that slice."""
    treatments: Mapping[str, Treatment]
    """By verb: clean, heat and cool."""
    vessels: Mapping[int, tuple[int, ...]]
    """The objects that hold others, with their contents, which never change."""
    ways: tuple[tuple[str, ...], ...]
    """The `go to` actions at every place, in order."""
    begin: HouseholdState
    goal: GoalTest

    @property
    def dialect(self) -> GameDialect:
        return self.rules.dialect

    def is_here(self, now: HouseholdState, receptacle: int) -> bool:
        """Whether the agent is at it."""
        return self.home[receptacle] == now.place

    def stands_open(self, now: HouseholdState, receptacle: int) -> bool:
        """Whether its contents are visible: it has no door, or the door is open."""
        return receptacle not in self.openable or receptacle in now.opened


@lru_cache(maxsize=256)
def household(game: Game, dialect: GameDialect | None = None) -> Household:
    """Prepare a game for play. All worlds of a process share what is prepared.

    Args:
        dialect: for actions and answers; None: the file's own.

    Raises:
        ForeignGameError: only the official engine can play it; the text says why.
        ValueError: the file is not a game; the text says why.
    """
    rules, sentence = rules_of(game).spoken(dialect), sentence_of(game)
    problem = read_problem(game.pddl_problem)
    _refuse_foreign(problem)
    try:
        return _Surveyor(problem).household(game, rules, sentence)
    except RecursionError as error:
        raise ValueError(f"expected a goal with fewer parts inside each other, got {error}") from error


def _refuse_foreign(problem: Problem) -> None:
    for predicate, facts in problem.facts.items():
        signature = _SIGNATURES.get(predicate)
        if signature is None:
            raise ForeignGameError(f"expected only known facts at the start, got ({predicate} ...)")
        for arguments in facts:
            kinds = tuple(problem.types.get(argument) for argument in arguments)
            if kinds != signature:
                raise ValueError(f"({predicate} {' '.join(arguments)}): expected {signature}, got {kinds}")
    if len(set(problem.facts.get("atlocation", ()))) != 1:
        raise ForeignGameError("expected one agent at one place at the start")
    homes = set(problem.facts.get("receptacleatlocation", ()))
    if len(homes) != len({receptacle for receptacle, _place in homes}):
        raise ForeignGameError("expected every receptacle at one place, got one at several")


class _Surveyor:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._facts = problem.facts
        mentioned = {argument for facts in problem.facts.values() for fact in facts for argument in fact}
        self._names = names_of(mentioned)
        self._ids = {
            kind: [each for each in sorted(mentioned) if problem.types[each] == kind]
            for kind in ("object", "receptacle", "location")
        }
        self._numbers = {kind: {each: number for number, each in enumerate(ids)} for kind, ids in self._ids.items()}

    def household(self, game: Game, rules: Rules, sentence: str) -> Household:
        tools = rules.tools
        objects, receptacles = self._named("object"), self._named("receptacle")
        home = self._home()
        at = tuple(
            tuple(receptacle for receptacle, place in enumerate(home) if place == number)
            for number in range(len(self._ids["location"]))
        )
        return Household(
            digest=blake2b(f"{rules.written}\n{sentence}\n{game.pddl_problem}".encode(), digest_size=16).digest(),
            rules=rules,
            sentence=sentence,
            objects=objects,
            receptacles=receptacles,
            places=self._named("location"),
            object_numbers={name: number for number, name in enumerate(objects)},
            receptacle_numbers={name: number for number, name in enumerate(receptacles)},
            home=home,
            at=at,
            object_kinds=self._kinds("objecttype", "object"),
            receptacle_kinds=self._kinds("receptacletype", "receptacle"),
            accepts=self._accepts(),
            openable=self._those("openable", "receptacle"),
            pickupable=self._those("pickupable"),
            toggleable=self._those("toggleable"),
            sliceable=self._those("sliceable"),
            knives=self._of_kind("objecttype", "object", tools.slice),
            treatments={
                verb: Treatment(self._of_kind("receptacletype", "receptacle", with_these), self._those(f"{verb}able"))
                for verb, with_these in (("clean", tools.clean), ("heat", tools.heat), ("cool", tools.cool))
            },
            vessels=self._vessels(),
            ways=_ways(receptacles, home, len(at)),
            begin=self._begin(),
            goal=compile_goal(self._problem, {**self._numbers, "agent": {self._facts["atlocation"][0][0]: 0}}),
        )

    def _named(self, kind: str) -> tuple[str, ...]:
        return tuple(self._names[each] for each in self._ids[kind])

    def _home(self) -> tuple[int | None, ...]:
        homes = {fact[0]: fact[1] for fact in self._facts.get("receptacleatlocation", ())}
        places = self._numbers["location"]
        return tuple(places[homes[each]] if each in homes else None for each in self._ids["receptacle"])

    def _those(self, predicate: str, kind: str = "object") -> frozenset[int]:
        numbers = self._numbers[kind]
        return frozenset(numbers[each] for (each,) in self._facts.get(predicate, ()))

    def _of_kind(self, predicate: str, kind: str, types: Iterable[str]) -> frozenset[int]:
        numbers = self._numbers[kind]
        return frozenset(numbers[each] for each, type_ in self._facts.get(predicate, ()) if type_ in types)

    def _kinds(self, predicate: str, kind: str) -> tuple[str, ...]:
        kinds = {each: type_.removesuffix("type") for each, type_ in self._facts.get(predicate, ())}
        return tuple(kinds.get(each, "") for each in self._ids[kind])

    def _accepts(self) -> tuple[frozenset[int], ...]:
        by_type: dict[str, set[int]] = {}
        for each, type_ in self._facts.get("objecttype", ()):
            by_type.setdefault(type_, set()).add(self._numbers["object"][each])
        by_receptacle_type: dict[str, set[int]] = {}
        for outer, inner in set(self._facts.get("cancontain", ())):
            by_receptacle_type.setdefault(outer, set()).update(by_type.get(inner, ()))
        accepts: list[set[int]] = [set() for _ in self._ids["receptacle"]]
        for each, type_ in self._facts.get("receptacletype", ()):
            accepts[self._numbers["receptacle"][each]] |= by_receptacle_type.get(type_, set())
        return tuple(map(frozenset, accepts))

    def _vessels(self) -> dict[int, tuple[int, ...]]:
        inside: dict[int, set[int]] = {each: set() for each in self._those("isreceptacleobject")}
        numbers = self._numbers["object"]
        for inner, outer in self._facts.get("inreceptacleobject", ()):
            if numbers[outer] in inside:
                inside[numbers[outer]].add(numbers[inner])
        return {vessel: tuple(sorted(things - {vessel})) for vessel, things in inside.items()}

    def _rows(self, predicate: str, kind: str) -> tuple[tuple[int, ...], ...]:
        rows: list[set[int]] = [set() for _ in self._ids[kind]]
        for each, where in self._facts.get(predicate, ()):
            rows[self._numbers[kind][where]].add(self._numbers["object"][each])
        return tuple(tuple(sorted(row)) for row in rows)

    def _begin(self) -> HouseholdState:
        return HouseholdState(
            place=self._numbers["location"][self._facts["atlocation"][0][1]],
            contents=self._rows("inreceptacle", "receptacle"),
            beside=self._rows("objectatlocation", "location"),
            opened=self._those("opened", "receptacle"),
            clean=self._those("isclean"),
            hot=self._those("ishot"),
            cool=self._those("iscool"),
            sliced=self._those("issliced"),
        )


def _ways(receptacles: Sequence[str], home: Sequence[int | None], places: int) -> tuple[tuple[str, ...], ...]:
    """The `go to` actions at every place, without the one to that place."""
    all_ways = sorted(
        (f"go to {name}", where) for name, where in zip(receptacles, home, strict=True) if where is not None
    )
    return tuple(tuple(way for way, where in all_ways if where != place) for place in range(places))
