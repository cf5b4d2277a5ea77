"""The roles around LDM2's learner: episodes that answer with processes, a memory role and a store that count."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from quintet.errors import ModelFault
from quintet.events import AnyEvent, Published
from quintet.events.recording import Recording
from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, Learn, RunEpisode
from quintet.messages.memory import Form, Formed, ObservedAction, Remember, Remembered, Trajectory
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import LEARNER
from quintet.messages.solving import DecisionProcess
from quintet.messages.store import ReadTrajectories, Seal, Sealed, TrajectoriesRead
from quintet.methods.ldm2.config import Ldm2Learning
from quintet.methods.ldm2.learning import Ldm2Learner
from quintet.roles.context import RequestContext, running
from quintet.roles.learner import Learner
from tests.actors.fakes import Here
from tests.simulation.virtual import run

T = TypeVar("T")


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


@dataclass
class LearnerRoles:
    """A learner's roles, and what was said to them.

    Args:
        seconds: an episode takes.
        finds: the processes of a training episode, by the number of batch memories; None: it faults.
        succeeds: whether an episode does.
        refuses: whether the memory role's model refuses for good.
        batches: of version 0.
    """

    seconds: Callable[[RunEpisode], float] = lambda _request: 1.0
    finds: Callable[[RunEpisode, int], Sequence[DecisionProcess] | None] = found
    succeeds: Callable[[RunEpisode], bool] = lambda _request: False
    refuses: Callable[[Form | Remember], bool] = lambda _request: False
    batches: int = 0
    asked: list[Request[Any]] = field(default_factory=list[Request[Any]])
    ran: list[tuple[RunEpisode, float, float]] = field(default_factory=list[tuple[RunEpisode, float, float]])
    """With the virtual seconds of begin and end, in the order of ends."""
    published: list[Published] = field(default_factory=list[Published])
    under_way: Counter[str] = field(default_factory=Counter[str])
    most: Counter[str] = field(default_factory=Counter[str])
    """By kind of request, how many the memory role had at once."""

    def learn(self, learn: Learn, **options: Any) -> int:
        """Let LDM2 learn with these options; the version that it stands by."""

        async def commit(*events: AnyEvent) -> None:
            for event in events:
                assert isinstance(event, Published)
                self.published.append(event)

        def no_note(_event: AnyEvent) -> None:
            raise AssertionError("a learner grows no tree")

        async def scene() -> int:
            with running(RequestContext(LEARNER, 1, Recording(LEARNER), _committed(commit), no_note)):
                spec = Ldm2Learner(Ldm2Learning.model_validate(options))
                learned = await Learner(spec, self, seed=0).receive(learn)
                return learned.version

        return run(scene())

    def requests(self, kind: type[T]) -> list[T]:
        """The requests of one kind, in the order they were sent."""
        return [request for request in self.asked if isinstance(request, kind)]

    def tasks(self, version: int, *, for_training: bool) -> list[str]:
        """What was run with a version, in the order it was asked for."""
        return [
            request.task
            for request in self.requests(RunEpisode)
            if (request.version, request.for_training) == (version, for_training)
        ]

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        actors: dict[type[Request[Any]], Any] = {RunEpisode: _Episodes, Form: _Memory, Remember: _Memory}
        actor = actors.get(type(request), _Store)(self)
        return await Here("a role", actor, self.asked).ask(request)


def _committed(commit: Any) -> Any:
    """Refusals are committed too, and are of no interest."""

    async def committed(*events: AnyEvent) -> None:
        await commit(*(event for event in events if isinstance(event, Published)))

    return committed


class _Episodes:
    def __init__(self, roles: LearnerRoles) -> None:
        self._roles = roles

    async def receive(self, request: RunEpisode) -> EpisodeRan:
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(self._roles.seconds(request))
        self._roles.ran.append((request, began, asyncio.get_running_loop().time()))
        reward = float(self._roles.succeeds(request))
        if not request.for_training:
            return EpisodeRan(faulted=False, reward=reward, experience=None)
        processes = self._roles.finds(request, self._roles.batches)
        lived = Experience(
            task=request.task, opening="", turns=(), reason="nobody knows a way", processes=tuple(processes or ())
        )
        return EpisodeRan(faulted=processes is None, reward=reward, experience=lived)


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
