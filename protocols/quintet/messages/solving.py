"""Messages of the subtask role. Episodes, subtasks and branches of a search all use this one request."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from quintet.messages.environment import Session, Task
from quintet.messages.execution import Turn
from quintet.messages.message import Message, Request
from quintet.messages.parts import PromptPart
from quintet.ports.model import SamplingOverride


class DecisionProcess(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Turns in one session that a learner may remember.

    Source: LDM2, section 3.1, equation 4.
    """

    goal: str
    setting: str
    """What was seen before the first turn."""
    session: str
    """The id of the session in which it ended."""
    reward: float
    """At its end, in [0, 1]."""
    turns: tuple[Turn, ...] = ()
    """From the start of the task. Empty in a method's answer; a learner gets them from the journal's steps."""
    batch: int = 0
    """The batch memory that it is for; 0: for a new one."""
    first: Annotated[int, Meta(ge=1)] = 1
    """The turn from which on it is worth remembering, from 1."""
    program: str = ""
    """The program that led it, in the end; empty: none did."""


class Solved(Message, frozen=True, kw_only=True, tag="solved"):
    """The method says that the task is solved."""

    session: Session
    """The session to continue in."""
    reward: float
    """What was earned on the way to that session, in [0, 1]."""
    done: bool
    """The world accepts no further action."""
    claimed: bool | None = None
    """The model's own claim about the task; None if it made none."""
    depth: int = 1
    """The deepest recursion level that was reached, 1 being the task itself (ADaPT's k)."""
    last_action: str = ""
    """The last action carried out towards the task, or else the one handed on to it; empty if there is none, or the
    method does not keep it."""
    last_observation: str = ""
    """The world's answer to `last_action`."""
    turns: tuple[Turn, ...] = ()
    """The turns from the request's session to this one, in order, without those that were rolled back; empty if the
    episode was cut short, since then only the journal has them."""
    reason: str = ""
    """What cut the episode short; empty if nothing did."""
    processes: tuple[DecisionProcess, ...] = ()
    """What a learner may remember, of an episode to learn from."""


class Unsolved(Message, frozen=True, kw_only=True, tag="unsolved"):
    """The method gave up, or used up a budget."""

    session: Session | None
    """The session to continue in; None if the episode ended early and had offered no answer."""
    reward: float
    done: bool
    reason: str
    claimed: bool | None = None
    depth: int = 1
    turns: tuple[Turn, ...] = ()
    """As in `Solved`; empty if the episode was cut short, since then only the journal has them."""
    processes: tuple[DecisionProcess, ...] = ()
    """What a learner may remember, of an episode to learn from."""


class Solve(Request["Solved | Unsolved"], frozen=True, kw_only=True, tag="solve"):
    """Run the method on a task. The outermost one is the episode and opens its session itself."""

    journaled: ClassVar[bool] = True

    task: Task
    by: str = ""
    """Which of the run's methods pursues the goal, by its name in the run; empty: the run's own, the outermost."""
    session: Session | None = None
    """The session to act in; None: open one on the task."""
    setting: str = ""
    goal: str = ""
    """Empty together with `session`: the world's own."""
    subgoal: bool = False
    """The goal is a part of the task's own, so the world's reward does not say whether it is reached."""
    depth: Annotated[int, Meta(ge=1)] = 1
    """Recursion level; 1 is the user's own task."""
    last_action: str = ""
    """The last action of the subtask that was solved before this one, if the method hands it on."""
    last_observation: str = ""
    """What the world answered to `last_action`."""
    failed: tuple[str, ...] = ()
    """What was tried before without success, for the planner, if the method hands it on."""
    parts: tuple[PromptPart, ...] = ()
    """Further prompt parts for the executor, after the method's demonstrations, such as a plan from learning."""
    sampling: SamplingOverride | None = None
    """Sampling of the executor; None: as configured. The planner always uses its configured sampling."""

    purpose: str = ""
    """What a learner wants of an episode to learn from, in its method's own words; empty: what every episode does."""

    def subject(self) -> str:
        return self.goal or self.task.name
