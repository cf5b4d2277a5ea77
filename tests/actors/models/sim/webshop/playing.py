"""Plays WebShop with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quintet.environments.webshop.state import WebShopState
from quintet.messages.prompts import Prompt
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import said, take_turns, task_prompt

_EXECUTOR = find_prompts(React, "webshop")
INSTRUCTIONS = _EXECUTOR.text("execute")
EXAMPLES = _EXECUTOR.text("demonstrations")
PLANNER = find_prompts(Adapt, "webshop").text("decompose")
BARE = "Thought: why\nAction: one action"
"""Says nothing of shopping."""


@dataclass
class Game:
    """A task that is being played."""

    state: WebShopState
    shown: str = f"{INSTRUCTIONS}\n\n{EXAMPLES}"
    """What the model reads before the task."""
    sampling: Sampling = field(default_factory=Sampling)
    seen: Callable[[str], str] = str
    """What becomes of an observation before the model reads it."""
    reward: float = 0.0
    done: bool = False

    def play(self, model: Simulated, goal: str = "", *, handed: str = "", calls: int = 15) -> list[str]:
        """The actions taken towards a goal, the claim at their end included.

        Args:
            model: who plays.
            goal: the task's own if empty.
            handed: what stands between the setting and the goal.
            calls: how many the model has.
        """
        prompt = self._prompt(self.shown, goal, handed)
        actions: list[str] = []
        left = 0 if self.done else calls
        for action, outcome in take_turns(model, prompt, self.state, left, self.sampling, self.seen):
            actions.append(action)
            if outcome is not None:
                self.reward, self.done = outcome.reward, outcome.done
            if self.done:
                break
        return actions

    def plan(self, model: Simulated, goal: str = "", *, handed: str = "") -> str:
        """The model's plan for a goal, the task's own if empty."""
        return said(model, self._prompt(PLANNER, goal, handed), self.sampling)

    def _prompt(self, shown: str, goal: str, handed: str) -> Prompt:
        aim = f"Goal: {goal or self.state.opening.goal}."
        return task_prompt(shown, self.state.opening.setting, handed, aim)
