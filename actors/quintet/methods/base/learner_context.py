"""What a learner sees: the tasks to learn from, episodes to be run, the roles to ask, and where it publishes."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Generic, TypeVar

from quintet.messages.learning import EpisodeRan, RunEpisode, Version
from quintet.messages.message import ReplyT, Request
from quintet.ports.refs import LearnerRoles, Ref
from quintet.roles.context import AnswerT, Branches, branches, decide, publish, seeded, unless_refused

ConfigT = TypeVar("ConfigT", covariant=True)


@dataclass(frozen=True)
class LearnerContext(Generic[ConfigT]):
    """The context of a learner's coroutine. No model client, no clock, no Ray."""

    config: ConfigT
    roles: LearnerRoles
    seed: int
    """Of the run."""
    training: tuple[str, ...]
    """Names of the tasks to learn from."""
    held_out: tuple[str, ...]
    """Tasks by which a version may be chosen."""
    test: tuple[str, ...]
    """Tasks by which versions are measured. Nothing may depend on how they go."""
    start: str
    """What there is at first: version 0."""

    @property
    def planner(self) -> Ref:
        return self.roles.planner

    @property
    def reflector(self) -> Ref:
        return self.roles.reflector

    async def ask(self, ref: Ref, request: Request[ReplyT]) -> ReplyT | None:
        """Ask a role that asks a model; None where the model refuses for good, which a replay takes for granted.

        A learner that would fault there at every resume goes on without the answer.
        """

        async def asked() -> ReplyT:
            return await ref.ask(request)

        return await unless_refused(asked)

    async def publish(self, version: Version, content: str) -> None:
        """Let episodes read a version from now on; see `quintet.roles.context`."""
        await publish(version, content)

    async def experience(self, tasks: Sequence[str], version: Version) -> list[EpisodeRan]:
        """Run training tasks with a version, all at once and before everything that waits.

        Returns:
            What became of each, in the order of the tasks, whichever came first.
        """
        async with branches() as group:
            ran = [group.start(self._episode, task, version, True) for task in tasks]
        return [branch.result() for branch in ran]

    async def measure(self, tasks: Sequence[str], version: Version) -> float | None:
        """Run tasks with a version, all at once.

        Returns:
            The share of them that earned the reward in full, of those that did not fault; None where all did.
        """
        async with branches() as group:
            ran = [group.start(self._episode, task, version, False) for task in tasks]
        ends = [branch.result() for branch in ran]
        successes = [float(end.succeeded) for end in ends if not end.faulted]
        return fmean(successes) if successes else None

    async def _episode(self, task: str, version: Version, learnt_from: bool) -> EpisodeRan:
        return await self.roles.episodes.ask(RunEpisode(task=task, version=version, learnt_from=learnt_from))

    def random(self) -> Random:
        """A generator seeded by the run's seed and the current path: the same at every replay."""
        return seeded(self.seed)

    def branches(self) -> Branches:
        """Several things at once; see `quintet.roles.context`."""
        return branches()

    async def decide(self, question: str, answer: AnswerT) -> AnswerT:
        """Fix what depends on time or arrival; see `quintet.roles.context`."""
        return await decide(question, answer)
