"""Plays the paper site with a simulated model, in the prompts that runs use."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from quintet.environments.adapters.plain import as_world
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.react.react import React
from quintet.models.sim.model import Simulated
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Sampling
from quintet.ports.world import WorldState
from quintet.roles.executor import Executor
from quintet.roles.planner import Planner
from quintet.roles.reflector import Reflector
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import Kitchens
from tests.actors.models.sim.advocate import QUESTIONS
from tests.actors.models.sim.answers import take_turns, task_prompt
from tests.actors.models.sim.webarena.paper_site import TASKS, PaperSite, PaperWorld


@cache
def instructions() -> str:
    return find_prompts(React, "webarena").text("execute")


def react(
    model: Simulated, task: str, *, sampling: Sampling | None = None, seen: Callable[[str], str] = str
) -> tuple[list[str], float]:
    """The actions of a ReAct loop, and the reward.

    Args:
        model: who plays.
        task: of the paper site.
        sampling: of every call.
        seen: what becomes of an observation before the model reads it, of the first page too.
    """
    state = PaperSite(TASKS[task])
    prompt = task_prompt(instructions(), seen(state.opening.setting), f"Goal: {state.opening.goal}.")
    actions: list[str] = []
    for action, outcome in take_turns(model, prompt, cast("WorldState", state), 15, sampling or Sampling(), seen):
        actions.append(action)
        if outcome is not None and outcome.done:
            return actions, outcome.reward
    return actions, 0.0


def advocate(model: Simulated, task: str, *, blank: bool = False, **options: Any) -> Solved | Unsolved:
    """An episode of Devil's Advocate with these options."""
    prompts = find_prompts(DevilsAdvocate, "webarena")
    texts = {question: prompts.text(question) for question in QUESTIONS}
    asked = RoleModel(model, Sampling(temperature=0.0))
    roles = _Roles(model, world=as_world(PaperWorld(task, blank=blank)))
    roles.use(executor=Executor(asked, roles, texts), planner=Planner(asked, texts), reflector=Reflector(asked, texts))
    return roles.solve(DevilsAdvocate(DevilsAdvocateConfig(**options)), shown=())


class _Roles(Kitchens):
    def use(self, **actors: Any) -> None:
        self._actors |= actors
