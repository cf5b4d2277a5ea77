"""The journal's events: what happened under which path. An episode is these, in order.

Events are content: two runs are compared by them. The `Record` around an event says when, where and under which
incarnation it was written. Events decode leniently: new fields have defaults, no field changes its type, no tag
changes. A change of an event's meaning raises the journal's version instead.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from quintet.errors import FaultNote
from quintet.messages.execution import Turn
from quintet.messages.learning import Version
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress, PromptNode
from quintet.ports.model import Completion, Finish, Legibility, Sampling

Ending: TypeAlias = Finish | Legibility
"""How a call ended: by what the role found in a completion that stopped by itself, else by its finish."""


class Event(Struct, frozen=True, kw_only=True):
    """Base of everything that is journaled. One event of a kind per path."""

    kind: ClassVar[str]
    """Its tag."""
    path: Path


class CallMade(Event, frozen=True, kw_only=True, tag="call_made"):
    """A model was called and answered. Committed before the answer is used."""

    model: str
    prompt: PromptAddress
    sampling: Sampling
    completion: Completion
    bounded: bool = False
    """The model reported more tokens than were reserved for the call, or wrote more than is read; both were cut."""
    phase: str = ""
    """What the call is for: see `quintet.messages.message.phase_of`; for an inner method with its name before, as in
    `react/execute`."""
    legibility: Legibility = "read"
    """Of a completion that stopped by itself; of any other it says nothing."""

    @property
    def ending(self) -> Ending:
        """How it ended."""
        return self.legibility if self.completion.finish == "stop" else self.completion.finish


class SessionOpened(Event, frozen=True, kw_only=True, tag="session_opened"):
    """A world began."""

    session: str
    observation: str


class SessionForked(Event, frozen=True, kw_only=True, tag="session_forked"):
    """A world was copied."""

    session: str
    """The copy."""
    origin: str
    """The session that was copied."""


class StepTaken(Event, frozen=True, kw_only=True, tag="step_taken"):
    """A world answered an action."""

    session: str
    action: str
    observation: str
    reward: float
    done: bool
    rejected: bool
    thought: str = ""
    """The executor's thought before the action."""
    lasting: bool = False
    """Opening an earlier snapshot does not undo it."""
    figures: Mapping[str, float] = {}
    """Further figures of what was reached, by name, each in [0, 1]."""


class Pictured(Event, frozen=True, kw_only=True, tag="pictured"):
    """What a world showed after it began, was copied or answered an action at this path, for people to look at.

    It is no content: two runs are not compared by it, and no replay needs it or is given it.
    """

    picture: bytes
    """JPEG."""


NodeStanding: TypeAlias = Literal["open", "pruned", "chosen"]


class NodeGrown(Event, frozen=True, kw_only=True, tag="node_grown"):
    """How a node of a search tree stands: when it was grown, and again after a change. Its last one counts."""

    tree: Path
    """The path of the request whose method grows the tree, or of its branch that does."""
    node: int
    """From 0, the root."""
    parent: int | None
    """None: it is the root."""
    action: str
    """That leads from the parent to here; empty at the root."""
    session: str | None
    """The session that is at this node; None if there is none."""
    value: float | None = None
    """How promising its state was judged, in [0, 1]; None if nobody was asked."""
    confidence: float | None = None
    """The model's confidence in the action, in [0, 1]; None if there is none."""
    visits: int = 0
    """How often a reward was backed up through it."""
    reward: float = 0.0
    """Of the world at this node, in [0, 1]."""
    standing: NodeStanding = "open"
    """`pruned`: it is searched no further; `chosen`: on the path that the search goes on with."""
    adjusted: bool = False
    """Its confidence had to be normalised."""


class TrialEnded(Event, frozen=True, kw_only=True, tag="trial_ended"):
    """A method ended one of its trials of a task. For readers of the journal; a replay compares."""

    solve: Path
    """The path of the request whose method makes the trials."""
    method: str = ""
    """The name of that method in the run; empty: it is the outermost one."""
    number: Annotated[int, Meta(ge=1)]
    """From 1."""
    actions: Annotated[int, Meta(ge=0)]
    """Actions that the world answered in it, those that were gone back on too."""
    reward: float
    """Of the world where the trial ended, in [0, 1]; no method needs to know it."""
    steps: Annotated[int, Meta(ge=0)] = 0
    """Of the plan that it followed; 0: it followed none."""
    revised: bool = False
    """The plan was made after another plan of this task had failed."""


class Decided(Event, frozen=True, kw_only=True, tag="decided"):
    """A method or a learner fixed something that depends on time or arrival. A replay returns the same answer."""

    question: str
    answer: str
    """As JSON."""


class BranchEnded(Event, frozen=True, kw_only=True, tag="branch_ended"):
    """The branch at this path ended, and its parent was given that end. A replay gives the ends in the same order."""

    place: int
    """From 1, in the order in which the branches of its group ended."""


