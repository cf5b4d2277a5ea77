"""Reflects on a job in TextCraft, and writes the plan from it.

A reader of the whole job sees what the player lost sight of: that something was fetched again and again while it was
there, or that a command was tried without its ingredients. Both come from not knowing what one holds.

Every level knows how crafting goes, so a plan can only add habits. A revision suggests to look into the inventory.
Where a job failed and no reflection says why, the writer changes one habit at a guess.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from quintet.messages.planning import Lesson
from quintet.models.sim.hindsight import learn_habits
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.player import Player
from quintet.models.sim.textcraft.belief import believe
from quintet.models.sim.textcraft.book import read_needs
from quintet.models.sim.textcraft.task import CraftTask
from quintet.models.sim.transcript import Exchange, Reading

_OFTEN = 2
"""Fetching what is there may happen once, for another use of it; from the second time on it is a flaw."""

LOOK = "Before you get or craft anything, look into the inventory, unless you have just seen it."
LOOKS = re.compile(r"^(?!.*\b(?:not|never|without)\b[^.]*\binventory\b).*\binventory\b", re.MULTILINE | re.IGNORECASE)
"""Finds a line that says to look into the inventory."""

_HABITS = (
    f"{LOOK.removesuffix('.')}: inventory.",
    "Get everything that no command makes before you craft anything.",
    "Get more of every item than the command asks for.",
)
"""What a plan may ask for beside the way things are made, in one sentence each."""


class TextcraftHindsight(Player[CraftTask]):
    """Looks back on jobs, and writes their plan."""

    def summarize(self, steps: Sequence[Exchange]) -> Iterator[str]:
        done = Counter(step.action for step in steps if _carried_out(step))
        return (action if times == 1 else f"{action}, {times} times" for action, times in done.items())

    def find_flaws(self, reading: Reading[CraftTask], plan: str) -> Iterator[str]:
        yield from _in_vain(reading.steps)
        refused = {step.action: step.observation for step in reading.steps if step.action and _refused(step)}
        yield from (f"- {action}: {said}" for action, said in refused.items())

    def suggest(self, reading: Reading[CraftTask], plan: str, skill: Skill) -> Sequence[str]:
        short = any("find enough items" in step.observation for step in reading.steps)
        return [LOOK] if short or any(_in_vain(reading.steps)) else []

    def rewrite_plan(
        self, plan: str, jobs: Sequence[tuple[CraftTask, Lesson]], instructions: str, mind: Mind
    ) -> Sequence[str] | None:
        habits = learn_habits(_HABITS, plan, [lesson for _, lesson in jobs], _has, mind)
        if habits is None:
            return None
        return [
            "Find the crafting command that makes the goal, and those that make its ingredients.",
            *habits,
            "What no command makes: get <count> <item>.",
            "When all its ingredients are there, carry out a command: craft <count> <item> using <count> <ingredient>.",
            "Go on, from the smallest parts to the goal itself.",
        ]


def _has(plan: str, habit: str) -> bool:
    return LOOKS.search(plan) is not None if habit == _HABITS[0] else habit in plan


def _refused(step: Exchange) -> bool:
    return step.observation.startswith(("Could not ", "Wrong item format"))


def _carried_out(step: Exchange) -> bool:
    return bool(step.observation and step.action) and not _refused(step)


def _in_vain(steps: Sequence[Exchange]) -> Iterator[str]:
    """What was fetched although it was there."""
    again = Counter[str]()
    for number, step in enumerate(steps):
        if step.action.startswith("get ") and _carried_out(step):
            carried = believe((), steps[:number]).carried
            needs = read_needs(step.action.removeprefix("get "))
            again[step.action] += all(carried[item] >= count for item, count in needs)
    for action, times in again.items():
        if times >= _OFTEN:
            yield f"- {action}: {times} times although it was in the inventory already."
