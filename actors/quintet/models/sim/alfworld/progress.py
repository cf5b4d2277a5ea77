"""How far an attempt in a household has come: the parts of the goal that the steps show as done."""

from collections.abc import Iterator

from quintet.models.sim.alfworld.scene import Scene
from quintet.models.sim.alfworld.task import kind_in


def share_of_parts(scene: Scene) -> float:
    """The share of the goal's parts that are done, each part a question that may be misread.

    An object that is not found yet counts by the share of places that were searched for it.
    """
    wrong, wording = scene.mind.misreading.wrong, scene.task.wording
    parts = list(goal_parts(scene))
    seen = (1 - share if wrong(wording, "is done", *part) else share for part, share in parts)
    return sum(seen) / len(parts)


def not_searched(scene: Scene, thing: str) -> list[str]:
    """Places that may hold a thing and whose contents were not seen, the likeliest first."""
    return [place for place in scene.search_order(thing) if place not in scene.seen.contents]


def is_found(scene: Scene, thing: str) -> bool:
    """Whether a thing of this kind was seen."""
    seen = scene.seen
    there = (each for place, things in seen.contents.items() if scene.goal.admits(place) for each in things)
    moved = (*there, *(laid for laid, _ in seen.laid), *seen.lit, *((seen.held,) if seen.held else ()))
    return any(kind_in(each) == thing for each in moved)


def goal_parts(scene: Scene) -> Iterator[tuple[tuple[str, ...], float]]:
    """The parts of the goal, each with its words, and how far it is done."""
    goal, seen = scene.goal, scene.seen
    thing = goal.thing
    if thing is not None:
        laid = [name for name, _ in seen.laid if kind_in(name) == thing]
        held = [seen.held] if seen.held is not None and kind_in(seen.held) == thing else []
        taken = held + laid
        yield ("find", thing), _found(scene, thing)
        yield ("take", thing), min(len(taken), goal.count) / goal.count
        if goal.treatment is not None:
            yield (goal.treatment, thing), float(any(map(scene.treated, taken)))
    if goal.target is not None:
        reached = max((scene.reached_in(place) for place in scene.places(goal.target)), default=0)
        yield ("lay", goal.target.kind), min(reached, goal.count) / goal.count
    if goal.lamp is not None:
        yield ("find", goal.lamp), _found(scene, goal.lamp)
        yield ("use", goal.lamp), float(any(kind_in(lamp) == goal.lamp for lamp in seen.lit))


def _found(scene: Scene, thing: str) -> float:
    if is_found(scene, thing):
        return 1.0
    places = scene.search_order(thing)
    return 1 - len(not_searched(scene, thing)) / len(places) if places else 0.0
