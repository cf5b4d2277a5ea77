"""Plan-and-Execute: one plan, each step of which is attempted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from quintet.messages.environment import Session
from quintet.messages.message import Request, Unanswered
from quintet.messages.parts import LastAction
from quintet.messages.planning import AllOf, AnyOf, Decompose, PlanStep, PlanTree
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.adapt.controller import Controller, HandedOn
from quintet.methods.adapt.hand_on import attempt_with_hand_on
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method, skills_of
from quintet.methods.plan_execute.config import PlanExecuteConfig


class PlanExecute(Method[PlanExecuteConfig]):
    """Plans once, then lets its inner method attempt each step as a subtask; a failed step is not planned again.

    Solved if the plan's logic over the steps is true. A world that is done ends the episode with the answer of the
    current step. `reward`, `claimed` and `turns` are as in ADaPT; `depth` is 2 where a step was begun.

    Source: ADaPT, section 4.2 (Plan-and-Execute), figure 6 and appendix B.
    """

    name = "plan_execute"
    version = "5"
    requests = (Decompose,)
    prompt_folders = (Path(__file__).parent / "prompts", *Adapt.prompt_folders)
    worlds = {
        "textcraft": {"levels": 3, "rollback": False, "hand_on": "inventory", "inner": {"max_steps": 20}},
        "alfworld": {"levels": 2, "rollback": True, "hand_on": "last_action", "inner": {"max_steps": 20}},
        "hotpotqa": {
            "levels": 2,
            "rollback": True,
            "hand_on": "last_action",
            "inner": {"max_steps": 7, "demonstrations": "atomic"},
        },
        "webshop": {
            "levels": 2,
            "rollback": True,
            "hand_on": "page",
            "inner": {"max_steps": 15, "demonstrations": "atomic"},
        },
        "webarena": {"levels": 2, "rollback": True, "hand_on": "last_action", "inner": {"max_steps": 10}},
    }
    environments = Adapt.environments
    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        plan = await self._plan(episode)
        if isinstance(plan, Unanswered):
            return episode.conclude(None, reason=plan.reason)

        async def attempt(goal: str, session: Session, handed: HandedOn) -> Solved | Unsolved:
            step = replace(
                episode,
                goal=goal,
                session=session,
                subgoal=True,
                depth=2,
                last_action=handed.last.action,
                last_observation=handed.last.observation,
            )
            return await attempt_with_hand_on(step, self.config.hand_on)

        controller = Controller(episode, attempt, rollback=self.config.rollback)
        return await controller.carry_out(plan, episode.session, HandedOn(last=LastAction(action="")))

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        if request is not Decompose:
            return super().instructions(request)
        if self.config.plan_form == "collapsed":
            return (*super().instructions(request), f"decompose.{skills_of(self)}")
        return ("decompose.detailed", f"decompose.detailed-{skills_of(self)}")

    def needs_forks(self) -> bool:
        return self.config.rollback

    def describe(self) -> Description:
        each = "" if self.inner is None else self.inner.describe().budget
        return Description(budget=f"{each} a step" if each else "")

    async def _plan(self, episode: Episode) -> PlanTree | Unanswered:
        if self.config.plan_form == "collapsed":
            return await _collapsed_plan(episode, self.config.levels)
        decomposed = await episode.ask(Decompose(setting=episode.setting, goal=episode.goal))
        return decomposed if isinstance(decomposed, Unanswered) else decomposed.plan


async def _collapsed_plan(episode: Episode, levels: int) -> PlanTree | Unanswered:
    """Ask for a plan of the episode's goal, then for one of each step.

    A step stays as it is if the planner has no plan for it, or one that has the same step again.

    Source: ADaPT, figure 6 and appendix B: a detailed plan simulates several levels of planning without adapting to the
    executor. Differs: there the planner writes that plan itself, which is `plan_form = "detailed"`.
    """
    decomposed = await episode.ask(Decompose(setting=episode.setting, goal=episode.goal))
    if isinstance(decomposed, Unanswered):
        return decomposed
    return await _refined(episode, decomposed.plan, levels - 1)


async def _refined(episode: Episode, plan: PlanTree, levels: int) -> PlanTree:
    if levels == 0:
        return plan
    match plan:
        case PlanStep(text=goal):
            decomposed = await episode.ask(Decompose(setting=episode.setting, goal=goal))
            if isinstance(decomposed, Unanswered) or goal in _goals(decomposed.plan):
                return plan
            return await _refined(episode, decomposed.plan, levels - 1)
        case AllOf(parts=parts):
            return AllOf(parts=tuple([await _refined(episode, part, levels) for part in parts]))
        case AnyOf(parts=parts):
            return AnyOf(parts=tuple([await _refined(episode, part, levels) for part in parts]))


def _goals(plan: PlanTree) -> Iterator[str]:
    if isinstance(plan, PlanStep):
        yield plan.text
        return
    for part in plan.parts:
        yield from _goals(part)
