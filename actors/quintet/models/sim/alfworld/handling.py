"""Doing something with what is in hand: treating it, laying it down."""

from quintet.models.sim.alfworld.goal import Place
from quintet.models.sim.alfworld.likely import places
from quintet.models.sim.alfworld.mind import Mind, Move
from quintet.models.sim.alfworld.task import kind


def treat(mind: Mind, held: str) -> Move:
    """Clean, heat or cool what is held, with the first appliance that has not refused."""
    how = mind.goal.treatment
    left = [place for place in _appliances(mind) if not mind.refused(f"{how} {held} with {place}")]
    if not left:
        return Move(f"I know of nothing here to {how} it with.", "task failed")
    place = _tried(mind, left)
    if mind.seen.here != place:
        return mind.go(place, f"I hold {held}. To {how} it I go to the {place}.")
    if _belongs_inside(mind, held, place):
        return lay_here(mind, held, place)
    return Move(f"I am at the {place} with {held}.", f"{how} {held} with {place}")


def _tried(mind: Mind, places: list[str]) -> str:
    """The first of the places, or by chance one of another kind where one only supposes that the first would do."""
    if mind.goal.treatment not in mind.believed.supposed or not mind.chance.varies:
        return places[0]
    if mind.seen.here in places:
        return mind.seen.here
    firsts = {kind(place): place for place in reversed(places)}
    return mind.chance.choose([*dict.fromkeys(firsts[kind(place)] for place in places)])


def treat_inside(mind: Mind, thing: str) -> Move | None:
    """Treat an object in the appliance into which it was put for that; None where there is none."""
    for laid, place in sorted(mind.seen.laid):
        if kind(laid) == thing and place in _appliances(mind) and _belongs_inside(mind, laid, place):
            return Move(f"The {laid} is in the {place}.", f"{mind.goal.treatment} {laid} with {place}")
    return None


def _belongs_inside(mind: Mind, thing: str, place: str) -> bool:
    """Whether it is thought that the object has to be in the appliance, and nothing has told otherwise."""
    return (
        mind.goal.treatment in mind.believed.put_inside
        and place not in mind.seen.failed_inside
        and not mind.refused(mind.put(thing, place))
    )


def _appliances(mind: Mind) -> list[str]:
    """The places to treat the object with, in the order in which they would be tried."""
    goal = mind.goal
    if goal.treatment is None:
        return []
    named = () if goal.appliance is None else (goal.appliance,)
    order = dict.fromkeys((*named, *mind.believed.appliances[goal.treatment]))
    return [place for each in order for place in places(mind.task.room, "", sought=Place(each))]


def lay(mind: Mind, held: str, targets: list[str]) -> Move:
    """Bring what is held to the first of the places that takes it."""
    for place in targets:
        if mind.refused(mind.put(held, place)):
            continue
        if mind.seen.here != place:
            return mind.go(place, f"I hold {held}, and it belongs in the {place}.")
        return lay_here(mind, held, place)
    return Move(f"I find no place for {held}.", "task failed")


def lay_here(mind: Mind, held: str, place: str) -> Move:
    """Lay down what is held where one stands."""
    if place in mind.seen.closed and not mind.refused(f"open {place}"):
        return Move(f"The {place} is closed, so I open it first.", f"open {place}")
    return Move(f"I lay {held} down here.", mind.put(held, place))


def get_rid(mind: Mind, held: str) -> Move:
    """Have free hands again."""
    here = mind.seen.here
    if here is None or mind.refused(mind.put(held, here)):
        return Move(f"I hold {held}, which I did not want, and my hands are full.", "task failed")
    return lay_here(mind, held, here)
