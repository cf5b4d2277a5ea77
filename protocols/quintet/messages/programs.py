"""Messages of the planner role about programs: plans that are carried out as they are written."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from quintet.messages.execution import Turn
from quintet.messages.message import Message, Request, Unanswered
from quintet.messages.parts import PromptPart
from quintet.ports.model import SamplingOverride


class FailedProgram(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program that did not reach the goal."""

    program: str
    step: Annotated[int, Meta(ge=1)]
    """From which the next program goes on."""
    reason: str
    """Why it failed, in words."""
    turns: tuple[Turn, ...]
    """What was done in its session, by the programs before it too."""
    anew: bool = False
    """The next program begins where the first one did: nothing of `turns` has happened then."""


class ProgramWritten(Message, frozen=True, kw_only=True, tag="program_written"):
    """A program that is in the language of programs; see `quintet.parsing.programs`."""

    program: str


class WriteProgram(Request[ProgramWritten | Unanswered], frozen=True, kw_only=True, tag="write_program"):
    """Ask for a program that reaches `goal`.

    Source: AdaPlanner (Sun et al., 2023).
    """

    journaled: ClassVar[bool] = True

    setting: str
    """The world's opening without its goal."""
    goal: str
    parts: tuple[PromptPart, ...] = ()
    """What else the prompt shows, such as what was learnt from other tasks."""
    failed: FailedProgram | None = None
    """The program before, which is to be revised; None: none was carried out."""
    refused: tuple[str, ...] = ()
    """Why what was written since then could not be carried out, in words, an attempt each."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""


class Extracted(Message, frozen=True, kw_only=True, tag="extracted"):
    """What a program asked for."""

    text: str


class Extract(Request[Extracted | Unanswered], frozen=True, kw_only=True, tag="extract"):
    """Ask for what a program needs to know of what was seen.

    Source: AdaPlanner (Sun et al., 2023), refinement within a plan.
    """

    journaled: ClassVar[bool] = True

    setting: str
    goal: str
    question: str
    """The program's."""
    observation: str
    """What was seen last; empty: nothing was done yet."""
    sampling: SamplingOverride | None = None
    """Sampling of the completion; None: the role's."""

    def subject(self) -> str:
        return self.question
