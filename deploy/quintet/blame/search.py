"""Which places of an episode are measured next, by what was measured so far."""

from collections.abc import Mapping
from typing import NamedTuple

from quintet.blame.chances import Chance, fell


class StepSearch(NamedTuple):
    """How far the search for a step came, in one episode. Place 0 is its start, and place N is behind step N."""

    wanted: tuple[int, ...] = ()
    """The places to be measured before it can go on."""
    pair: tuple[int, int] | None = None
    """Two neighbours, of which the first has a high chance and the second a low one; None: not found yet, or the chance
    does not fall from the start to the end."""


def search_step(steps: int, found: Mapping[int, Chance], *, every_step: bool) -> StepSearch:
    """StepSearch for the step at which the chance falls from that of the start to that behind the last step.

    By bisection, a place counts as high if its chance is at least halfway between these two.

    Args:
        steps: of the episode.
        found: the chances so far, by place.
        every_step: measure all places, and take the greatest fall.
    """
    places = range(steps + 1) if every_step else sorted({0, steps})
    missing = tuple(place for place in places if place not in found)
    if missing:
        return StepSearch(missing)
    if not fell(found[0], found[steps]):
        return StepSearch()
    if every_step:
        falls = {place: found[place].share - found[place + 1].share for place in range(steps)}
        high = max(falls, key=falls.__getitem__)
        return StepSearch(pair=(high, high + 1))
    halfway = (found[0].share + found[steps].share) / 2
    high, low = 0, steps
    while low - high > 1:
        middle = (high + low) // 2
        if middle not in found:
            return StepSearch((middle,))
        if found[middle].share >= halfway:
            high = middle
        else:
            low = middle
    return StepSearch(pair=(high, low))
