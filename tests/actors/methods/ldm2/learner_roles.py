"""The roles around LDM2's learner: episodes that answer with processes, a memory role and a store that count."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from quintet.errors import ModelFault
from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, RunEpisode
from quintet.messages.memory import Form, Formed, ObservedAction, Remember, Remembered, Trajectory
from quintet.messages.message import Request
from quintet.messages.solving import DecisionProcess
from quintet.messages.store import ReadTrajectories, Seal, Sealed, TrajectoriesRead
from quintet.methods.ldm2.learning import Ldm2Learner
from tests.actors.methods.training_world import TrainingRoles


def process(task: str, version: int, *, batch: int = 0, first: int = 1) -> DecisionProcess:
    """A process of two turns."""
    turns = (
        Turn(completion="Action: wait", observation="It is late."),
        Turn(completion="Action: serve", observation=""),
    )
    session = f"{task}/{version}/0/1"
    return DecisionProcess(
        goal=f"do {task}", setting="A kitchen.", session=session, reward=1.0, turns=turns, batch=batch, first=first
    )


def trajectory(task: str, version: int) -> Trajectory:
    """What is remembered of that process."""
    steps = (
        ObservedAction(observation="A kitchen.", action="wait"),
        ObservedAction(observation="It is late.", action="serve"),
    )
    return Trajectory(goal=f"do {task}", steps=steps, reward=1.0, source=f"{task}/{version}/0")


def found(request: RunEpisode, batches: int) -> Sequence[DecisionProcess]:
    """The expert's process with an empty memory; else one for every batch memory, from the second turn on."""
    if not batches:
        return [process(request.task, request.version)]
    numbers = range(1, batches + 1)
    return [process(request.task, request.version, batch=batch, first=2) for batch in numbers]


@dataclass(kw_only=True)
class LearnerRoles(TrainingRoles):
    """Those around LDM2's learner.

    Args:
        finds: the processes of a training episode, by the number of batch memories; None: it faults.
        succeeds: whether an episode does.
        refuses: whether the memory role's model refuses for good.
        batches: of version 0.
    """

    spec = Ldm2Learner
    finds: Callable[[RunEpisode, int], Sequence[DecisionProcess] | None] = found
    succeeds: Callable[[RunEpisode], bool] = lambda _request: False
    refuses: Callable[[Form | Remember], bool] = lambda _request: False
    batches: int = 0
    under_way: Counter[str] = field(default_factory=Counter[str])
    most: Counter[str] = field(default_factory=Counter[str])
    """By kind of request, how many the memory role had at once."""

    def ended(self, request: RunEpisode) -> EpisodeRan:
        reward = float(self.succeeds(request))
        if not request.for_training:
            return EpisodeRan(faulted=False, reward=reward, experience=None)
        processes = self.finds(request, self.batches)
        lived = Experience(
            task=request.task, opening="", turns=(), reason="nobody knows a way", processes=tuple(processes or ())
        )
        return EpisodeRan(faulted=processes is None, reward=reward, experience=lived)

    def actor(self, request: Request[Any]) -> Any:
        return _Memory(self) if isinstance(request, Form | Remember) else _Store(self)


class _Memory:
    def __init__(self, roles: LearnerRoles) -> None:
        self._roles = roles

    async def receive(self, request: Form | Remember) -> Formed | Remembered:
        roles, kind = self._roles, type(request).__name__
        roles.under_way[kind] += 1
        roles.most[kind] = max(roles.most[kind], roles.under_way[kind])
        await asyncio.sleep(1.0)
        roles.under_way[kind] -= 1
        if roles.refuses(request):
            raise ModelFault("the prompt is too long")
        if isinstance(request, Remember):
            return Remembered(tuples=1)
        roles.batches = max(roles.batches, request.batch)
        return Formed(tuples=2, goal_types=1, observation_types=1)


class _Store:
    def __init__(self, roles: LearnerRoles) -> None:
        self._roles = roles

    async def receive(self, request: Seal | ReadTrajectories) -> Sealed | TrajectoriesRead:
        if isinstance(request, ReadTrajectories):
            numbers = range(request.first, request.first + request.count)
            return TrajectoriesRead(trajectories=tuple(trajectory(f"given-{number}", 0) for number in numbers))
        batches = self._roles.batches
        return Sealed(
            batches=batches, tuples=0, added=0, goal_types=0, observation_types=0, digest=f"{request.version}"
        )
