"""Which worked examples the executor is shown before a task, where an environment has several sets of them."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

Demonstrated: TypeAlias = Literal["none", "atomic", "hybrid", "task"]
"""`none`: no example at all. `atomic`: of single skills. `hybrid`: of single skills, and two whole tasks. `task`: two
whole tasks of the task's own type."""

_SKILLS = "skills"
_ALWAYS = ("heat-1", "look-1")


def demonstrations(kind: Demonstrated | None, facts: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the prompts to show.

    Args:
        kind: the set; None: the only one that the environment has.
        facts: what the environment tells of the task, by which `task` goes.

    Source: ADaPT, appendix A (`hybrid`), figure 5 (`atomic`), appendix C (`task`). AutoPlan's 0 shots are `none`.
    """
    match kind:
        case None:
            return ("demonstrations",)
        case "none":
            return ()
        case "atomic":
            return (_SKILLS,)
        case "hybrid":
            return (_SKILLS, *_ALWAYS)
        case "task":
            kin = facts.get("task type", "").replace(" ", "-")
            return (f"{kin}-1", f"{kin}-2")
