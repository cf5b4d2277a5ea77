"""Plan-and-Execute: one plan, each step of which the executor carries out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quintet.messages.execution import Execute
from quintet.messages.message import Request
from quintet.messages.parts import LastAction
from quintet.messages.planning import Decompose, PlanFailed, PlanTree
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.adapt.controller import Controller
from quintet.methods.adapt.hand_on import execute_with_hand_on
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.plan_execute.collapse import collapsed_plan
from quintet.methods.plan_execute.config import PlanExecuteConfig
from quintet.methods.react.demonstrations import demonstrations, planners_skills


class PlanExecute(Method[PlanExecuteConfig]):
    """Plans once, then lets the executor carry out each step as a subtask; a failed step is not planned again.

    Solved if the plan's logic over the steps is true. A world that is done ends the episode with the answer of the
    current step. `reward`, `claimed` and `turns` are as in ADaPT; `depth` is 2 where a step was begun.

    Source: ADaPT, section 4.2 (Plan-and-Execute), figure 6 and appendix B.
    """

    name = "plan_execute"
    version = "1"
    requests = (Decompose, Execute)
    prompt_folders = (Path(__file__).parent / "prompts", *Adapt.prompt_folders)
    worlds = {
        "textcraft": {"levels": 3, "patience": 8, "rollback": False, "hand_on": "inventory"},
        "alfworld": {
            "levels": 2,
            "patience": 5,
            "rollback": True,
            "hand_on": "last_action",
            "demonstrations": "hybrid",
        },
    }

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        if episode.depth > 1:
            return await self._execute(episode)
        plan = await self._plan(episode)
        if isinstance(plan, PlanFailed):
            return episode.conclude(None, reason=plan.reason)
        controller = Controller(episode, rollback=self.config.rollback)
        return await controller.carry_out(plan, episode.session, LastAction(action=""))

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...]:
        return demonstrations(self.config.demonstrations, metadata)

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        if request is not Decompose:
            return super().instructions(request)
        skills = planners_skills(self.config.demonstrations)
        if self.config.plan_form == "collapsed":
            return (*super().instructions(request), *skills)
        return ("decompose.detailed", *(name.replace("decompose.", "decompose.detailed-") for name in skills))

    def budget(self) -> str:
        return f"{self.config.executor_calls} a step"

    async def _plan(self, episode: Episode) -> PlanTree | PlanFailed:
        if self.config.plan_form == "collapsed":
            return await collapsed_plan(episode, self.config.levels)
        decomposed = await episode.ask(Decompose(setting=episode.setting, goal=episode.goal))
        return decomposed if isinstance(decomposed, PlanFailed) else decomposed.plan

    async def _execute(self, episode: Episode) -> Solved | Unsolved:
        return await execute_with_hand_on(
            episode, self.config.hand_on, max_calls=self.config.executor_calls, patience=self.config.patience
        )
