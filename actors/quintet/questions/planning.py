"""The planner's questions: the steps to a goal, subtasks and how they combine, a plan for all tasks of a kind."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quintet.messages.message import Unanswered, request_name
from quintet.messages.parts import LONGEST_PLAN
from quintet.messages.planning import (
    AllOf,
    Decompose,
    Decomposed,
    Lesson,
    MakePlan,
    PlanMade,
    PlanRevised,
    RevisePlan,
)
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.answers import missing_answer, reason
from quintet.parsing.plans import read_decomposition, read_plan
from quintet.parsing.revisions import Revision, read_revision
from quintet.ports.model import Completion, Finish
from quintet.questions.question import RequestQuestion, TaskQuestion
from quintet.questions.shape import Reading
from quintet.questions.shapes import OrderedSteps, PlanT, Steps, Text
from quintet.roles.conversations import Conversations, bullets, numbered, paragraphs


class _RevisionShape(Text[Revision]):
    def reading(self, text: str, finish: Finish) -> Reading:
        if finish != "stop":
            return {"revision": None, "unchanged": False, "notes": [f"the model {reason(finish, self.wanted)}"]}
        revision = read_revision(text)
        notes = [] if revision.text or revision.unchanged else ["the model wrote no plan"]
        return {"revision": revision.text or None, "unchanged": revision.unchanged, "notes": notes}


class _PlanQuestion(TaskQuestion[Any, PlanT, PlanT]):
    """Why an answer is no plan is said to the model. A first plan stays if the second answer is none."""

    wanted = "plan"

    def doubt(self, about: Any, found: PlanT | Unanswered, completion: Completion) -> str:
        match found:
            case Unanswered(reason=why) if completion.finish == "stop":
                return f"I cannot go by that: {why}"
            case Unanswered():
                return missing_answer(completion.finish, self.wanted)
            case Decomposed(plan=AllOf(), fallback=why) if why:
                return f"I cannot go by that: {why}"
            case _:
                return ""

    def reply(self, request: Any, found: Sequence[PlanT]) -> PlanT:
        return found[0]


class MakePlanQuestion(_PlanQuestion[PlanMade]):
    """The steps to a goal, one after the other.

    Source: Devil's Advocate, equations 1 and 10.
    """

    asks = MakePlan
    shape = Steps(
        name="steps",
        about="The steps of a plan, one after the other.",
        wanted="plan",
        described="each one action in words, in order",
        line=(
            'Answer with a JSON object with one list of texts, "steps", and nothing around it. Each text is one action '
            "in words. Where plans are shown, their steps stand as numbered lines."
        ),
        values={"steps": ("the first action, in words", "the next action, in words")},
    )

    def says(self, about: MakePlan) -> Iterator[str]:
        if about.failed:
            yield f"This plan for the goal has failed:\n{numbered(about.failed)}\nMake another plan."

    def read(self, about: MakePlan, completion: Completion) -> PlanMade | Unanswered:
        return read_plan(completion.text, completion.finish)

    def headline(self, reply: PlanMade) -> str:
        return f"a plan of {len(reply.steps)} step" + "s" * (len(reply.steps) != 1)


class DecomposeQuestion(_PlanQuestion[Decomposed]):
    """Subtasks of a goal, combined by AND and OR. An order that cannot be read is asked for once more too.

    Source: ADaPT, section 3.2.
    """

    asks = Decompose
    shape = OrderedSteps(
        name="plan",
        about="Steps to a goal, and how they combine.",
        wanted="plan",
        described="each a goal of its own",
        order="(Step 1 AND (Step 2 OR Step 3))",
        thought="which steps are needed, and why",
        line=(
            'Answer with a JSON object, and nothing around it: "thought", a short text, which steps are needed, and '
            'why; "steps", a list of texts, the first of which is Step 1; and "order", which joins them by AND where '
            "all are needed, one after the other, or by OR where any one is enough, with brackets around each group, "
            "as in: (Step 1 AND (Step 2 OR Step 3)). Where plans are shown, the same stands as lines."
        ),
        values={
            "steps": ("the first step", "the second step"),
            "order": "(Step 1 AND Step 2), with OR in place of AND where any one of the steps is enough",
        },
    )

    def says(self, about: Decompose) -> Iterator[str]:
        if about.failed:
            yield f"These were tried without success:\n{bullets(about.failed)}"

    def read(self, about: Decompose, completion: Completion) -> Decomposed | Unanswered:
        return read_decomposition(completion.text, completion.finish)

    def headline(self, reply: Decomposed) -> str:
        notes = ["ambiguous"] * reply.ambiguous + [f"fallback: {reply.fallback}"] * bool(reply.fallback)
        return "plan" + (f" ({', '.join(notes)})" if notes else "")


class RevisePlanQuestion(RequestQuestion[RevisePlan, str, PlanRevised]):
    """A plan for all tasks of a kind, rewritten after some jobs.

    Source: AutoPlan, section 3.2.3, equation 9. Differs: the planner sees how each job ended, as in the released code.
    """

    asks = RevisePlan
    prompts = (request_name(RevisePlan), f"{request_name(RevisePlan)}.update")
    shape = _RevisionShape(
        name="task_plan",
        about="A plan for all tasks of a kind.",
        reader=read_revision,
        wanted="plan",
        kind="revision",
        key="plan",
        label="Plan:\n",
        described="the whole new plan, its steps numbered",
        says="the whole new plan",
        keeps_lines=True,
        values={"plan": "the whole plan"},
    )

    def show(self, about: RevisePlan, texts: Mapping[str, str], conversations: Conversations) -> Prompt:
        instructions, update = (texts[name] for name in self.prompts)
        return Prompt(system(instructions), user(paragraphs(*self.says(about), update)), lasting=0)

    def says(self, about: RevisePlan) -> Iterator[str]:
        yield "Current plan:"
        yield about.plan or "(none yet)"
        for number, lesson in enumerate(about.lessons, 1):
            yield from _job(number, lesson)

    def find(self, about: RevisePlan, text: str) -> str | None:
        revision = read_revision(text)
        return (about.plan if revision.unchanged else revision.text) or None

    def reply(self, request: RevisePlan, found: Sequence[str]) -> PlanRevised | Unanswered:
        (plan,) = found
        size = len(plan.encode())
        if size > LONGEST_PLAN:
            return Unanswered(reason=f"the plan is too long: expected at most {LONGEST_PLAN:,} bytes, got {size:,}")
        return PlanRevised(text=plan)

    def headline(self, reply: PlanRevised) -> str:
        lines = len(reply.text.splitlines())
        return f"a plan of {lines} line" + "s" * (lines != 1)


def _job(number: int, lesson: Lesson) -> Iterator[str]:
    """The paragraphs of a lesson, without the missing parts of the reflection."""
    yield f"Job {number}"
    yield lesson.opening
    yield f"Result: The job {'succeeded' if lesson.succeeded else 'failed'}."
    parts = {"Summary": lesson.summary, "Flaws": lesson.flaws, "Suggested revision": lesson.revision}
    yield from (f"{label}: {text}" for label, text in parts.items() if text)


PLANNING = (MakePlanQuestion(), DecomposeQuestion(), RevisePlanQuestion())
