"""Plays WebShop with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quintet.environments.webshop.state import WebShopState
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import action_in, said

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
        prompt = Prompt(system(self.shown), user(self._task(goal, handed)))
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
        return said(model, Prompt(system(PLANNER), user(self._task(goal, handed))), self.sampling)

    def _task(self, goal: str, handed: str) -> str:
        parts = (self.state.opening.setting, handed, f"Goal: {goal or self.state.opening.goal}.")
        return "\n\n".join(part for part in parts if part)
