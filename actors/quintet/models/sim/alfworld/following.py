"""At which step of a plan one is."""

import re

from quintet.models.sim.alfworld.mind import Mind
from quintet.models.sim.alfworld.task import kind
from quintet.models.sim.plans import steps

_FINDING = r"\b(?:look for|find|search|take|pick up)\b"
_LAYING = r"\b(?:lay|put|place|move)\b"
_LIGHTING = r"lamp\b"


def step_at(plan: str, mind: Mind) -> int | None:
    """The first step that is about what is to be done now; None where the plan has none about it."""
    about = re.compile(_doing(mind), re.IGNORECASE)
    return next((step.number for step in steps(plan) if about.search(step.text)), None)


def _doing(mind: Mind) -> str:
    goal, held = mind.goal, mind.seen.held
    if goal.thing is not None and (held is None or kind(held) != goal.thing):
        return _FINDING
    if goal.treatment is not None and (goal.treatment, held) not in mind.seen.treated:
        return rf"\b{goal.treatment}\b"
    return _LIGHTING if goal.target is None else _LAYING
