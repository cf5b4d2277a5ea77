"""A small household with the traps of the official ones, written by hand.

A kitchen corner: countertop and cabinet share a place, an apple lies in two receptacles at once, a bowl with a key in
it, a cold potato booked where its receptacle is not, a lamp in a closed drawer.
"""

from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.games.dialect import NEW, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.session import AlfWorldState
from quintet.ports.world import Outcome

HEAT = """(and (exists (?r - receptacle) (exists (?o - object) (and (heatable ?o) (objectType ?o AppleType)
    (receptacleType ?r FridgeType) (isHot ?o) (inReceptacle ?o ?r)))))"""
LOOK = """(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and (objectType ?ot DeskLampType)
    (toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?ot ?r)))
    (exists (?o - object ?a - agent) (and (objectType ?o KnifeType) (holds ?a ?o))))"""
TWO = """(and (exists (?r - receptacle) (exists (?o1 - object) (and (objectType ?o1 AppleType)
    (receptacleType ?r FridgeType) (inReceptacle ?o1 ?r) (exists (?o2 - object) (and (not (= ?o1 ?o2))
    (objectType ?o2 AppleType) (receptacleType ?r FridgeType) (inReceptacle ?o2 ?r)))))))"""
PICK = """(and (exists (?r - receptacle) (exists (?o - object)
    (and (inReceptacle ?o ?r) (objectType ?o KnifeType) (receptacleType ?r CounterTopType)))))"""
CLEAN = HEAT.replace("heatable", "cleanable").replace("isHot", "isClean")
COOL = HEAT.replace("heatable", "coolable").replace("isHot", "isCool").replace("FridgeType", "MicrowaveType")
NEVER = "(and (exists (?o - object) (and (isSliced ?o) (toggleable ?o))))"

FACTS = """
    (receptacleType CounterTop_bar_1 CounterTopType) (receptacleType Cabinet_bar_1 CabinetType)
    (receptacleType Cabinet_bar_2 CabinetType) (receptacleType Microwave_bar_1 MicrowaveType)
    (receptacleType Fridge_bar_1 FridgeType) (receptacleType Sink_bar_1_bar_SinkBasin SinkBasinType)
    (receptacleType Drawer_bar_1 DrawerType) (receptacleType Shelf_bar_1 ShelfType)
    (openable Cabinet_bar_1) (openable Cabinet_bar_2) (openable Microwave_bar_1) (openable Fridge_bar_1)
    (openable Drawer_bar_1) (opened Cabinet_bar_2)
    (receptacleAtLocation CounterTop_bar_1 loc_bar_1) (receptacleAtLocation Cabinet_bar_1 loc_bar_1)
    (receptacleAtLocation Cabinet_bar_2 loc_bar_2) (receptacleAtLocation Microwave_bar_1 loc_bar_3)
    (receptacleAtLocation Fridge_bar_1 loc_bar_4) (receptacleAtLocation Sink_bar_1_bar_SinkBasin loc_bar_5)
    (receptacleAtLocation Drawer_bar_1 loc_bar_6)
    (objectType Apple_bar_1 AppleType) (objectType Apple_bar_2 AppleType) (objectType Knife_bar_1 KnifeType)
    (objectType Potato_bar_1 PotatoType) (objectType Bowl_bar_1 BowlType) (objectType KeyChain_bar_1 KeyChainType)
    (objectType DeskLamp_bar_1 DeskLampType)
    (canContain CounterTopType AppleType) (canContain CounterTopType KnifeType) (canContain CounterTopType PotatoType)
    (canContain CounterTopType BowlType) (canContain CabinetType BowlType) (canContain CabinetType AppleType)
    (canContain FridgeType AppleType) (canContain FridgeType PotatoType) (canContain MicrowaveType AppleType)
    (canContain SinkBasinType AppleType) (canContain SinkBasinType AppleType)
    (pickupable Apple_bar_1) (pickupable Apple_bar_2) (pickupable Knife_bar_1) (pickupable Potato_bar_1)
    (pickupable Bowl_bar_1) (pickupable KeyChain_bar_1)
    (cleanable Apple_bar_1) (heatable Apple_bar_1) (heatable Apple_bar_2) (coolable Apple_bar_1) (heatable Potato_bar_1)
    (sliceable Apple_bar_1) (sliceable Potato_bar_1) (toggleable DeskLamp_bar_1)
    (isReceptacleObject Bowl_bar_1) (inReceptacleObject KeyChain_bar_1 Bowl_bar_1) (isCool Potato_bar_1)
    (inReceptacle Apple_bar_1 CounterTop_bar_1) (inReceptacle Apple_bar_1 Cabinet_bar_2)
    (inReceptacle Apple_bar_2 Cabinet_bar_1) (inReceptacle Knife_bar_1 CounterTop_bar_1)
    (inReceptacle Potato_bar_1 Fridge_bar_1) (inReceptacle Bowl_bar_1 CounterTop_bar_1)
    (inReceptacle KeyChain_bar_1 CounterTop_bar_1) (inReceptacle DeskLamp_bar_1 Drawer_bar_1)
    (objectAtLocation Apple_bar_1 loc_bar_1) (objectAtLocation Apple_bar_2 loc_bar_1)
    (objectAtLocation Knife_bar_1 loc_bar_1) (objectAtLocation Potato_bar_1 loc_bar_1)
    (objectAtLocation Bowl_bar_1 loc_bar_1) (objectAtLocation KeyChain_bar_1 loc_bar_1)
    (objectAtLocation DeskLamp_bar_1 loc_bar_6)
    (atLocation agent1 loc_bar_7)"""

