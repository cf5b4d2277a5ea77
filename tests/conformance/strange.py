"""Small households in which everything that a problem may say is said by chance, sensible or not."""

import random
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan
from tests.conformance.games import Problem, ours

_RECEPTACLES = (
    "CounterTop",
    "Fridge",
    "Microwave",
    "Drawer",
    "Drawer",
    "SideTable",
    "GarbageCan",
    "Cabinet",
    "Shelf",
    "Sink",
    "Bathtub",
)
_OBJECTS = (
    "Apple",
    "Potato",
    "Bread",
    "Egg",
    "Knife",
    "ButterKnife",
    "Mug",
    "Mug",
    "Bowl",
    "Box",
    "DeskLamp",
    "FloorLamp",
    "Cloth",
    "Curtains",
)
_OPENABLE = ("Fridge", "Microwave", "Drawer", "Cabinet")
_ABILITIES = ("pickupable", "cleanable", "heatable", "coolable", "sliceable", "toggleable")
_STATES = ("isClean", "isHot", "isCool", "isSliced")


def strange(seed: int) -> Problem:
    """Household number `seed`, the same every time. Its goal can be reached: the official engine plays no others."""
    chance = random.Random(f"strange {seed}")
    while True:
        problem = _household(seed, chance)
        house = household(ours("new").game(problem))
        solution = None if house.goal.reached(house.begin) else expert_plan(house, house.begin)
        if solution:
            return replace(problem, walkthrough=solution)


def _household(seed: int, chance: random.Random) -> Problem:
    made = _Household(chance)
    facts, declared = "\n    ".join(f"({fact})" for fact in made.facts()), "\n    ".join(made.declared)
    goal, objective = made.goal()
    sections = f"(:domain alfred)\n(:objects\n    {declared})\n(:init\n    {facts})\n(:goal {goal})"
    return Problem(
        f"strange-{seed}", f"Your task is to: {objective}.", f"(define (problem strange_{seed})\n{sections})\n", ()
    )


class _Household:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._places = [
            f"loc_bar_{chance.choice(('', 'minus_'))}{number}_bar_{chance.randrange(9)}"
            for number in range(chance.randint(2, 5))
        ]
        self._receptacles = [self._receptacle(kind) for kind in chance.sample(_RECEPTACLES, chance.randint(3, 7))]
        self._objects = [self._object(kind) for kind in chance.sample(_OBJECTS, chance.randint(4, 10))]
        kinds = {kind for _, kind in self._objects} | {kind for _, kind in self._receptacles}
        self.declared = [
            "agent1 - agent",
            *(f"{name} - location" for name in self._places),
            *(f"{name} - receptacle" for name, _ in self._receptacles),
            *(f"{name} - object" for name, _ in self._objects),
            *(f"{kind}Type - otype" for kind in sorted(kinds & {*_OBJECTS} | {"DeskLamp"})),
            *(f"{kind}Type - rtype" for kind in sorted(kinds - {*_OBJECTS})),
            "Window - object",
        ]

    def _receptacle(self, kind: str) -> tuple[str, str]:
        basin = "_bar_SinkBasin" if kind == "Sink" else "_bar_BathtubBasin" if kind == "Bathtub" else ""
        return f"{kind}{self._coordinates()}{basin}", f"{kind}Basin" if basin else kind

    def _object(self, kind: str) -> tuple[str, str]:
        bare = kind != "Mug" and self._is(0.05)
        return (kind if bare else f"{kind}{self._coordinates()}"), kind

    def _coordinates(self) -> str:
        return f"{self._coordinate()}{self._coordinate()}"

    def _coordinate(self) -> str:
        sign, number = self._chance.choice(("plus", "minus")), self._chance.randrange(10_000)
        return f"_bar__{sign}_{number // 100:02}_dot_{number % 100:02}"

    def facts(self) -> Iterator[str]:
        yield f"atLocation agent1 {self._chance.choice(self._places)}"
        yield from (
            f"canContain {rtype} {otype}"
            for rtype in self._of("rtype")
            for otype in self._of("otype")
            if self._is(0.75)
        )
        for name, kind in self._receptacles:
            yield from self._about_receptacle(name, kind)
        for name, kind in self._objects:
            yield from self._about_object(name, kind)

    def _about_receptacle(self, name: str, kind: str) -> Iterator[str]:
        if self._is(0.95):
            yield f"receptacleAtLocation {name} {self._chance.choice(self._places)}"
        if self._is(0.97):
            yield f"receptacleType {name} {kind}Type"
        if self._is(0.95 if kind in _OPENABLE else 0.05):
            yield f"openable {name}"
        if self._is(0.15):
            yield f"opened {name}"

    def _about_object(self, name: str, kind: str) -> Iterator[str]:
        if self._is(0.97):
            yield f"objectType {name} {kind}Type"
        for receptacle, _ in self._chance.sample(self._receptacles, self._chance.choice((0, 1, 1, 1, 1, 1, 2, 3))):
            yield f"inReceptacle {name} {receptacle}"
        for place in self._chance.sample(self._places, self._chance.choice((0, 1, 1, 1, 2))):
            yield f"objectAtLocation {name} {place}"
        yield from (f"{ability} {name}" for ability in _ABILITIES if self._is(0.9 if ability == "pickupable" else 0.6))
        yield from (f"{state} {name}" for state in _STATES if self._is(0.1))
        if kind in {"Bowl", "Box"} or self._is(0.05):
            yield f"isReceptacleObject {name}"
            inside = self._chance.sample(self._objects, self._chance.randint(0, 3))
            yield from (f"inReceptacleObject {inner} {name}" for inner, _ in inside)

    def goal(self) -> tuple[str, str]:
        """One of the official files' forms, and the objective."""
        otype, rtype = self._chance.choice(self._of("otype")), self._chance.choice(self._of("rtype"))
        state = self._chance.choice(("", "isClean", "isHot", "isCool"))
        put = f"(inReceptacle ?o ?r) (objectType ?o {otype}) (receptacleType ?r {rtype})"
        one = f"(exists (?r - receptacle) (exists (?o - object) (and {put}{f' ({state} ?o)' if state else ''})))"
        match self._chance.randrange(4):
            case 0:
                return _two(otype, rtype), f"put two {otype[:-4].lower()} in {rtype[:-4].lower()}"
            case 1:
                return _looking(otype), f"examine the {otype[:-4].lower()} with the desklamp"
            case _:
                return (
                    f"(and {one})",
                    f"put a {state[2:].lower()} {otype[:-4].lower()} in {rtype[:-4].lower()}".replace("  ", " "),
                )

    def _of(self, kind: str) -> Sequence[str]:
        return [line.split()[0] for line in self.declared if line.endswith(f"- {kind}")]

    def _is(self, share: float) -> bool:
        return self._chance.random() < share


def _two(otype: str, rtype: str) -> str:
    first = f"(objectType ?o1 {otype}) (receptacleType ?r {rtype}) (inReceptacle ?o1 ?r)"
    second = f"(not (= ?o1 ?o2)) (objectType ?o2 {otype}) (receptacleType ?r {rtype}) (inReceptacle ?o2 ?r)"
    return (
        f"(and (exists (?r - receptacle) (exists (?o1 - object) (and {first} (exists (?o2 - object) (and {second}))))))"
    )


def _looking(otype: str) -> str:
    lit = (
        "(exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and (objectType ?ot DeskLampType) "
        "(toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?ot ?r)))"
    )
    return f"(and {lit} (exists (?o - object ?a - agent) (and (objectType ?o {otype}) (holds ?a ?o))))"
