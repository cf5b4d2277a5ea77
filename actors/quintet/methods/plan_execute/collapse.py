"""Collapses several levels of short plans into one plan, before any step is executed.

Source: ADaPT, figure 6 and appendix B: a detailed plan simulates several levels of planning without adapting to the
executor. Differs: there the planner writes that plan itself, which is `plan_form = "detailed"`.
"""

from collections.abc import Iterator

from quintet.messages.message import Unanswered
from quintet.messages.planning import AllOf, AnyOf, Decompose, PlanStep, PlanTree
from quintet.methods.base.episode import Episode


async def collapsed_plan(episode: Episode, levels: int) -> PlanTree | Unanswered:
    """Ask for a plan of the episode's goal, then for one of each step.

    A step stays as it is if the planner has no plan for it, or one that has the same step again.

    Args:
        episode: its planner is asked about one goal after the other.
        levels: of plans, at least 1.
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
