"""What a method sees: one task in one session, the roles to ask, branches, decisions and seeded randomness."""

from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from quintet.messages.environment import Session, Task
from quintet.messages.parts import PromptPart
from quintet.ports.model import SamplingOverride
from quintet.ports.refs import Ref, Roles
from quintet.roles.context import AnswerT, Branches, branches, decide, seeded

ConfigT = TypeVar("ConfigT", covariant=True)


@dataclass(frozen=True)
class Episode(Generic[ConfigT]):
    """The context of a method's coroutine: an episode, or a subtask of one. No model client, no clock, no Ray."""

    config: ConfigT
    roles: Roles
    task: Task
    session: Session
    """Where to act."""
    setting: str
    """What the world says of itself before any goal."""
    goal: str
    depth: int
    """Recursion level; 1 is the user's own task."""
    parts: tuple[PromptPart, ...]
    """What the executor is shown before the task: the method's demonstrations, and what it was given."""
    last_action: str = ""
    """What was handed on: the last action of the subtask solved before this one; empty where there was none."""
    last_observation: str = ""
    """What the world answered to `last_action`."""
    inherited: tuple[PromptPart, ...] = ()
    """Those of `ingredients` that are not the method's own: what outlives episodes, handed on to subtasks."""
    sampling: SamplingOverride | None = None
    """How far the executor's completions vary; None: as configured. Plans are drawn as they always are."""

    @property
    def planner(self) -> Ref:
        return self.roles.planner

    @property
    def executor(self) -> Ref:
        return self.roles.executor

    def environment(self, session: Session | None = None) -> Ref:
        """The environment that holds `session`, this episode's by default."""
        return self.roles.environment(session or self.session)

    def subtask(self, session: Session | None = None) -> Ref:
        """Where a subtask that acts in `session` runs; this episode's by default."""
        return self.roles.subtask(session or self.session)

    def random(self) -> Random:
        """A generator seeded by the task's seed and the current path: the same at every replay and every attempt."""
        return seeded(self.task.seed)

    def branches(self) -> Branches:
        """Several things at once; see `quintet.roles.context`."""
        return branches()

    async def decide(self, question: str, answer: AnswerT) -> AnswerT:
        """Fix what depends on time or arrival; see `quintet.roles.context`."""
        return await decide(question, answer)
