"""The next action of an agent in a household, and the thought before it."""

from quintet.models.sim.alfworld.goal import Place
from quintet.models.sim.alfworld.handling import get_rid, lay, treat, treat_inside
from quintet.models.sim.alfworld.likely import places
from quintet.models.sim.alfworld.mind import Mind, Move
from quintet.models.sim.alfworld.misreading import takes_for_reached
from quintet.models.sim.alfworld.searching import take_one, use_one
from quintet.models.sim.alfworld.task import kind


def next_action(mind: Mind, *, claims: bool = True) -> Move:
    """What one would do now.

    Args:
        mind: what one goes by.
        claims: whether one may say that the goal is reached, or cannot be; otherwise one goes on.
    """
    move = _next(mind)
    if not claims and move.action.startswith("task "):
        return Move("I see nothing more to do, so I look where I am.", "look")
    return move


def _next(mind: Mind) -> Move:
    thing, held = mind.goal.thing, mind.seen.held
    if takes_for_reached(mind.task, mind.seen, mind.misreading, reached=_is_done(mind)):
        return Move("The observations show that the goal is reached.", "task completed")
    if thing is None:
        return use_one(mind, str(mind.goal.lamp))
    if held is None:
        return _empty_handed(mind, thing)
    return _with_it(mind, held) if kind(held) == thing else get_rid(mind, held)


def _with_it(mind: Mind, held: str) -> Move:
    """The object is in hand: treat it, and then put it where it belongs or light it."""
    goal = mind.goal
    if goal.treatment is not None and (goal.treatment, held) not in mind.seen.treated:
        return treat(mind, held)
    if goal.target is not None:
        return lay(mind, held, _targets(mind, goal.target))
    if goal.lamp is not None:
        return use_one(mind, goal.lamp)
    return get_rid(mind, held)  # it is what was wanted, and was not recognised


def _empty_handed(mind: Mind, thing: str) -> Move:
    if move := treat_inside(mind, thing):
        return move
    move = take_one(mind, thing)
    in_doubt = move.action == "task failed" or any(action.startswith("take ") for action in mind.seen.refused)
    if in_doubt and not mind.seen.sure:
        return Move("I am not sure what I hold, so I look.", "inventory")
    return move


def _is_done(mind: Mind) -> bool:
    goal, held = mind.goal, mind.seen.held
    in_hand = held is not None and kind(held) == goal.thing
    if goal.lamp is not None:
        return (in_hand or goal.thing is None) and any(kind(lamp) == goal.lamp for lamp in mind.seen.lit)
    if goal.target is not None:
        return any(_reached_in(mind, place) >= goal.count for place in _targets(mind, goal.target))
    return in_hand and (goal.treatment is None or (goal.treatment, held) in mind.seen.treated)


def _targets(mind: Mind, target: Place) -> list[str]:
    """The places to put the object into; of two objects, one first that holds one already."""
    found = places(mind.task.room, "", sought=target)
    if mind.goal.count == 1:
        return found
    return sorted(found, key=lambda place: _reached_in(mind, place), reverse=True)


def _reached_in(mind: Mind, place: str) -> int:
    """How many objects are in a place as the goal wants them."""
    goal, seen = mind.goal, mind.seen
    there = {thing for thing, where in seen.laid if where == place}
    if goal.count > 1:
        there |= set(seen.contents.get(place, ()))
    how = goal.treatment
    return sum(kind(thing) == goal.thing and (how is None or (how, thing) in seen.treated) for thing in there)
