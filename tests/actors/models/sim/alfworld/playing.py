"""Plays ALFWorld with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from quintet.environments.alfworld.world import AlfWorld
from quintet.messages.environment import Task
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import said, take_turns, task_prompt

PROMPTS = Prompts(React.prompt_folders, "alfworld")
INSTRUCTIONS = PROMPTS.text("execute")
SKILLS = PROMPTS.text("skills")
_PLANNER = Prompts(Adapt.prompt_folders, "alfworld")
PLANNER = f"{_PLANNER.text('decompose')}\n\n{_PLANNER.text('decompose.skills')}"


@cache
def world(dialect: str = "new", *, causes: bool = False) -> AlfWorld:
    return AlfWorld(dialect="classic" if dialect == "classic" else "new", causes=causes)


@dataclass
class Game:
    """A task that is being played."""

    task: str
    shown: str = f"{INSTRUCTIONS}\n\n{SKILLS}"
    """What the model reads before the task."""
    sampling: Sampling = field(default_factory=Sampling)
    seen: Callable[[str], str] = str
    """What becomes of an observation before the model reads it."""
    world: AlfWorld = field(default_factory=world)

    def __post_init__(self) -> None:
        self.state = self.world.open(Task(name=self.task, seed=0))
        self.reward = 0.0
        self.last = ""

    @property
    def solved(self) -> bool:
        return self.reward >= 1

    def play(self, model: Simulated, goal: str = "", *, stated: bool = False, calls: int = 60) -> list[str]:
        """The actions taken towards a goal, the claim at their end included.

        Args:
            model: who plays.
            goal: the task's own if empty.
            stated: whether the last action is stated with the goal.
            calls: how many the model has.
        """
        last = f"The last action that was carried out: {self.last}" if stated and self.last else ""
        aim = f"Goal: {goal or self.state.opening.goal}."
        prompt = task_prompt(self.world.worded(self.shown), self.state.opening.setting, last, aim)
        actions: list[str] = []
        for action, outcome in take_turns(model, prompt, self.state, calls, self.sampling, self.seen):
            actions.append(action)
            if outcome is not None:
                self.reward = outcome.reward
                self.last = self.last if outcome.rejected else action
        return actions

    def plan(self, model: Simulated, goal: str = "", shown: str = PLANNER) -> str:
        """The model's plan for a goal, the task's own if empty."""
        prompt = task_prompt(shown, self.state.opening.setting, f"Goal: {goal or self.state.opening.goal}.")
        return said(model, prompt, self.sampling)


def tasks(kind: str, most: int = 100, split: str = "valid_unseen") -> list[str]:
    """The first tasks of a type."""
    return [task for task in world().tasks(split) if world().metadata(task)["task type"] == kind][:most]
