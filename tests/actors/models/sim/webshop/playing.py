"""Plays WebShop with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from quintet.environments.webshop.world import WebShop
from quintet.messages.environment import Task
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import action_in, said

INSTRUCTIONS = find_prompts(React, "webshop").text("execute")
PLANNER = find_prompts(Adapt, "webshop").text("decompose")


@cache
def world() -> WebShop:
    return WebShop()


@dataclass
class Game:
    """A task that is being played."""

    task: str
    shown: str = INSTRUCTIONS
    """What the model reads before the task."""
    sampling: Sampling = field(default_factory=Sampling)
    seen: Callable[[str], str] = str
    """What becomes of an observation before the model reads it."""
    world: WebShop = field(default_factory=world)

    def __post_init__(self) -> None:
        self.state = self.world.open(Task(name=self.task, seed=0))
        self.reward = 0.0
        self.done = False

    def play(self, model: Simulated, goal: str = "", *, handed: str = "", calls: int = 15) -> list[str]:
        """The actions taken towards a goal, the claim at their end included.

        Args:
            model: who plays.
            goal: the task's own if empty.
            handed: what stands between the setting and the goal.
            calls: how many the model has.
        """
        parts = (self.state.opening.setting, handed, f"Goal: {goal or self.state.opening.goal}.")
        prompt = Prompt(system(self.shown), user("\n\n".join(part for part in parts if part)))
        actions: list[str] = []
        while len(actions) < calls and not self.done:
            text = said(model, prompt, self.sampling)
            actions.append(action_in(text))
            if actions[-1].startswith("task"):
                break
            outcome = self.state.step(actions[-1])
            self.reward, self.done = outcome.reward, outcome.done
            prompt = prompt.extend(assistant(text), user(self.seen(outcome.observation)))
        return actions

    def plan(self, model: Simulated, goal: str = "", *, handed: str = "") -> str:
        """The model's plan for a goal, the task's own if empty."""
        parts = (self.state.opening.setting, handed, f"Goal: {goal or self.state.opening.goal}.")
        return said(model, Prompt(system(PLANNER), user("\n\n".join(part for part in parts if part))), self.sampling)
