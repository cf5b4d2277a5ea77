"""Plans for tasks in a household: take, treat and put in turn; or the places to look at, one or another."""

from collections.abc import Iterator

from quintet.models.sim.alfworld.moves import not_overlooked
from quintet.models.sim.alfworld.places import CLOSED, likely_kinds, likely_places, of_kind
from quintet.models.sim.alfworld.scene import Scene
from quintet.models.sim.alfworld.task import HouseGoal, Places, Treatment, kind_in, read_house_goal
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


def direct_plan(scene: Scene) -> Iterator[str]:
    """The steps that a goal still needs, with what the past shows: where things are, where not, what treats nothing."""
    plan = house_plan(scene)
    if plan.any_one:
        yield scene.task.wording
        return
    held, seen = scene.seen.held, dict[str, list[str]]()
    in_hand = held is not None and kind_in(held) == scene.goal.thing
    for step in plan.steps:
        goal = read_house_goal(step)
        assert goal is not None
        if goal.treatment is not None and goal.target is None:
            if held is None or not scene.treated(held):
                yield _treatment(scene, goal.treatment, str(goal.thing), step)
        elif goal.target is None and (thing := goal.lamp or goal.thing) is not None:
            if in_hand and thing == scene.goal.thing:
                in_hand = False
                continue
            where = seen.setdefault(thing, _seen_at(scene, goal, thing))
            place = where.pop(0) if where else _next_places(scene, goal, thing)
            yield step.replace(f" {thing}", f" {thing} from the {place}", 1) if place else step
        else:
            yield step


def _treatment(scene: Scene, how: Treatment, thing: str, step: str) -> str:
    """The step with an appliance that has not refused; without one if all have."""
    treating = [action for action in scene.seen.refused if action.startswith(f"{how} {thing} ")]
    refused = {kind_in(action.rpartition(" with ")[2]) for action in treating}
    if not any(step.endswith(f" with the {kind}") for kind in refused):
        return step
    left = [kind for kind in scene.believed.appliances[how] if kind in scene.task.kinds() - refused]
    return f"{how} the {thing} with the {left[0]}" if left else f"{how} the {thing}"


def _seen_at(scene: Scene, goal: HouseGoal, thing: str) -> list[str]:
    """The places where things of a kind were seen, one for each thing."""
    order = likely_places(scene.task.room, thing, goal.admits, scene.places_shown(thing))
    return [place for place in order for found in scene.seen.contents.get(place, ()) if kind_in(found) == thing]


def _next_places(scene: Scene, goal: HouseGoal, thing: str) -> str:
    """The likeliest places that were not searched, if others were in vain; else nothing."""
    order = likely_places(scene.task.room, thing, goal.admits, scene.places_shown(thing))
    left = [place for place in order if place not in scene.seen.contents]
    if not left or len(left) == len(order):
        return ""
    kind = kind_in(left[0])
    numbers = sorted(int(place.split()[1]) for place in left if kind_in(place) == kind)
    first = int(left[0].split()[1])
    last = first
    while last + 1 in numbers:
        last += 1
    return _named(Places(kind, first, last))


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
