"""Plan first: the planner is asked once, and the executor pursues step after step in one session."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from quintet.messages.execution import Execute
from quintet.messages.planning import MakePlan, PlanFailed
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import verdict


class PlanFirstConfig(BaseModel):
    """What can be set, with `--set method.calls_per_step=4`."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    calls_per_step: int = Field(default=10, ge=1)
    """Budget of model calls of every step."""

    patience: int = Field(default=3, ge=1)
    """Rejected or unreadable actions in a row after which a step is given up."""


async def solve(episode: Episode[PlanFirstConfig]) -> Solved | Unsolved:
    """Carry out the plan; the first step that fails, or the end of the world, ends it.

    Whatever it does follows from answers that it awaited, so a crash at any moment resumes: it has no clock, no random
    numbers but `episode.random()`, and no state of its own.
    """
    planned = await episode.planner.ask(MakePlan(setting=episode.setting, goal=episode.goal))
    if isinstance(planned, PlanFailed):
        return Unsolved(session=episode.session, reward=0.0, done=False, reason=planned.reason)
    first, *rest = planned.steps
    answer = await _pursue(episode, first.text)
    for step in rest:
        if isinstance(answer, Unsolved) or answer.done:
            return answer
        answer = await _pursue(episode, step.text)
    return answer


async def _pursue(episode: Episode[PlanFirstConfig], goal: str) -> Solved | Unsolved:
    executed = await episode.executor.ask(
        Execute(
            session=episode.session,
            setting=episode.setting,
            goal=goal,
            parts=episode.parts,
            max_calls=episode.config.calls_per_step,
            patience=episode.config.patience,
        )
    )
    return verdict(executed, session=episode.session, depth=episode.depth)


def budget(config: PlanFirstConfig) -> str:
    return f"1 + steps x {config.calls_per_step}"


PLAN_FIRST = Method(
    name="plan-first",
    version="1",
    config=PlanFirstConfig,
    solve=solve,
    budget=budget,
    roles=("planner", "executor"),
    prompt_folders=(Path(__file__).parent / "prompts",),
    worlds={"lamps": {"calls_per_step": 4}},
)
