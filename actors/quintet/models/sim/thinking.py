"""A thought that is spoken before its action is asked for, so that the action can follow from it."""

import re

_NEXT = re.compile(r"\bnext: (.+?)\.?\s*\Z", re.IGNORECASE)


def aloud(at: int | None, thought: str, action: str) -> str:
    """A thought that says at which step of the plan one is, if at any, and what comes next."""
    where = "" if at is None else f"I am at step {at} of the plan. "
    return f"Thought: {where}{thought} Next: {action}."


def decided(thought: str) -> str | None:
    """The action that a thought ends with; None where it leaves it open."""
    found = _NEXT.search(thought)
    return None if found is None else found[1]
