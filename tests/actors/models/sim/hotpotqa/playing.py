"""Plays HotpotQA with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from quintet.environments.hotpotqa.wording import WordingName
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.messages.environment import Task
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import said, take_turns, task_prompt

INSTRUCTIONS = find_prompts(React, "hotpotqa").text("execute")
PLANNER = find_prompts(Adapt, "hotpotqa").text("decompose")
BARE = "You answer questions.\n\nThought: one thought\nAction: search[<name>], lookup[<words>] or finish[<answer>]"
"""No word about what a page is found by, or how long an answer is."""


@cache
def world(wording: WordingName = "react") -> HotpotQa:
    return HotpotQa(wording=wording)


@dataclass
class Game:
    """A question that is being worked on."""

    task: str
    shown: str = INSTRUCTIONS
    """What the model reads before the question."""
    sampling: Sampling = field(default_factory=Sampling)
    seen: Callable[[str], str] = str
    """What becomes of an observation before the model reads it."""
    world: HotpotQa = field(default_factory=world)

    def __post_init__(self) -> None:
        self.state = self.world.open(Task(name=self.task, seed=0))
        self.reward = 0.0
        self.last = ""

    @property
    def solved(self) -> bool:
        return self.reward >= 1

    def play(self, model: Simulated, goal: str = "", *, stated: bool = False, calls: int = 12) -> list[str]:
        """The actions taken towards a goal, the claim at their end included.

        Args:
            model: who plays.
            goal: the question if empty.
            stated: whether the last action is stated with the goal.
            calls: how many the model has.
        """
        last = f"The last action that was carried out: {self.last}" if stated and self.last else ""
        aim = f"Goal: {goal or self.state.opening.goal}."
        prompt = task_prompt(self.shown, self.state.opening.setting, last, aim)
        actions: list[str] = []
        for action, outcome in take_turns(model, prompt, self.state, calls, self.sampling, self.seen):
            actions.append(action)
            if outcome is None:
                break
            self.reward = outcome.reward
            if not outcome.rejected:
                self.last = f"{action}\nIt was answered: {outcome.observation}"
            if outcome.done:
                break
        return actions

    def plan(self, model: Simulated, goal: str = "", shown: str = PLANNER) -> str:
        """The model's plan for a goal, the question if empty."""
        prompt = task_prompt(shown, self.state.opening.setting, f"Goal: {goal or self.state.opening.goal}.")
        return said(model, prompt, self.sampling)


def tasks(split: str = "dev", most: int = 1000) -> list[str]:
    return list(world().tasks(split))[:most]


def question_of(name: str) -> str:
    """The words of a question."""
    return world().open(Task(name=name, seed=0)).opening.goal
