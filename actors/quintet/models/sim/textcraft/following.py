"""What a plan says to do before anything else, and at which of its steps one is."""

import re

from quintet.models.sim.plans import steps

_LOOK = re.compile(r"^(?!.*\b(?:not|never|without)\b[^.]*\binventory\b).*\binventory\b", re.MULTILINE | re.IGNORECASE)
_ABOUT = {
    "inventory": _LOOK,
    "get": re.compile(r"^(?!.*\binventory\b).*\b(?:get|fetch)\b", re.IGNORECASE),
    "craft": re.compile(r"^(?!.*\binventory\b).*\bcraft\b", re.IGNORECASE),
}
"""A step that is about the inventory may name what it comes before."""


def looks_first(plan: str) -> bool:
    """Whether a plan says to look into the inventory."""
    return _LOOK.search(plan) is not None


def step_at(plan: str, action: str) -> int | None:
    """The first step that is about such an action; None where the plan has none."""
    about = _ABOUT.get(action.partition(" ")[0])
    return next((step.number for step in steps(plan) if about and about.search(step.text)), None)
