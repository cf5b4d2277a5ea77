"""The journal's events: what happened under which path. An episode is these, in order.

Events are content: two runs are compared by them. When, where and under which incarnation an event was written
stands in the `Record` around it. Events decode leniently, so that later versions read every older journal: new
fields have defaults, no field changes its type, no tag changes.
"""

from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from quintet.errors import FaultNote
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress, PromptNode
from quintet.ports.model import Completion, Sampling


class Event(Struct, frozen=True, kw_only=True):
    """Base of everything that is journaled. One event of a kind per path."""

    kind: ClassVar[str]
    path: Path


class CallMade(Event, frozen=True, kw_only=True, tag="call_made"):
    """A model was called and answered. Committed before the answer is used."""

    kind: ClassVar[str] = "call_made"
    model: str
    prompt: PromptAddress
    sampling: Sampling
    completion: Completion
    bounded: bool = False
    """The model reported more tokens than were reserved for the call, or wrote more than is read; both were cut."""


class SessionOpened(Event, frozen=True, kw_only=True, tag="session_opened"):
    """A world began."""

    kind: ClassVar[str] = "session_opened"
    session: str
    observation: str


class StepTaken(Event, frozen=True, kw_only=True, tag="step_taken"):
    """A world answered an action."""

    kind: ClassVar[str] = "step_taken"
    session: str
    action: str
    observation: str
    reward: float
    done: bool
    rejected: bool


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """Something the method saw of time or arrival, committed before anything follows from it; a replay obeys it."""

    kind: ClassVar[str] = "decided"
    question: str
    answer: str
    """What was decided, as JSON."""


class Exchanged(Event, frozen=True, kw_only=True, tag="exchanged"):
    """A planner, executor, reflector, learner or subtask answered: for readers of the journal; a replay asks again."""

    kind: ClassVar[str] = "exchanged"
    request: str
    """The request's tag."""
    subject: str
    reply: str
    """The reply as JSON."""


class Published(Event, frozen=True, kw_only=True, tag="published"):
    """What is learnt across episodes has a new version; committed before any episode reads it."""

    kind: ClassVar[str] = "published"
    version: int
    content: str


EpisodeState: TypeAlias = Literal["solved", "unsolved", "faulted"]


class EpisodeEnded(Event, frozen=True, kw_only=True, tag="episode_ended"):
    """The last event of an attempt."""

    kind: ClassVar[str] = "episode_ended"
    state: EpisodeState
    """By the method's own account; whether the task was achieved is `reward`."""
    reward: float = 0.0
    claimed: bool | None = None
    """The model's own claim about the task; None where it made none."""
    depth: int = 1
    """The deepest recursion level that was reached."""
    reason: str = ""
    """Why the method gave up, if it did."""
    fault: FaultNote | None = None

    @property
    def why(self) -> str:
        """The fault that ended it, or else why the method gave up."""
        return self.reason if self.fault is None else f"{self.fault.kind}: {self.fault.text}"


AnyEvent: TypeAlias = CallMade | SessionOpened | StepTaken | Decided | Exchanged | Published | EpisodeEnded


class Record(Struct, frozen=True, kw_only=True):
    """An event and the circumstances of its writing."""

    event: AnyEvent
    incarnation: int
    host: str = ""
    at: float = 0.0
    """Seconds since the Unix epoch."""
    seconds: float = 0.0
    """How long the call, step or exchange took."""
    prompts: tuple[PromptNode, ...] = ()
    """With a call: the prompt's nodes that may not be in the journal yet, oldest first; read back, the last one."""
