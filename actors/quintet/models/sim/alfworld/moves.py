"""Moves in a household: look for a thing, take or use it, treat it, and lay it down."""

from collections.abc import Iterable, Sequence
from itertools import islice

from quintet.models.sim.alfworld.scene import Scene
from quintet.models.sim.alfworld.task import HouseTask, Places, kind_in
from quintet.models.sim.draws import Misreading
from quintet.models.sim.player import Move

_MOST_CHOICES = 4


def take_one(scene: Scene, thing: str) -> Move:
    """Take one of a kind of thing where it was seen, or look for it."""
    return _approach(scene, thing, "take {found} from {place}", "back there", "take")


def use_one(scene: Scene, lamp: str) -> Move:
    """Use a lamp where it was seen, or look for it."""
    return _approach(scene, lamp, "use {found}", "there", "use")


def _approach(scene: Scene, thing: str, form: str, where: str, verb: str) -> Move:
    order = scene.search_order(thing)
    for place in sorted(order, key=lambda place: place != scene.seen.here):
        for found in scene.seen.contents.get(place, ()):
            action = form.format(found=found, place=place)
            if kind_in(found) == thing and not (scene.refused(action) or scene.avoids(place)):
                if scene.seen.here != place:
                    return scene.go(place, f"There is {found}, so I go {where}.")
                if place in scene.seen.closed and not scene.refused(f"open {place}"):
                    return Move(f"The {found} is in the {place}, which is closed, so I open it.", f"open {place}")
                return Move(f"Here is {found}, which I {verb}.", action)
    return _search(scene, order, thing)


def _search(scene: Scene, order: Sequence[str], thing: str) -> Move:
    left = order if scene.reads_all else _after_the_last(scene, order)
    left = not_overlooked(left, thing, scene.task, scene.mind.misreading)
    moves = (move for place in left if (move := _look_at(scene, place, thing)) is not None)
    choices = list(islice(moves, _MOST_CHOICES))
    if not choices:
        return Move(f"I have looked everywhere and found no {thing}.", "task failed")
    return choices[0] if choices[0].action.startswith("open ") else scene.mind.chance.choose(choices)


def not_overlooked(places: Iterable[str], thing: str, task: HouseTask, misreading: Misreading) -> list[str]:
    """The places without those that a reader overlooks by a misreading."""
    return [place for place in places if not misreading.wrong(task.wording, "look for", thing, place)]


def _after_the_last(scene: Scene, order: Sequence[str]) -> Sequence[str]:
    """Where a reader of few steps looks: on by number, then at kinds of places that these steps do not show."""
    last = scene.seen.arrived
    read = {kind_in(place) for place in (*scene.seen.contents, *scene.seen.closed)}
    others = [place for place in order if kind_in(place) not in read]
    if last is None or last not in order:
        return others or order
    row = [place for place in order if kind_in(place) == kind_in(last)]
    return [*row[row.index(last) :], *others]


def _look_at(scene: Scene, place: str, thing: str) -> Move | None:
    """The next action to see what is in a place; None if nothing is left to be seen there."""
    if place in scene.seen.contents or scene.avoids(place):
        return None
    if place in scene.seen.closed:
        if scene.refused(f"open {place}"):
            return None
        if scene.seen.here == place:
            return Move(f"The {place} is closed. I open it to look for a {thing}.", f"open {place}")
    if scene.refused(f"go to {place}") and scene.refused(f"examine {place}"):
        return None
    return scene.go(place, f"I look for a {thing}, and {place} is a likely place.")


def treat(scene: Scene, held: str) -> Move:
    """Clean, heat or cool what is held, with the first appliance that has not refused."""
    how = scene.goal.treatment
    left = [
        place for place in appliances(scene) if not (scene.refused(f"{how} {held} with {place}") or scene.avoids(place))
    ]
    if not left:
        return Move(f"I know of nothing here to {how} it with.", "task failed")
    place = _first_or_other(scene, left)
    if scene.seen.here != place:
        return scene.go(place, f"I hold {held}. To {how} it I go to the {place}.")
    if _belongs_inside(scene, held, place):
        return _lay_here(scene, held, place)
    return Move(f"I am at the {place} with {held}.", f"{how} {held} with {place}")


def _first_or_other(scene: Scene, places: list[str]) -> str:
    """The first of the places or, by chance, one of another kind where the first is only supposed to work."""
    if scene.goal.treatment not in scene.believed.supposed or not scene.mind.chance.varies:
        return places[0]
    if scene.seen.here in places:
        return scene.seen.here
    firsts = {kind_in(place): place for place in reversed(places)}
    return scene.mind.chance.choose([*dict.fromkeys(firsts[kind_in(place)] for place in places)])


def treat_inside(scene: Scene, thing: str) -> Move | None:
    """Treat an object in the appliance into which it was put for that; None where there is none."""
    for laid, place in sorted(scene.seen.laid):
        if kind_in(laid) == thing and place in appliances(scene) and _belongs_inside(scene, laid, place):
            return Move(f"The {laid} is in the {place}.", f"{scene.goal.treatment} {laid} with {place}")
    return None


def _belongs_inside(scene: Scene, thing: str, place: str) -> bool:
    """Whether it is thought that the object has to be in the appliance, and nothing has shown otherwise."""
    return (
        scene.goal.treatment in scene.believed.put_inside
        and place not in scene.seen.failed_inside
        and not scene.refused(scene.put(thing, place))
    )


def appliances(scene: Scene) -> list[str]:
    """The places to treat the object with, in the order in which they would be tried."""
    goal = scene.goal
    if goal.treatment is None:
        return []
    named = () if goal.appliance is None else (goal.appliance,)
    order = dict.fromkeys((*named, *scene.believed.appliances[goal.treatment]))
    return [place for each in order for place in scene.places(Places(each))]


def lay(scene: Scene, held: str, targets: Iterable[str]) -> Move:
    """Bring what is held to the first of the places that takes it."""
    for place in targets:
        if not (scene.refused(scene.put(held, place)) or scene.avoids(place)):
            if scene.seen.here != place:
                return scene.go(place, f"I hold {held}, and it belongs in the {place}.")
            return _lay_here(scene, held, place)
    return Move(f"I find no place for {held}.", "task failed")


def _lay_here(scene: Scene, held: str, place: str) -> Move:
    if place in scene.seen.closed and not scene.refused(f"open {place}"):
        return Move(f"The {place} is closed, so I open it first.", f"open {place}")
    return Move(f"I lay {held} down here.", scene.put(held, place))


def get_rid(scene: Scene, held: str) -> Move:
    """Have free hands again."""
    here = scene.seen.here
    if here is None or scene.refused(scene.put(held, here)):
        return Move(f"I hold {held}, which I did not want, and my hands are full.", "task failed")
    return _lay_here(scene, held, here)
