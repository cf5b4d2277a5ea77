"""Plays TextCraft with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import said, take_turns, task_prompt

_PROMPTS = Prompts(React.prompt_folders, "textcraft")
_EXECUTOR = _PROMPTS.text("execute") + "\n\n" + _PROMPTS.text("demonstrations")
_PLANNER = Prompts(Adapt.prompt_folders, "textcraft").text("decompose")
_WORLD = TextCraft()


@dataclass
class Game:
    """A task that is being played."""

    item: str
    sampling: Sampling = field(default_factory=Sampling)
    seen: Callable[[str], str] = str
    """What becomes of an observation, or of a stated inventory, before the model reads it."""

    def __post_init__(self) -> None:
        self.state = _WORLD.open(Task(name=self.item, seed=0))
        self.solved = False

    def play(self, model: Simulated, goal: str = "", *, stated: bool = False, calls: int = 40) -> list[str]:
        """The actions taken towards a goal, the claim at their end included.

        Args:
            model: who plays.
            goal: the task's own if empty.
            stated: whether the inventory is stated with the goal.
            calls: how many the model has.
        """
        inventory = self.seen(self.state.step("inventory").observation).strip() if stated else ""
        aim = f"Goal: {goal or self.state.opening.goal}."
        prompt = task_prompt(_EXECUTOR, self.state.opening.setting, inventory, aim)
        actions: list[str] = []
        for action, outcome in take_turns(model, prompt, self.state, calls, self.sampling, self.seen):
            actions.append(action)
            if outcome is not None:
                self.solved |= outcome.reward >= 1
        return actions

    def plan(self, model: Simulated, goal: str = "") -> str:
        """The model's plan for a goal, the task's own if empty."""
        prompt = task_prompt(_PLANNER, self.state.opening.setting, f"Goal: {goal or self.state.opening.goal}.")
        return said(model, prompt, self.sampling)


def goals(depth: int) -> list[str]:
    """The test goals of one recipe depth."""
    return [task for task in _WORLD.tasks("test") if _WORLD.metadata(task)["recipe depth"] == str(depth)]
