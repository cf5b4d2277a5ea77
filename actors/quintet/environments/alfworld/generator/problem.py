"""Games generated from their names alone, each solved before it is returned; their starts as PDDL planning problems."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan
from quintet.environments.alfworld.games.dialect import NEW, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.generator.objectives import Objective, TaskName
from quintet.environments.alfworld.generator.placement import Arrangement, arrange_things
from quintet.environments.alfworld.generator.rooms import Placed, Room, room
from quintet.environments.alfworld.generator.tables import random_for, receptacle_types, things
from quintet.errors import UsageError

_PREDICATES = {
    "hold": "isReceptacleObject",
    "take": "pickupable",
    "clean": "cleanable",
    "heat": "heatable",
    "cool": "coolable",
    "slice": "sliceable",
    "light": "toggleable",
}


def problem(trial: str, room: Room, arrangement: Arrangement, objective: Objective) -> str:
    """The text of a game's problem."""
    declared = "\n".join(f"        {line}" for line in _declared(room, arrangement))
    facts = "\n".join(f"        ({line})" for line in _facts(room, arrangement))
    return f"""(define (problem plan_{trial})
    (:domain alfred)
    (:objects
{declared}
    )
    (:init
{facts}
    )
    (:goal
        {objective.goal()})
)
"""


def _declared(room: Room, arrangement: Arrangement) -> Iterator[str]:
    yield "agent1 - agent"
    yield from (f"{thing}Type - otype" for thing in things())
    yield from (f"{kind}Type - rtype" for kind in receptacle_types())
    yield from (f"{name} - object" for name, _ in _objects(room, arrangement))
    yield from (f"{name} - receptacle" for name in sorted(each.id for each in room.receptacles))
    yield from (f"{location} - location" for location in sorted(_locations(room, arrangement)))


def _facts(room: Room, arrangement: Arrangement) -> Iterator[str]:
    yield from (f"receptacleType {each.id} {each.type}Type" for each in room.receptacles)
    objects = _objects(room, arrangement)
    yield from (f"objectType {name} {kind}Type" for name, kind in objects)
    yield from _containment({kind for _, kind in objects}, {each.type for each in room.receptacles})
    for word, predicate in _PREDICATES.items():
        yield from (f"{predicate} {name}" for name, kind in objects if word in things()[kind].allows)
    yield from (f"openable {each.id}" for each in room.receptacles if each.opens)
    yield f"atLocation agent1 {arrangement.start}"
    yield from (f"isCool {name}" for name in arrangement.cool)
    yield from _whereabouts(room, arrangement)


def _containment(objects: set[str], receptacles: set[str]) -> Iterator[str]:
    for thing in sorted(objects):
        for receptacle in sorted(things()[thing].receptacles & receptacles):
            yield f"canContain {receptacle}Type {thing}Type"


def _whereabouts(room: Room, arrangement: Arrangement) -> Iterator[str]:
    everything = _all(room, arrangement)
    yield from (f"inReceptacle {each.id} {each.receptacle.id}" for each in everything if each.receptacle is not None)
    yield from (f"inReceptacleObject {inner} {outer}" for inner, outer in arrangement.inside)
    yield from (f"receptacleAtLocation {each.id} {each.standing.location}" for each in room.receptacles)
    yield from (f"objectAtLocation {each.id} {each.standing.location}" for each in everything)


def _objects(room: Room, arrangement: Arrangement) -> Sequence[tuple[str, str]]:
    return sorted((each.id, each.type) for each in _all(room, arrangement))


def _locations(room: Room, arrangement: Arrangement) -> set[str]:
    things = {each.standing.location for each in _all(room, arrangement)}
    return things | {each.standing.location for each in room.receptacles} | {arrangement.start}


def _all(room: Room, arrangement: Arrangement) -> Sequence[Placed]:
    return [*arrangement.placed, *room.fixtures]


def generate_game(name: TaskName, dialect: GameDialect = NEW) -> Game:
    """The game of a name, everywhere the same, with the actions that solve it; a `UsageError` if it has no solution."""
    random = random_for(str(name))
    sentence = name.objective.sentence(random.randrange(2))
    here = room(name.scene)
    game = Game(
        pddl_domain=domain_text(dialect),
        grammar=grammar_text(dialect, f"Your task is to: {sentence}."),
        pddl_problem=problem(name.trial, here, arrange_things(here, name.objective, random), name.objective),
    )
    house = household(game)
    walkthrough = None if house.goal.reached(house.begin) else expert_plan(house, house.begin)
    if walkthrough is None:
        raise UsageError(f"task: expected one that can be solved and is not solved at the start, got {name} (alfworld)")
    return replace(game, walkthrough=walkthrough, solvable=True)
