"""Looking for things: which place comes next, and how one gets to see what is there."""

from collections.abc import Iterator, Sequence
from itertools import islice

from quintet.models.sim.alfworld.likely import places
from quintet.models.sim.alfworld.mind import Mind, Move
from quintet.models.sim.alfworld.misreading import worth_a_look
from quintet.models.sim.alfworld.task import kind

_MOST_CHOICES = 4


def take_one(mind: Mind, thing: str) -> Move:
    """Take one of a kind of thing where it was seen, or look for it."""
    order = places(mind.task.room, thing, mind.goal.sought, mind.goal.shunned)
    for found, place in _known(mind, order, thing):
        if not mind.refused(f"take {found} from {place}"):
            return take(mind, found, place)
    return _search(mind, order, thing)


def take(mind: Mind, found: str, place: str) -> Move:
    """Take a thing that is in a place."""
    if mind.seen.here != place:
        return mind.go(place, f"There is {found}, so I go back there.")
    return Move(f"Here is {found}, which I take.", f"take {found} from {place}")


def use_one(mind: Mind, lamp: str) -> Move:
    """Use a lamp where it was seen, or look for it."""
    order = places(mind.task.room, lamp, mind.goal.sought)
    for found, place in _known(mind, order, lamp):
        if not mind.refused(f"use {found}"):
            if mind.seen.here != place:
                return mind.go(place, f"There is {found}, so I go there.")
            return Move(f"Here is {found}, which I use.", f"use {found}")
    return _search(mind, order, lamp)


def _known(mind: Mind, order: Sequence[str], thing: str) -> Iterator[tuple[str, str]]:
    """Where such things were seen, those at hand first."""
    for place in sorted(order, key=lambda place: place != mind.seen.here):
        for found in mind.seen.contents.get(place, ()):
            if kind(found) == thing:
                yield found, place


def _search(mind: Mind, order: Sequence[str], thing: str) -> Move:
    left = order if mind.skill.window is None else _after_the_last(mind, order)
    left = worth_a_look(left, thing, mind.task, mind.misreading)
    moves = (move for place in left if (move := _look_at(mind, place, thing)) is not None)
    choices = list(islice(moves, _MOST_CHOICES))
    if not choices:
        return Move(f"I have looked everywhere and found no {thing}.", "task failed")
    return choices[0] if choices[0].action.startswith("open ") else mind.chance.choose(choices)


def _after_the_last(mind: Mind, order: Sequence[str]) -> Sequence[str]:
    """Where to look for who reads few steps back: on by number, then at kinds of places that were not just read of."""
    last = mind.seen.arrived
    read = {kind(place) for place in (*mind.seen.contents, *mind.seen.closed)}
    others = [place for place in order if kind(place) not in read]
    if last is None or last not in order:
        return others or order
    row = [place for place in order if kind(place) == kind(last)]
    return [*row[row.index(last) :], *others]


def _look_at(mind: Mind, place: str, thing: str) -> Move | None:
    """The next action to see what is in a place; None if nothing is left to be seen there."""
    if place in mind.seen.contents:
        return None
    if place in mind.seen.closed:
        if mind.refused(f"open {place}"):
            return None
        if mind.seen.here == place:
            return Move(f"The {place} is closed. I open it to look for a {thing}.", f"open {place}")
    if mind.refused(f"go to {place}") and mind.refused(f"examine {place}"):
        return None
    return mind.go(place, f"I look for a {thing}, and {place} is a likely place.")
