"""Looking back on a job in TextCraft: what was done, what was wrong, and what to do instead.

Who reads the whole job sees what the one who did it may have lost sight of: that something was fetched again and again
while it was there, or that a command was tried without its ingredients. Both come from not knowing what one holds.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from quintet.models.sim.textcraft.belief import believe, read_step
from quintet.models.sim.textcraft.book import read_needs
from quintet.models.sim.textcraft.task import Step

_MOST_FLAWS = 8
_OFTEN = 2
"""Fetching what is there may happen once, for another use of it; from the second time on it is a flaw."""

NO_FLAW = "There is no flaw in plan or actions."
NO_CHANGE = "Nothing in the plan has to change."
LOOK = "Before you get or craft anything, look into the inventory, unless you have just seen it."


def summary(steps: Sequence[Step], *, succeeded: bool) -> str:
    """What was carried out, in steps, and how it came out."""
    done = Counter(action for step in steps if (action := _granted(step)))
    lines = [action if times == 1 else f"{action}, {times} times" for action, times in done.items()]
    lines.append("The goal was reached." if succeeded else "The goal was not reached.")
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def flaws(steps: Sequence[Step]) -> str:
    """What was refused, with the answer, and what was done in vain."""
    refused = dict(read_step(step.answer, step.observation) for step in steps if _refused(step))
    lines = [*_in_vain(steps), *(f"- {action}: {said}" for action, said in refused.items())]
    return "\n".join(lines[:_MOST_FLAWS]) or NO_FLAW


def revision(steps: Sequence[Step]) -> str:
    """What to do in place of what was wrong, as far as it follows."""
    short = any("find enough items" in step.observation for step in steps)
    return LOOK if short or any(_in_vain(steps)) else NO_CHANGE


def _in_vain(steps: Sequence[Step]) -> Iterator[str]:
    """What was fetched although it was there."""
    again = Counter[str]()
    for number, step in enumerate(steps):
        action = _granted(step) or ""
        if action.startswith("get "):
            carried = believe((), steps[:number]).carried
            again[action] += all(carried[item] >= count for item, count in read_needs(action.removeprefix("get ")))
    for action, times in again.items():
        if times >= _OFTEN:
            yield f"- {action}: {times} times although it was in the inventory already."


def _granted(step: Step) -> str | None:
    """The action of a step that the world carried out."""
    action, said = read_step(step.answer, step.observation)
    return action if said and action and not _refused(step) else None


def _refused(step: Step) -> bool:
    action, said = read_step(step.answer, step.observation)
    return bool(action) and said.startswith(("Could not ", "Wrong item format"))
