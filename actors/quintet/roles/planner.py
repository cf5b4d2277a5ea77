"""The planner role: asks a model for the steps to a goal, or to rewrite a plan for all tasks of a kind."""

from collections.abc import Callable, Iterator
from typing import TypeVar, assert_never

from msgspec.structs import replace

from quintet.messages.parts import LONGEST_PLAN
from quintet.messages.planning import (
    AllOf,
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
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import has_text, reason, unanswered
from quintet.parsing.forms import example_of
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.revisions import read_revision
from quintet.ports.model import AnswerForm, Completion, Finish, Model, Sampling
from quintet.roles.asking import once_more

_PlanT = TypeVar("_PlanT", PlanMade, Decomposed)


class Planner:
    """Plans with one model call per request, or two: what cannot be read is asked for once more, with its form.

    Keeps nothing between requests; `deploy/` decides where it runs.

    Args:
        model: who plans; it may be another one than the executor's.
        instructions: what plans look like, with worked examples; every prompt begins with it.
        sampling: how completions are drawn.
        update: asks for a plan rewritten, below the plan so far and what jobs taught; empty where nobody will ask.
        structured: whether answers are asked for as JSON.

    Source: ADaPT, section 3.2; AutoPlan, section 3.2.3, equation 9. Differs: the planner is told how each job ended, as
    by AutoPlan's released code.
    """

    def __init__(
        self, model: Model, *, instructions: str, sampling: Sampling, update: str = "", structured: bool = False
    ) -> None:
        self._model = model
        self._instructions = instructions
        self._sampling = sampling
        self._update = update
        self._structured = structured

    async def receive(self, request: PlannerRequest) -> PlanMade | Decomposed | PlanRevised | PlanFailed:
        match request:
            case MakePlan():
                return await self._plan(request, read_plan)
            case Decompose():
                return await self._plan(request, read_decomposition)
            case RevisePlan():
                return await self._revise(request)
            case _:
                assert_never(request)

    async def _plan(
        self, request: MakePlan | Decompose, read: Callable[[str, Finish], _PlanT | PlanFailed]
    ) -> _PlanT | PlanFailed:
        goal = f"Goal: {request.goal}."
        asked = self._asked(f"{request.setting}\n\n{goal}" if request.setting else goal)
        sampling = replace(self._sampling, form="plan")
        completion = await self._model.complete(asked, sampling)
        plan = read(completion.text, completion.finish)
        if not (doubt := _doubt(plan, completion.finish)):
            return plan
        completion = await self._model.complete(self._again(asked, completion, doubt, "plan"), sampling)
        better = read(completion.text, completion.finish)
        return plan if isinstance(better, PlanFailed) and not isinstance(plan, PlanFailed) else better

    async def _revise(self, request: RevisePlan) -> PlanRevised | PlanFailed:
        jobs = (part for number, lesson in enumerate(request.lessons, 1) for part in _job(number, lesson))
        parts = ["Current plan:", request.plan or "(none yet)", *jobs, self._update]
        asked = self._asked("\n\n".join(part for part in parts if part))
        sampling = replace(self._sampling.overridden(request.sampling), form="task_plan")
        completion = await self._model.complete(asked, sampling)
        plan = _rewritten(completion, request.plan)
        if not plan and has_text(completion.finish):
            again = self._again(asked, completion, unanswered(completion.finish, "plan"), "task_plan")
            completion = await self._model.complete(again, sampling)
            plan = _rewritten(completion, request.plan)
        size = len(plan.encode())
        if size > LONGEST_PLAN:
            return PlanFailed(reason=f"the plan is too long: expected at most {LONGEST_PLAN:,} bytes, got {size:,}")
        return PlanRevised(text=plan) if plan else PlanFailed(reason=f"the model {reason(completion.finish, 'plan')}")

    def _asked(self, task: str) -> Prompt:
        return Prompt(system(self._instructions), user(task))

    def _again(self, asked: Prompt, completion: Completion, doubt: str, form: AnswerForm) -> Prompt:
        expected = example_of(form, structured=self._structured)
        return once_more(asked, completion, f"{doubt}. Please answer in this form:\n\n{expected}")


def _doubt(plan: PlanMade | Decomposed | PlanFailed, finish: Finish) -> str:
    """Why a plan is asked for once more, as the model is told; empty where it is not."""
    match plan:
        case PlanFailed(reason=why):
            told = f"I cannot go by that: {why}" if finish == "stop" else unanswered(finish, "plan")
            return told if has_text(finish) else ""
        case Decomposed(plan=AllOf(), fallback=why) if why:
            return f"I cannot go by that: {why}"
        case _:
            return ""


def _rewritten(completion: Completion, plan: str) -> str:
    """The plan that a completion writes, or leaves as it is; empty where it is none, or not whole."""
    if completion.finish != "stop":
        return ""
    revision = read_revision(completion.text)
    return plan if revision.unchanged else revision.text


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
