"""Messages of the environment role: open, step, query, fork and close sessions of a world."""

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from quintet.messages.message import Message, Request
from quintet.messages.paths import Path
from quintet.messages.tools import OfferedTool


class Task(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One task of an environment, as the run names it."""

    name: str
    """Unique within the environment; the first part of the episode's path."""
    seed: int
    """Fixes the world: depends on the run's seed, the task and the epoch only, so all methods meet the same worlds."""


class Trail(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was done in a session since its task began."""

    task: Task
    actions: tuple[str, ...] = ()
    """In order, as the world was asked; those that it rejected included, where they are known."""

    def then(self, *actions: str) -> "Trail":
        """The same, with further actions."""
        return Trail(task=self.task, actions=(*self.actions, *actions))


class Session(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A handle to one live session."""

    id: str
    """Derived from the path of the request that made it."""
    host: str
    """The host the session lives on. Not part of what two runs are compared by."""


class Opened(Message, frozen=True, kw_only=True, tag="opened"):
    """A session begins."""

    session: Session
    observation: str
    """What is seen now: on a task its opening as the world publishes it, goal included; on a snapshot what its place
    looks like now."""
    setting: str
    """The opening without its goal, so that a subtask can have the same setting."""
    goal: str
    """The goal as an instruction: `craft beehive`."""
    exact: bool = True
    """On a snapshot: what is seen now is exactly what was seen when it was taken."""
    waited: float = 0.0
    """Seconds for which it waited for a place; no working time. Not part of what two runs are compared by."""


class Open(Request[Opened], frozen=True, kw_only=True, tag="open"):
    """Open a session on a task, or on a snapshot of another session of the same task."""

    task: Task
    snapshot: bytes | None = None
    origin: str = ""
    """The id of the session that the snapshot was taken of; empty without a snapshot."""


class Stepped(Message, frozen=True, kw_only=True, tag="stepped"):
    """The world's answer to an action."""

    observation: str
    reward: float
    """Earned so far in this session, in [0, 1]; never falls."""
    done: bool
    """The world accepts no further actions."""
    rejected: bool
    """The world did not carry the action out; `observation` says so."""
    lasting: bool = False
    """Opening an earlier snapshot does not undo it."""
    figures: Mapping[str, float] = {}
    """Further figures of what was reached, by name, each in [0, 1]."""
    tells_reward: bool = False
    """`observation` tells the reward, so turns have other words in its place."""
    final_answer: bool = False
    """The action claims that the task is completed, so no claim is asked for."""


class Step(Request[Stepped], frozen=True, kw_only=True, tag="step"):
    """Act once. Steps of one session are taken in the order they arrive."""

    session: Session
    action: str
    thought: str = ""
    """The executor's thought before the action. Journaled with the step; the world does not see it."""


class ActionsListed(Message, frozen=True, kw_only=True, tag="actions_listed"):
    """The actions that are possible now."""

    actions: tuple[str, ...] | None
    """Every action that would be carried out, each once, sorted; none when the task is done. None: too many to list."""


class ListActions(Request[ActionsListed], frozen=True, kw_only=True, tag="list_actions"):
    """Ask which actions would be carried out now."""

    session: Session


Policy: TypeAlias = Literal["expert", "naive"]
"""`expert`: solves the task, a ceiling. `naive`: the world's floor, as WebShop's buyer of the first product found."""


class ToolsListed(Message, frozen=True, kw_only=True, tag="tools_listed"):
    """The tools that may be called now."""

    tools: tuple[OfferedTool, ...]
    """Empty: an action is any text."""


class ListTools(Request[ToolsListed], frozen=True, kw_only=True, tag="list_tools"):
    """Ask what a model that calls tools may call now. Not journaled."""

    numbered: ClassVar[bool] = False

    session: Session


class ExpertAdvised(Message, frozen=True, kw_only=True, tag="expert_advised"):
    """The world's own solution."""

    actions: tuple[str, ...] | None
    """They solve the task from here, one after the other; none when it is done. None: the world knows of none."""


class AskExpert(Request[ExpertAdvised], frozen=True, kw_only=True, tag="ask_expert"):
    """Ask for actions that solve the task from here, or for those of a naive policy."""

    session: Session
    policy: Policy = "expert"


class Forked(Message, frozen=True, kw_only=True, tag="forked"):
    """A copy exists; neither session sees what happens in the other."""

    session: Session


class Fork(Request[Forked], frozen=True, kw_only=True, tag="fork"):
    """Copy a session on its host."""

    session: Session


class Snapshotted(Message, frozen=True, kw_only=True, tag="snapshotted"):
    """A session as bytes that `Open` takes on any host."""

    snapshot: bytes


class Snapshot(Request[Snapshotted], frozen=True, kw_only=True, tag="snapshot"):
    """Write a session down."""

    session: Session


class Closed(Message, frozen=True, kw_only=True, tag="closed"):
    """The session is gone; closing it again is no error."""


class Close(Request[Closed], frozen=True, kw_only=True, tag="close"):
    """End a session."""

    session: Session


class CloseBranch(Request[Closed], frozen=True, kw_only=True, tag="close_branch"):
    """End every session that was made in a branch, on the host of `session`. Nothing of a stopped branch is used."""

    session: Session
    branch: Path
    """The branch's path."""


class Vacated(Message, frozen=True, kw_only=True, tag="vacated"):
    """No session is open."""


class Vacate(Request[Vacated], frozen=True, kw_only=True, tag="vacate"):
    """From the driver, before it resets the world: end every session on the host, and answer once they are closed."""


class Ready(Message, frozen=True, kw_only=True, tag="ready"):
    """Episodes can be played on the host."""


class NotReady(Message, frozen=True, kw_only=True, tag="not_ready"):
    """No episode can be played on the host."""

    reason: str
    """For the user, who can correct it."""


class GetReady(Request[Ready | NotReady], frozen=True, kw_only=True, tag="get_ready"):
    """From the driver, before the first episode: start and check what sessions need, in a world that `GetsReady`."""

    tasks: tuple[str, ...]
    """The names of those that are to be played."""


EnvironmentRequest: TypeAlias = (
    Open | Step | ListActions | ListTools | AskExpert | Fork | Snapshot | Close | CloseBranch | Vacate | GetReady
)
