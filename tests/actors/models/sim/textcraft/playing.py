"""Plays TextCraft with a simulated model, in the prompts that runs use but without the rest of a run."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import action_in, said

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
        parts = (self.state.opening.setting, inventory, f"Goal: {goal or self.state.opening.goal}.")
        prompt = Prompt(system(_EXECUTOR), user("\n\n".join(part for part in parts if part)))
        actions: list[str] = []
        for _ in range(calls):
            text = said(model, prompt, self.sampling)
            actions.append(action_in(text))
            if actions[-1].startswith("task"):
                break
            outcome = self.state.step(actions[-1])
            self.solved |= outcome.reward >= 1
            prompt = prompt.extend(assistant(text), user(self.seen(outcome.observation)))
        return actions

    def plan(self, model: Simulated, goal: str = "") -> str:
        """The model's plan for a goal, the task's own if empty."""
        task = f"{self.state.opening.setting}\n\nGoal: {goal or self.state.opening.goal}."
        return said(model, Prompt(system(_PLANNER), user(task)), self.sampling)


def goals(depth: int) -> list[str]:
    """The test goals of one recipe depth."""
    return [task for task in _WORLD.tasks("test") if _WORLD.metadata(task)["recipe depth"] == str(depth)]
