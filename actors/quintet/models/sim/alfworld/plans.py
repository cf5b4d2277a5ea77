"""Plans for tasks in a household: take, treat and put in turn; or the places to look at, one or another."""

from quintet.models.sim.alfworld.moves import not_overlooked
from quintet.models.sim.alfworld.places import CLOSED, likely_kinds, of_kind
from quintet.models.sim.alfworld.scene import Scene
from quintet.models.sim.alfworld.task import Places, Treatment
from quintet.models.sim.player import Decomposition

_AT_ONCE = 8
"""So many places with doors can be searched in one go, and of open ones twice as many."""

_ADJECTIVES: dict[Treatment, str] = {"clean": "clean", "heat": "hot", "cool": "cool"}


def house_plan(scene: Scene) -> Decomposition:
    """The steps to a goal. What is taken from somewhere is searched there, place by place."""
    task, goal, believed = scene.task, scene.goal, scene.believed
    if goal.thing is None:
        return _where(scene, str(goal.lamp), f"find and use the {goal.lamp} on")
    if goal.lamp is not None:
        thought = f"The {goal.thing} has to be in hand when the {goal.lamp} is used."
        return _plan(thought, f"find and take a {goal.thing}", f"find and use the {goal.lamp}")
    if goal.target is None and goal.treatment is None:
        return _where(scene, goal.thing, f"find and take a {goal.thing} from")
    if goal.count > 1:
        target = _named(goal.target)
        put = f"put the {goal.thing} in/on the {target}"
        take, again = (f"find and take {each} {goal.thing}, not from the {target}" for each in ("a", "another"))
        return _plan("I can carry only one at a time, so I do it twice.", take, put, again, put)
    steps = [f"find and take a {goal.thing}"]
    if goal.treatment is not None:
        kinds = believed.appliances[goal.treatment]
        appliance = next((kind for kind in (goal.appliance, *kinds) if kind in task.kinds()), kinds[0])
        steps.append(f"{goal.treatment} the {goal.thing} with the {appliance}")
    if goal.target is not None:
        state = "" if goal.treatment is None else _ADJECTIVES[goal.treatment] + " "
        steps.append(f"put the {state}{goal.thing} in/on the {_named(goal.target)}")
    return _plan(f"One thing after the other with the {goal.thing}.", *steps)


def _plan(thought: str, *steps: str, any_one: bool = False) -> Decomposition:
    return Decomposition(f"Thought: {thought}", steps, any_one)


def _where(scene: Scene, thing: str, find: str) -> Decomposition:
    """One step for each place where the thing may be. A step that names its places is itself split by number."""
    task, mind = scene.task, scene.mind
    away = "" if task.goal.shunned is None else f", not from the {_named(task.goal.shunned)}"
    likely = not_overlooked(_parts(scene, thing), thing, task, mind.misreading)
    steps = mind.chance.order([f"{find} the {part}{away}" for part in likely])
    return _plan(f"I do not know where the {thing} is; these are the likely places.", *steps, any_one=True)


def _parts(scene: Scene, thing: str) -> list[str]:
    task = scene.task
    parts: list[str] = []
    for kind in likely_kinds(task.room, thing, scene.places_shown(thing)):
        numbers = [int(place.split()[1]) for place in of_kind(task.room, kind) if task.goal.admits(place)]
        most = _AT_ONCE if kind in CLOSED else 2 * _AT_ONCE
        if task.goal.sought is None:
            if numbers and len(numbers) <= most:
                parts.append(kind)
                continue
        elif len(numbers) > 1:
            most = min(most, -(-len(numbers) // 2))
        groups = [numbers[start : start + most] for start in range(0, len(numbers), most)]
        parts += [_named(Places(kind, group[0], group[-1])) for group in groups]
    return parts


def _named(places: Places | None) -> str:
    assert places is not None
    if places == Places(places.kind):
        return places.kind
    return f"{places.kind} {places.first}" + ("" if places.first == places.last else f" to {places.last}")
