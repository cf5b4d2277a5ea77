"""The planner role: asks a model for the steps to a goal."""

from typing import assert_never

from actors.plan_text import read_decomposition, read_plan
from protocols.models import Model, Sampling
from protocols.planning import Decompose, Decomposed, MakePlan, PlanFailed, PlanMade, PlannerRequest
from protocols.prompts import Prompt, system, user


class Planner:
    """Plans with one model call per request. Keeps nothing between requests; `deploy/` decides where it runs.

    Args:
        model: who plans; it may be another one than the executor's.
        instructions: what plans look like, with worked examples; every prompt begins with it.
        sampling: how completions are drawn.

    Source: ADaPT, section 3.2.
    """

    def __init__(self, model: Model, *, instructions: str, sampling: Sampling) -> None:
        self._model = model
        self._instructions = instructions
        self._sampling = sampling

    async def receive(self, request: PlannerRequest) -> PlanMade | Decomposed | PlanFailed:
        match request:
            case MakePlan():
                return read_plan(await self._answer(request))
            case Decompose():
                return read_decomposition(await self._answer(request))
            case _:
                assert_never(request)

    async def _answer(self, request: PlannerRequest) -> str:
        goal = f"Goal: {request.goal}."
        task = f"{request.setting}\n\n{goal}" if request.setting else goal
        completion = await self._model.complete(Prompt(system(self._instructions), user(task)), self._sampling)
        return completion.text
