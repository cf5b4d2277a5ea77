"""How far an attempt on websites has come: whether its page was found, and whether it ended as it should."""

from collections.abc import Iterator

from quintet.models.sim.webarena.browsing import Browsing
from quintet.models.sim.webarena.task import part_for

NOT_FOUND = "N/A"
"""The answer for a task that cannot be done."""
_MOST_OF_IT = 0.95
"""The most that an attempt counts which has not ended."""
_GAVE_UP = 0.3
"""What an attempt counts that ended without the goal, at most."""


def progress_on_sites(browsing: Browsing) -> float:
    """In [0, 1]; 1: it ended with what was asked for, by the reader's own judgement."""
    if browsing.goal.part:
        return 1.0 if browsing.reached() else min(_MOST_OF_IT, browsing.coverage())
    if browsing.seen.ended:
        return 1.0 if ended_well(browsing) else min(_GAVE_UP, browsing.coverage())
    return _MOST_OF_IT if browsing.reached() else _MOST_OF_IT * _MOST_OF_IT * browsing.coverage()


def ended_well(browsing: Browsing) -> bool:
    """Whether the answer that was given is one that the last page says, or that page is what was asked for.

    That there is none is right where no page that was seen says it or leaves anything telling to try.
    """
    if browsing.seen.answer == NOT_FOUND:
        return not browsing.reached() and not browsing.untried()
    if browsing.goal.purpose != "answer":
        return browsing.reached()
    return browsing.knows_answer() and browsing.seen.answer == browsing.answers()[0].value


def parts_on_sites(browsing: Browsing) -> Iterator[tuple[str, bool]]:
    """The parts of the work in words, each with whether it is done."""
    yield part_for(browsing.goal), browsing.coverage() >= 1 or browsing.reached()
    yield "stop with what was asked for", browsing.seen.ended and ended_well(browsing)
