"""Messages of the subtask role. An episode, a subtask, a branch of a tree and a trial are this one message."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from quintet.messages.environment import Session, Task
from quintet.messages.execution import Turn
from quintet.messages.message import Message, Request
from quintet.messages.parts import PromptPart
from quintet.ports.model import SamplingOverride


class Solved(Message, frozen=True, kw_only=True, tag="solved"):
    """The method says that the task is solved."""

    session: Session
    """The session to go on with."""
    reward: float
    """The best earned so far, in [0, 1]."""
    done: bool
    """The world accepts no further action."""
    claimed: bool | None = None
    """The model's own claim about the task; None if it made none."""
    depth: int = 1
    """The deepest recursion level that was reached, 1 being the task itself (ADaPT's k)."""
    last_action: str = ""
    """The last action carried out towards the task, or else the one that was handed on to it; empty if there was none,
    or if the method does not keep it."""
    last_observation: str = ""
    """What the world answered to `last_action`."""
    turns: tuple[Turn, ...] = ()
    """What was done from the session that was given to the one that is named, in order. What was rolled back is left
    out."""


class Unsolved(Message, frozen=True, kw_only=True, tag="unsolved"):
    """The method gave up, or ran out of what it was allowed."""

    session: Session | None
    """The session to go on with; None if the episode was cut short."""
    reward: float
    done: bool
    reason: str
    claimed: bool | None = None
    depth: int = 1
    turns: tuple[Turn, ...] = ()
    """As those of `Solved`; empty if the episode was cut short, since only the journal knows them then."""


class Solve(Request["Solved | Unsolved"], frozen=True, kw_only=True, tag="solve"):
    """Run the method on a task. The outermost one is the episode and opens its session itself."""

    journaled: ClassVar[bool] = True

    task: Task
    session: Session | None = None
    """Where to act; None: open a session on the task."""
    setting: str = ""
    goal: str = ""
    """Empty together with `session`: the world's own."""
    depth: Annotated[int, Meta(ge=1)] = 1
    """Recursion level; 1 is the user's own task."""
    last_action: str = ""
    """The last action of the subtask that was solved before this one, if the method hands it on."""
    last_observation: str = ""
    """What the world answered to `last_action`."""
    parts: tuple[PromptPart, ...] = ()
    """What the executor is shown beside the method's own demonstrations: what outlives episodes, such as a plan."""
    sampling: SamplingOverride | None = None
    """How far the executor's completions vary; None: as configured. Plans are drawn as they always are."""

    def subject(self) -> str:
        return self.goal or self.task.name


SubtaskRequest: TypeAlias = Solve