class BranchStopped(Event, frozen=True, kw_only=True, tag="branch_stopped"):
    """The branch at this path was stopped before its parent was given its end. A replay does not run it."""


class Refused(Event, frozen=True, kw_only=True, tag="refused"):
    """A model permanently refused a request below this path. A replay does not ask again."""

    reason: str
    """In the endpoint's words."""


class Recalled(Event, frozen=True, kw_only=True, tag="recalled"):
    """Tuples of a memory, or notes of a notebook, were recalled. A replay fetches the same ones, and asks no model."""

    version: int
    batch: int = 0
    """The batch memory; 0: it is a notebook."""
    ids: tuple[int, ...]
    """In the order in which they were shown."""
    goal_type: int | None = None
    observation_type: int | None = None
    """None: there is no type, or the tuples were found by embedding."""
    failed: str = ""
    """Why the model named no type; empty: nothing failed."""
    left_out: int = 0
    """Notes for which the budget had no room."""
    section: str = ""
    """Of the notebook; empty: all of it, or tuples."""
    scores: tuple[float, ...] = ()
    """See `NotesFound`."""


class EpisodeReported(Event, frozen=True, kw_only=True, tag="episode_reported"):
    """A learner was given the result of this attempt. A replay gives it the same one, whatever was repeated since."""

    attempt: Path


class Offer(Struct, frozen=True, kw_only=True):
    """The answer that a method offered, in case its episode is cut short. Steps and calls record its turns."""

    state: Literal["solved", "unsolved"]
    session: str
    """The id of the session to continue in."""
    reward: float
    """In [0, 1]."""
    done: bool
    claimed: bool | None = None
    depth: int = 1


class CutShort(Event, frozen=True, kw_only=True, tag="cut_short"):
    """The episode at this path used up its time or its budget. A replay runs nothing."""

    reason: Literal["time limit", "episode budget"]
    offer: Offer | None = None
    """The newest at that moment: how the episode ends. None: there was none; its reward is the best of any step."""


class Cancelled(Event, frozen=True, kw_only=True, tag="cancelled"):
    """An operator cancelled the episode at this path, which was not cut short before. A replay runs nothing."""

    @property
    def reason(self) -> str:
        """Why the episode ended."""
        return "cancelled by operator"


class Requeued(Event, frozen=True, kw_only=True, tag="requeued"):
    """An operator asked for the attempt at this path."""

    repeats: Path
    """The attempt before it."""


class Exchanged(Event, frozen=True, kw_only=True, tag="exchanged"):
    """A role that calls models, a learner or a subtask answered. For readers of the journal; a replay asks again."""

    request: str
    """The request's tag."""
    subject: str
    session: str | None = None
    """The session that the reply names; None if it names none."""
    reply: str
    """The other fields of the reply as JSON, without what its steps say: turns, last action and observation. That of an
    inner method has `by`, its name in the run."""
    turns: tuple[Turn, ...] = ()
    """Of an episode's own answer. Below it, steps and calls record them."""


class Published(Event, frozen=True, kw_only=True, tag="published"):
    """A learner published a new version; committed before any episode reads it."""

    version: Version
    content: str


EpisodeState: TypeAlias = Literal["solved", "unsolved", "faulted", "interrupted"]
"""How an attempt ended. `solved`, `unsolved`: by the method's own account; whether the task was achieved is the reward.
`faulted`: by a fault. `interrupted`: it lost a host, a message or a process, or its run stopped, in a world that does
not repeat, so it cannot be replayed; the episode begins again as its next attempt."""


class EpisodeEnded(Event, frozen=True, kw_only=True, tag="episode_ended"):
    """The last event of an attempt."""

    state: EpisodeState
    reward: float = 0.0
    claimed: bool | None = None
    """The model's own claim about the task; None where it made none."""
    depth: int = 1
    """The deepest recursion level that was reached."""
    figures: Mapping[str, float] = {}
    """Those of the last step that had this reward, in the session that the episode ended in."""
    reason: str = ""
    """Why the method gave up, or what cut the episode short or interrupted the attempt; empty otherwise."""
    fault: FaultNote | None = None
    cancelled: bool = False
    """An operator ended it; this says nothing about the method."""

    @property
    def why(self) -> str:
        """The fault that ended it, or else why the method gave up."""
        return self.reason if self.fault is None else f"{self.fault.kind}: {self.fault.text}"


AnyEvent: TypeAlias = (
    CallMade
    | SessionOpened
    | SessionForked
    | StepTaken
    | Pictured
    | NodeGrown
    | TrialEnded
    | Decided
    | BranchEnded
    | BranchStopped
    | Refused
    | Recalled
    | EpisodeReported
    | CutShort
    | Cancelled
    | Requeued
    | Exchanged
    | Published
    | EpisodeEnded
)

for _event in get_args(AnyEvent):
    _event.kind = _event.__struct_config__.tag


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
    """With a call: the prompt's nodes that may not be in the journal yet, oldest first; read back, one with
    those messages that no earlier call of the episode had."""
