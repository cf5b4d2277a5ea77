"""Messages of the reflector role: look back on a job, and say what went wrong."""

from typing import ClassVar, Literal, TypeAlias

from quintet.messages.learning import Experience
from quintet.messages.message import Message, Request
from quintet.ports.model import SamplingOverride

Depth: TypeAlias = Literal["full", "summary"]
"""`full`: summary, flaws and revision. `summary`: the summary alone."""


class Reflected(Message, frozen=True, kw_only=True, tag="reflected"):
    """The reflection on a job."""

    summary: str
    """Never empty."""
    flaws: str = ""
    """What was wrong with plan and actions; empty if it was not asked for."""
    revision: str = ""
    """What to do instead; empty if it was not asked for."""


class ReflectionFailed(Message, frozen=True, kw_only=True, tag="reflection_failed"):
    """No usable reflection: the model left out a part that was asked for, or did not finish it."""

    reason: str


class Reflect(Request["Reflected | ReflectionFailed"], frozen=True, kw_only=True, tag="reflect"):
    """Ask for a reflection on one job: summary, flaw identification, plan revision (SIR).

    Source: AutoPlan, section 3.2.2, equations 6 to 8.
    """

    journaled: ClassVar[bool] = True

    experience: Experience
    plan: str
    """The plan that the job followed; may be empty."""
    succeeded: bool
    depth: Depth = "full"
    one_conversation: bool = False
    """True: one conversation asks for the parts in turn, and for no revision while there is no plan, as in the paper's
    code. False: separate prompts, as in the equations."""
    sampling: SamplingOverride | None = None
    """Sampling of the completions; None: the role's."""

    def subject(self) -> str:
        return self.experience.task


ReflectorRequest: TypeAlias = Reflect
