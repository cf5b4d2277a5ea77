"""Looking back on a job in a household: what was done, what was wrong, and what to do instead.

A summary tells what was carried out, and nothing of why the rest was not. Flaws come from what the household answered:
what it refused, and the reason it gave. A thing that was not found is no flaw. A revision goes as far as the job tells:
what was seen to work, else what has not failed yet; and what was not carried when it had to be.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from quintet.models.sim.alfworld.beliefs import MISTAKEN, beliefs, told_by
from quintet.models.sim.alfworld.goal import Goal, Treatment, treatment
from quintet.models.sim.alfworld.task import Reading, Step, kind
from quintet.models.sim.plans import steps

_REFUSED = re.compile(r"nothing happens\.?", re.IGNORECASE)
_TREATING = re.compile(r"(heat|cool|clean) [a-z]+ \d{1,9} with ([a-z]+ \d{1,9})")
_LAYING = re.compile(r"(?:move|put) [a-z]+ \d{1,9} (?:to|in/on) ([a-z]+ \d{1,9})")
_DONE = re.compile(r"\byou (heat|cool|clean) the [a-z]+ \d{1,9} using the ([a-z]+) \d{1,9}\.", re.IGNORECASE)
_MOST_FLAWS = 8

NO_FLAW = "There is no flaw in plan or actions."
NO_CHANGE = "Nothing in the plan has to change."


def summary(reading: Reading, *, succeeded: bool) -> str:
    """What was carried out, in steps, and how it came out."""
    done = [step for step in reading.steps if step.observation and not _REFUSED.search(step.observation)]
    lines = [line for going, group in groupby(done, _goes) for line in _told(list(group), going=going)]
    lines.append("The goal was reached." if succeeded else "The goal was not reached.")
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _goes(step: Step) -> bool:
    return step.action.startswith("go to ")


def _told(group: list[Step], *, going: bool) -> Iterator[str]:
    if going:
        yield "go to " + ", then ".join(step.action.removeprefix("go to ") for step in group)
        return
    for step in group:
        yield f"{step.action} while holding it" if _DONE.search(step.observation) else step.action


def flaws(reading: Reading, plan: str) -> str:
    """What was refused and why, the treatment of the object first."""
    refused = {step.action: cause for step in reading.steps if (cause := _cause(step)) is not None}
    lines = [f"- {_step_of(plan, action)}{action}: {cause}" for action, cause in refused.items()]
    lines.sort(key=lambda line: _TREATING.search(line) is None)
    if lines:
        return "\n".join(lines[:_MOST_FLAWS])
    thing = reading.task.goal.thing
    if any(step.action.startswith(f"take {thing} ") for step in reading.steps) or not reading.steps:
        return NO_FLAW
    return f"{NO_FLAW} No {thing} was found, which is nobody's fault."


def _cause(step: Step) -> str | None:
    """Why an action was refused, as the household said; None where it was not."""
    found = _REFUSED.match(step.observation)
    if found is None or not step.action:
        return None
    return step.observation[found.end() :].strip() or "nothing happened, and no reason was given."


def _step_of(plan: str, action: str) -> str:
    """The step of the plan that an action followed, if it is one that treats the object."""
    if (found := _TREATING.fullmatch(action)) is None:
        return ""
    claim = (treatment(found[1]), kind(found[2]))
    number = next((step.number for step in steps(plan) if claim in told_by([step.text]).works), None)
    return "" if number is None else f"step {number} of the plan, "


def revision(reading: Reading, plan: str, *, misled: bool) -> str:
    """What to do in place of what was wrong, as far as it follows."""
    how = reading.task.goal.treatment
    if how is None:
        return NO_CHANGE
    return "\n".join(_instead(reading, plan, how, misled=misled)) or NO_CHANGE


def _instead(reading: Reading, plan: str, how: Treatment, *, misled: bool) -> Iterator[str]:
    refused = [(step.action, cause) for step in reading.steps if (cause := _cause(step)) is not None]
    treating = [(kind(found[2]), cause) for action, cause in refused if (found := _TREATING.fullmatch(action))]
    laying = [each for action, cause in refused if (each := _too_small(action, cause, how, reading.task.goal))]
    worked = next((found[2].lower() for step in reading.steps if (found := _DONE.search(step.observation))), None)
    if worked is not None and (treating or laying):
        yield f"{how.capitalize()} the object with the {worked} while you hold it: this was seen to work."
        return
    told = told_by(cause for _, cause in treating)
    failed = dict.fromkeys((*laying, *(each for each, _ in treating if (how, each) in told.fails)))
    believed = beliefs((plan, *(cause for _, cause in treating)), misled=misled).appliances[how]
    left = [each for each in believed if each not in failed]
    best = next((each for each in left if each in reading.task.kinds()), left[0] if left else None)
    if failed and best:
        yield f"{how.capitalize()} the object with the {best}."
        yield from (f"A {each} cannot be used for {how}ing." for each in failed)
    held = next((each for each, cause in treating if how in told_by([cause]).in_hand and each not in failed), None)
    if held is not None:
        yield f"Keep the object in your hand while you {how} it with the {held}."
    elif how in told.in_hand or (laying and not best):
        yield f"Keep the object in your hand while you {how} it."


def _too_small(action: str, cause: str, how: Treatment, goal: Goal) -> str | None:
    """The kind of appliance that an object did not fit into when it was to be treated there."""
    found = _LAYING.fullmatch(action)
    if found is None or "does not fit" not in cause or (goal.target is not None and goal.target.covers(found[1])):
        return None
    return kind(found[1]) if kind(found[1]) in MISTAKEN[how] else None