DECLARED = """agent1 - agent Spoon - object
    CounterTop_bar_1 Cabinet_bar_1 Cabinet_bar_2 Microwave_bar_1 Fridge_bar_1 Sink_bar_1_bar_SinkBasin - receptacle
    Drawer_bar_1 Shelf_bar_1 - receptacle
    Apple_bar_1 Apple_bar_2 Knife_bar_1 Potato_bar_1 Bowl_bar_1 KeyChain_bar_1 DeskLamp_bar_1 - object
    loc_bar_1 loc_bar_2 loc_bar_3 loc_bar_4 loc_bar_5 loc_bar_6 loc_bar_7 - location
    CounterTopType CabinetType MicrowaveType FridgeType SinkBasinType DrawerType ShelfType - rtype
    AppleType KnifeType PotatoType BowlType KeyChainType DeskLampType - otype"""

OPENING = (
    "-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see "
    "a cabinet 2, a cabinet 1, a countertop 1, a drawer 1, a fridge 1, a microwave 1, and a sinkbasin 1."
)


def problem(goal: str = HEAT, facts: str = FACTS, declared: str = DECLARED) -> str:
    return f"(define (problem small) (:domain alfred) (:objects {declared}) (:init {facts}) (:goal {goal}))"


def game(goal: str = HEAT, *, dialect: GameDialect = NEW, facts: str = FACTS, declared: str = DECLARED) -> Game:
    return Game(
        pddl_domain=domain_text(dialect),
        grammar=grammar_text(dialect, "Your task is to: heat some apple and put it in fridge."),
        pddl_problem=problem(goal, facts, declared),
    )


def home(goal: str = HEAT, *, dialect: GameDialect = NEW, facts: str = FACTS) -> Household:
    return household(game(goal, dialect=dialect, facts=facts))


def begin(
    goal: str = HEAT, *, dialect: GameDialect = NEW, facts: str = FACTS, either_put: bool = False, causes: bool = False
) -> AlfWorldState:
    return AlfWorldState(home(goal, dialect=dialect, facts=facts), either_put=either_put, causes=causes)


def play(state: AlfWorldState, *actions: str) -> Outcome:
    """Take actions that are all carried out; what the last one brought."""
    outcomes = [state.step(action) for action in actions]
    assert not [action for action, outcome in zip(actions, outcomes, strict=True) if outcome.rejected]
    return outcomes[-1]


def seen(state: AlfWorldState, *actions: str) -> str:
    return play(state, *actions).observation
