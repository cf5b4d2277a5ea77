"""What a player goes by when it decides: its task, its picture of the household, its beliefs and its skill."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from quintet.models.sim.alfworld.beliefs import Beliefs, beliefs
from quintet.models.sim.alfworld.goal import Goal
from quintet.models.sim.alfworld.misreading import misread
from quintet.models.sim.alfworld.picture import Picture, picture
from quintet.models.sim.alfworld.task import Reading, Task
from quintet.models.sim.chance import Chance
from quintet.models.sim.misreading import Misreading
from quintet.models.sim.skills import Skill

_PUT_IN = re.compile(r"\bput (?:[a-z]+ \d+|<\w+>) in/on\b", re.IGNORECASE)
_MOVE_TO = re.compile(r"\bmove (?:[a-z]+ \d+|<\w+>) to\b", re.IGNORECASE)


class Move(NamedTuple):
    """What is done next, and why."""

    thought: str
    action: str


@dataclass(frozen=True)
class Mind:
    """All of it at one moment."""

    task: Task
    seen: Picture
    believed: Beliefs
    skill: Skill
    chance: Chance
    misreading: Misreading
    puts: bool
    """Objects are laid down by `put a in/on b`; otherwise by `move a to b`."""

    @property
    def goal(self) -> Goal:
        return self.task.goal

    def refused(self, action: str) -> bool:
        return action in self.seen.refused

    def put(self, thing: str, place: str) -> str:
        """The action that lays a thing down."""
        return f"put {thing} in/on {place}" if self.puts else f"move {thing} to {place}"

    def go(self, place: str, why: str) -> Move:
        """On the way to a place; one where one is already cannot be gone to."""
        if self.refused(f"go to {place}"):
            return Move(f"I may be at the {place} already.", f"examine {place}")
        return Move(why, f"go to {place}")


def mind(reading: Reading, skill: Skill, chance: Chance, misreading: Misreading) -> Mind:
    """What a reader of that skill makes of a prompt."""
    steps = reading.steps if skill.window is None else reading.steps[-skill.window :]
    said = (*reading.texts, *(step.observation for step in steps))
    return Mind(
        task=reading.task,
        seen=picture(reading.task.last_action, steps),
        believed=misread(beliefs(said, misled=skill.misled), reading.task, misreading),
        skill=skill,
        chance=chance,
        misreading=misreading,
        puts=_count(_PUT_IN, reading.texts) > _count(_MOVE_TO, reading.texts),
    )


def _count(form: re.Pattern[str], texts: Iterable[str]) -> int:
    return sum(len(form.findall(text)) for text in texts)
