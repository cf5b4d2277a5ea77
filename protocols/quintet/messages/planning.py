"""Messages of the planner role, and the plans it answers with."""

from typing import ClassVar, TypeAlias

from msgspec import Struct

from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.parts import PromptPart
from quintet.ports.model import SamplingOverride


class PlanStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="step"):
    """One step of a plan: an instruction to a subtask."""

    number: int
    """As printed in the plan."""
    text: str


class AllOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="and"):
    """Parts done in order; fails at the first that fails."""

    parts: "tuple[PlanTree, ...]"


class AnyOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="or"):
    """Parts tried in order; succeeds at the first that succeeds."""

    parts: "tuple[PlanTree, ...]"


PlanTree: TypeAlias = PlanStep | AllOf | AnyOf


class PlanMade(Message, frozen=True, kw_only=True, tag="plan_made"):
    """Steps in the order they are to be taken. Never empty."""

    steps: tuple[PlanStep, ...]


class Decomposed(Message, frozen=True, kw_only=True, tag="decomposed"):
    """Subtasks and how they combine."""

    plan: PlanTree
    ambiguous: bool = False
    """The order mixes AND and OR without brackets; it was read as homogeneous runs from left to right."""
    fallback: str = ""
    """Why the execution order is unreadable, if it is; the plan is then AND over all steps."""


class PlanRevised(Message, frozen=True, kw_only=True, tag="plan_revised"):
    """A plan for all tasks of a kind, in words."""

    text: str
    """Never empty; at most `quintet.messages.parts.LONGEST_PLAN`."""


class MakePlan(Request[PlanMade | Unanswered], frozen=True, kw_only=True, tag="make_plan"):
    """Ask for steps that reach `goal`, one after the other."""

    journaled: ClassVar[bool] = True

    setting: str
    """The world's opening without its goal."""
    goal: str
    parts: tuple[PromptPart, ...] = ()
    """What else the prompt shows, such as a plan for all tasks, or the `History` and `NotesTaken` of earlier trials."""
    failed: tuple[str, ...] = ()
    """The steps of the plan that failed before; empty: there was none."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""


class Decompose(Request[Decomposed | Unanswered], frozen=True, kw_only=True, tag="decompose"):
    """Ask for subtasks of `goal`, combined by AND and OR.

    Source: ADaPT, section 3.2.
    """

    journaled: ClassVar[bool] = True

    setting: str
    goal: str
    parts: tuple[PromptPart, ...] = ()
    """What else the prompt shows, such as the page that is open."""
    failed: tuple[str, ...] = ()
    """What was tried before without success, in words."""


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One job for a revision: its task, its outcome, and the reflection on it."""

    opening: str
    """The job's opening as the world published it, goal included."""
    succeeded: bool
    summary: str = ""
    """Empty if there is no reflection, as are the next two."""
    flaws: str = ""
    revision: str = ""


class RevisePlan(Request[PlanRevised | Unanswered], frozen=True, kw_only=True, tag="revise_plan"):
    """Ask for a plan rewritten after some jobs.

    Source: AutoPlan, section 3.2.3, equation 9.
    """

    journaled: ClassVar[bool] = True

    plan: str
    """The plan so far; empty at first."""
    lessons: tuple[Lesson, ...]
    """In the order of the batch."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""

    def subject(self) -> str:
        return "1 job" if len(self.lessons) == 1 else f"{len(self.lessons)} jobs"
