"""The planner role: asks a model for the steps to a goal, or to rewrite a plan for all tasks of a kind."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, assert_never

from msgspec.structs import replace

from quintet.messages.message import request_name
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
from quintet.parsing.answers import has_text, missing_answer, reason
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.revisions import read_revision
from quintet.ports.model import AnswerForm, Completion, Finish
from quintet.roles.conversations import Conversations, bullets, numbered, paragraphs, with_question
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel, once_more

_PlanT = TypeVar("_PlanT", PlanMade, Decomposed)


class Planner:
    """Plans with one model call per request, or two: after an unreadable answer it asks once more, with the form.

    Keeps nothing between requests but prompts, which are the same when they are built anew. `deploy/` decides where it
    runs.

    Args:
        model: may be another one than the executor's.
        prompts: the instructions by request, with worked examples. `revise_plan.update` asks for the new plan, after
            the plan so far and the lessons.

    Source: ADaPT, section 3.2; AutoPlan, section 3.2.3, equation 9; Devil's Advocate, equations 1 and 10. Differs: the
    planner sees how each job ended, as in AutoPlan's released code.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._prompts = prompts
        self._conversations = Conversations()

    async def receive(self, request: PlannerRequest) -> PlanMade | Decomposed | PlanRevised | PlanFailed:
        match request:
            case MakePlan():
                return await self._make(request)
            case Decompose():
                return await self._decompose(request)
            case RevisePlan():
                return await self._revise(request)
            case _:
                assert_never(request)

    async def _decompose(self, request: Decompose) -> Decomposed | PlanFailed:
        begun = self._conversations.opening(self._instructions(request), request.setting, request.goal, request.parts)
        failed = [f"These were tried without success:\n{bullets(request.failed)}"] if request.failed else []
        return await self._plan(with_question(begun, *failed), "plan", read_decomposition, request)

    async def _make(self, request: MakePlan) -> PlanMade | PlanFailed:
        begun = self._conversations.opening(self._instructions(request), request.setting, request.goal, request.parts)
        failed = f"This plan for the goal has failed:\n{numbered(request.failed)}\nMake another plan."
        asked = with_question(begun, *([failed] if request.failed else []))
        return await self._plan(asked, "steps", read_plan, request)

    async def _plan(
        self,
        asked: Prompt,
        form: AnswerForm,
        read: Callable[[str, Finish], _PlanT | PlanFailed],
        request: MakePlan | Decompose,
    ) -> _PlanT | PlanFailed:
        sampling = replace(self._model.sampling, form=form)
        completion = await self._model.complete(asked, sampling, request)
        plan = read(completion.text, completion.finish)
        if not (doubt := _doubt(plan, completion.finish)):
            return plan
        completion = await self._model.complete(self._again(asked, completion, doubt, form), sampling, request)
        better = read(completion.text, completion.finish)
        return plan if isinstance(better, PlanFailed) and not isinstance(plan, PlanFailed) else better

    async def _revise(self, request: RevisePlan) -> PlanRevised | PlanFailed:
        jobs = (part for number, lesson in enumerate(request.lessons, 1) for part in _job(number, lesson))
        parts = ["Current plan:", request.plan or "(none yet)", *jobs, self._prompts["revise_plan.update"]]
        asked = Prompt(system(self._instructions(request)), user(paragraphs(*parts)))
        sampling = replace(self._model.sampling.overridden(request.sampling), form="task_plan")
        completion = await self._model.complete(asked, sampling, request)
        plan = _revision(completion, request.plan)
        if not plan and has_text(completion.finish):
            again = self._again(asked, completion, missing_answer(completion.finish, "plan"), "task_plan")
            completion = await self._model.complete(again, sampling, request)
            plan = _revision(completion, request.plan)
        size = len(plan.encode())
        if size > LONGEST_PLAN:
            return PlanFailed(reason=f"the plan is too long: expected at most {LONGEST_PLAN:,} bytes, got {size:,}")
        return PlanRevised(text=plan) if plan else PlanFailed(reason=f"the model {reason(completion.finish, 'plan')}")

    def _instructions(self, request: PlannerRequest) -> str:
        return self._prompts[request_name(type(request))]

    def _again(self, asked: Prompt, completion: Completion, doubt: str, form: AnswerForm) -> Prompt:
        return once_more(asked, completion, f"{doubt}. {self._model.reminder(form)}")


def _doubt(plan: PlanMade | Decomposed | PlanFailed, finish: Finish) -> str:
    """Why to ask for a plan once more, in words for the model; empty if the answer is accepted."""
    match plan:
        case PlanFailed(reason=why):
            words = f"I cannot go by that: {why}" if finish == "stop" else missing_answer(finish, "plan")
            return words if has_text(finish) else ""
        case Decomposed(plan=AllOf(), fallback=why) if why:
            return f"I cannot go by that: {why}"
        case _:
            return ""


def _revision(completion: Completion, plan: str) -> str:
    """The new plan in a completion, or the old one if it says so; empty if it has none, or an incomplete one."""
    if completion.finish != "stop":
        return ""
    revision = read_revision(completion.text)
    return plan if revision.unchanged else revision.text


def _job(number: int, lesson: Lesson) -> Iterator[str]:
    """The paragraphs of a lesson, without the missing parts of the reflection."""
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


def _start(parts: ActorParts) -> Planner:
    return Planner(parts.model(), parts.prompts)


PLANNER_ROLE = Role(
    name="planner",
    requests={
        MakePlan: ("make_plan",),
        Decompose: ("decompose",),
        RevisePlan: ("revise_plan", "revise_plan.update"),
    },
    start=_start,
    completion_tokens=2_048,
)
