"""The stack of a trial: actions to take in states of the world, each for a step of the plan."""

from dataclasses import dataclass

from quintet.messages.environment import Session, Stepped
from quintet.messages.execution import Turn
from quintet.messages.parts import TaskSteps
from quintet.roles.branches import Branch, Branches
from quintet.search.proposals import Proposal


@dataclass(frozen=True)
class CurrentStep:
    """A step of a plan: the paper's subtask tau."""

    steps: tuple[str, ...]
    number: int
    """From 1."""

    @property
    def part(self) -> TaskSteps:
        """What prompts show."""
        return TaskSteps(steps=self.steps, current=self.number)

    def next(self) -> "CurrentStep | None":
        """The step after this one; None: it is the last."""
        return CurrentStep(self.steps, self.number + 1) if self.number < len(self.steps) else None


@dataclass(frozen=True)
class Observation:
    """What is seen in a state."""

    text: str
    short: str
    """The same, or a summary of it: for the question of alignment, and for the history where that has no answer."""


@dataclass(eq=False, kw_only=True)
class Checkpoint:
    """A state of the world that the trial was in, and may go back to."""

    seen: Observation
    """What was seen on arriving in it."""
    actions: int
    """How many actions were carried out before it, in all trials."""
    turns: tuple[Turn, ...] = ()
    """From the start of the trial."""
    action: str = ""
    """The last one; empty where the trial begins."""
    reward: float = 0.0
    done: bool = False
    snapshot: bytes | None = None
    """To go back to it; None: nothing needed it yet."""
    origin: str = ""
    """The id of the session that the snapshot was taken of."""


@dataclass(eq=False, kw_only=True)
class TrialStep:
    """What an action led to."""

    action: str
    """As it was carried out."""
    stepped: Stepped
    seen: Observation
    aligned: bool
    description: str
    """Empty: the model gave none."""


@dataclass(eq=False, kw_only=True)
class Speculation:
    """A remedy that is tried ahead of need."""

    group: Branches
    branch: Branch[TrialStep]
    session: Session
    """A copy of the state's."""

    async def result(self) -> TrialStep:
        """What it led to, when that is known."""
        while not self.branch.has_result:
            await self.group.next()
        return self.branch.result()


@dataclass(eq=False, kw_only=True)
class Entry:
    """An action to take in a state."""

    state: Checkpoint
    seen: Observation
    """What was seen when it was chosen."""
    proposal: Proposal
    step: CurrentStep
    """The step that it serves."""
    speculation: Speculation | None = None
