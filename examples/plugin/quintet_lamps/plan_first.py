"""Plan first: the planner is asked once, and the executor pursues step after step in one session."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from quintet.author import Description, Episode, Execute, MakePlan, Method, Solved, Unanswered, Unsolved


class PlanFirstConfig(BaseModel):
    """What can be set, with `--set method.calls_per_step=4`."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    calls_per_step: int = Field(default=10, ge=1)
    """Budget of model calls of every step."""

    patience: int = Field(default=3, ge=1)
    """Rejected or unreadable actions in a row after which a step is given up."""


class PlanFirst(Method[PlanFirstConfig]):
    """Carries out the plan; the first step that fails, or the end of the world, ends it."""

    name = "plan-first"
    version = "1"
    requests = (MakePlan, Execute)
    prompt_folders = (Path(__file__).parent / "prompts",)
    worlds = {"lamps": {"calls_per_step": 4}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        # All that happens here follows from answers and from `episode`, so a crash at any moment resumes: no clock, no
        # random numbers but `episode.random()`, no state of its own.
        planned = await episode.ask(MakePlan(setting=episode.setting, goal=episode.goal))
        if isinstance(planned, Unanswered):
            return Unsolved(session=episode.session, reward=0.0, done=False, reason=planned.reason)
        first, *rest = planned.steps
        answer = await self._pursue(episode, first.text)
        for step in rest:
            if isinstance(answer, Unsolved) or answer.done:
                return answer
            answer = await self._pursue(episode, step.text)
        return answer

    def describe(self) -> Description:
        return Description(budget=f"1 + steps x {self.config.calls_per_step}")

    async def _pursue(self, episode: Episode, goal: str) -> Solved | Unsolved:
        calls, patience = self.config.calls_per_step, self.config.patience
        return await episode.execute(goal=goal, max_calls=calls, patience=patience)
