"""A plan in a household: take, treat and put in turn; or the places to look at, one or another."""

from typing import NamedTuple

from quintet.models.sim.alfworld.beliefs import Beliefs
from quintet.models.sim.alfworld.goal import Place, Treatment
from quintet.models.sim.alfworld.likely import CLOSED, kinds, of_kind
from quintet.models.sim.alfworld.misreading import worth_a_look
from quintet.models.sim.alfworld.task import Task
from quintet.models.sim.chance import Chance
from quintet.models.sim.misreading import Misreading

_AT_ONCE = 8
"""So many places with doors can be searched in one go, and of open ones twice as many."""

_ADJECTIVES: dict[Treatment, str] = {"clean": "clean", "heat": "hot", "cool": "cool"}


class Plan(NamedTuple):
    """Steps that are all to be taken, in this order, or of which any one is enough."""

    thought: str
    steps: list[str]
    any_one: bool = False


def plan(task: Task, believed: Beliefs, chance: Chance, misreading: Misreading) -> Plan:
    """The steps to a goal. What is taken from somewhere is searched there, place by place."""
    goal = task.goal
    if goal.thing is None:
        return _where(task, str(goal.lamp), f"find and use the {goal.lamp}", "on", chance, misreading)
    if goal.lamp is not None:
        return Plan(
            f"The {goal.thing} has to be in hand when the {goal.lamp} is used.",
            [f"find and take a {goal.thing}", f"find and use the {goal.lamp}"],
        )
    if goal.target is None and goal.treatment is None:
        return _where(task, goal.thing, f"find and take a {goal.thing}", "from", chance, misreading)
    if goal.count > 1:
        return _two(goal.thing, _named(goal.target))
    return _one(task, believed)


def _one(task: Task, believed: Beliefs) -> Plan:
    goal = task.goal
    steps = [f"find and take a {goal.thing}"]
    if goal.treatment is not None:
        appliances = [goal.appliance, *believed.appliances[goal.treatment]]
        appliance = next((kind for kind in appliances if kind in task.kinds()), believed.appliances[goal.treatment][0])
        steps.append(f"{goal.treatment} the {goal.thing} with the {appliance}")
    if goal.target is not None:
        state = "" if goal.treatment is None else _ADJECTIVES[goal.treatment] + " "
        steps.append(f"put the {state}{goal.thing} in/on the {_named(goal.target)}")
    return Plan(f"One thing after the other with the {goal.thing}.", steps)


def _two(thing: str, target: str) -> Plan:
    put = f"put the {thing} in/on the {target}"
    steps = [f"find and take a {thing}, not from the {target}", put]
    again = [f"find and take another {thing}, not from the {target}", put]
    return Plan("I can carry only one at a time, so I do it twice.", [*steps, *again])


def _where(task: Task, thing: str, wish: str, preposition: str, chance: Chance, misreading: Misreading) -> Plan:
    """One step for each place where the thing may be. A step that names its places is itself split by number."""
    goal = task.goal
    away = "" if goal.shunned is None else f", not from the {_named(goal.shunned)}"
    likely = worth_a_look(_parts(task, thing), thing, task, misreading)
    parts = [f"{wish} {preposition} the {part}{away}" for part in likely]
    return Plan(f"I do not know where the {thing} is; these are the likely places.", chance.order(parts), any_one=True)


def _parts(task: Task, thing: str) -> list[str]:
    parts: list[str] = []
    for kind in kinds(task.room, thing):
        sought, shunned = task.goal.sought, task.goal.shunned
        numbers = [
            int(place.split()[1])
            for place in of_kind(task.room, kind)
            if (sought is None or sought.covers(place)) and not (shunned is not None and shunned.covers(place))
        ]
        most = _AT_ONCE if kind in CLOSED else 2 * _AT_ONCE
        if sought is not None and len(numbers) > 1:
            most = min(most, -(-len(numbers) // 2))
        if numbers and len(numbers) <= most:
            parts.append(_named(Place(kind) if sought is None else Place(kind, numbers[0], numbers[-1])))
            continue
        groups = [numbers[start : start + most] for start in range(0, len(numbers), most)]
        parts += [_named(Place(kind, group[0], group[-1])) for group in groups]
    return parts


def _named(place: Place | None) -> str:
    assert place is not None
    if place == Place(place.kind):
        return place.kind
    return f"{place.kind} {place.first}" + ("" if place.first == place.last else f" to {place.last}")
