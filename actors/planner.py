"""The planner role: asks a model for the steps to a goal, or to rewrite a plan for all tasks of a kind."""

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from actors.free_text import read_task_plan
from actors.plan_text import read_decomposition, read_plan
from protocols.ingredients import LONGEST_PLAN
from protocols.models import Completion, Model, Sampling
from protocols.planning import (
    Decompose,
    Decomposed,
    Lesson,
    MakePlan,
    PlanFailed,
    PlanMade,
    PlannerRequest,
    PlanRevised,
    RevisePlan,
)
from protocols.prompts import Prompt, system, user


class Planner:
    """Plans with one model call per request. Keeps nothing between requests; `deploy/` decides where it runs.

    Args:
        model: who plans; it may be another one than the executor's.
        instructions: what plans look like, with worked examples; every prompt begins with it.
        sampling: how completions are drawn.
        update: asks for a plan rewritten, below the plan so far and what jobs taught; empty where nobody will ask.

    Source: ADaPT, section 3.2; AutoPlan, section 3.2.3, equation 9. Differs: the planner is told how each job ended, as
    by AutoPlan's released code.
    """

    def __init__(self, model: Model, *, instructions: str, sampling: Sampling, update: str = "") -> None:
        self._model = model
        self._instructions = instructions
        self._sampling = sampling
        self._update = update

    async def receive(self, request: PlannerRequest) -> PlanMade | Decomposed | PlanRevised | PlanFailed:
        match request:
            case MakePlan():
                return read_plan(await self._steps(request))
            case Decompose():
                return read_decomposition(await self._steps(request))
            case RevisePlan():
                return await self._revise(request)
            case _:
                assert_never(request)

    async def _steps(self, request: MakePlan | Decompose) -> str:
        goal = f"Goal: {request.goal}."
        task = f"{request.setting}\n\n{goal}" if request.setting else goal
        completion = await self._complete(task, replace(self._sampling, form="plan"))
        return completion.text

    async def _revise(self, request: RevisePlan) -> PlanRevised | PlanFailed:
        jobs = (part for number, lesson in enumerate(request.lessons, 1) for part in _job(number, lesson))
        parts = ["Current plan:", request.plan or "(none yet)", *jobs, self._update]
        asked = "\n\n".join(part for part in parts if part)
        sampling = replace(self._sampling.varied(request.drawn), form="task_plan")
        completion = await self._complete(asked, sampling)
        if completion.finish != "stop":
            return PlanFailed(reason=f"the model did not finish the plan ({completion.finish})")
        plan = read_task_plan(completion.text)
        size = len(plan.encode())
        if size > LONGEST_PLAN:
            return PlanFailed(reason=f"the plan is too long: expected at most {LONGEST_PLAN:,} bytes, got {size:,}")
        return PlanRevised(text=plan) if plan else PlanFailed(reason="the model wrote no plan")

    async def _complete(self, asked: str, sampling: Sampling) -> Completion:
        return await self._model.complete(Prompt(system(self._instructions), user(asked)), sampling)


def _job(number: int, lesson: Lesson) -> Iterator[str]:
    """What a job taught, paragraph by paragraph; what was not reflected is left out."""
    yield f"Job {number}"
    yield lesson.opening
    yield f"Result: The job {'succeeded' if lesson.succeeded else 'failed'}."
    for label, text in (
        ("Summary", lesson.summary),
        ("Flaws", lesson.flaws),
        ("Suggested revision", lesson.revision),
    ):
        if text:
            yield f"{label}: {text}"
