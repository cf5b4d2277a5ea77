"""Writing the plan for jobs in TextCraft anew, from the plan so far and what jobs taught.

A plan tells how crafting goes, which every level knows; what it can tell beyond that are habits. To look into the
inventory is one that revisions suggest. Where jobs failed and nobody says why, a writer changes one habit at a guess.
"""

from collections.abc import Sequence

from quintet.models.sim.chance import Chance
from quintet.models.sim.hindsight import Lessons
from quintet.models.sim.textcraft.following import looks_first
from quintet.models.sim.textcraft.reflecting import LOOK
from quintet.models.sim.textcraft.task import posed

_HABITS = (
    f"{LOOK.removesuffix('.')}: inventory.",
    "Get everything that no command makes before you craft anything.",
    "Get more of every item than the command asks for.",
)
"""What a plan may ask for beside the way things are made, in one sentence each."""


def revised(lessons: Lessons, chance: Chance) -> str | None:
    """The new plan; None where no lesson is about TextCraft."""
    jobs = [lesson for lesson in lessons.jobs if posed(lesson.opening) is not None]
    if not jobs:
        return None
    before = [habit for habit in _HABITS if _has(lessons.plan, habit)]
    after = [habit for habit in _HABITS if habit in before or _is_suggested(habit, [job.revision for job in jobs])]
    if any(job.unexplained for job in jobs):
        guessed = chance.guess(_HABITS)
        after = [habit for habit in _HABITS if (habit in after) != (habit == guessed)]
    if lessons.plan and after == before:
        return lessons.plan
    lines = [
        "Find the crafting command that makes the goal, and those that make its ingredients.",
        *after,
        "What no command makes: get <count> <item>.",
        "When all its ingredients are there, carry out a command: craft <count> <item> using <count> <ingredient>.",
        "Go on, from the smallest parts to the goal itself.",
    ]
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _has(plan: str, habit: str) -> bool:
    return looks_first(plan) if habit == _HABITS[0] else habit in plan


def _is_suggested(habit: str, revisions: Sequence[str]) -> bool:
    return any(_has(revision, habit) for revision in revisions)
