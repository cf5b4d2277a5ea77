"""The roles around a learner: episodes that take their time, and a reflector and a planner that say what they saw."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeVar

from quintet.events import AnyEvent, Published
from quintet.events.recording import Recording
from quintet.messages.execution import Turn
from quintet.messages.learning import EpisodeRan, Experience, Learn, RunEpisode
from quintet.messages.message import ReplyT, Request, Unanswered
from quintet.messages.paths import LEARNER
from quintet.messages.planning import PlanRevised, RevisePlan
from quintet.messages.reflection import Reflect, Reflected
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.methods.base.method import LearnerSpec
from quintet.roles.context import RequestContext, running
from quintet.roles.learner import Learner
from tests.actors.fakes import Here
from tests.simulation.virtual import run

T = TypeVar("T")


class Ran(NamedTuple):
    """An episode, and when it ran in virtual seconds."""

    request: RunEpisode
    began: float
    ended: float


@dataclass(kw_only=True)
class TrainingRoles(ABC):
    """A learner's roles, and what was said to them.

    Args:
        seconds: an episode takes.
    """

    spec: ClassVar[type[LearnerSpec[Any]]]
    seconds: Callable[[RunEpisode], float] = lambda _request: 1.0
    asked: list[Request[Any]] = field(default_factory=list[Request[Any]])
    ran: list[Ran] = field(default_factory=list[Ran])
    """Episodes in the order of their ends."""
    published: list[Published] = field(default_factory=list[Published])

    @abstractmethod
    def ended(self, request: RunEpisode) -> EpisodeRan:
        """What an episode came to."""

    @abstractmethod
    def actor(self, request: Request[Any]) -> Any:
        """Who answers all else."""

    def learn(self, learn: Learn, seed: int = 0, *, stream: bool = False, **options: Any) -> int:
        """Let the learner learn with these options; the version that it stands by."""

        async def commit(*events: AnyEvent) -> None:
            self.published += (event for event in events if isinstance(event, Published))

        def no_note(_event: AnyEvent) -> None:
            raise AssertionError("a learner grows no tree")

        async def scene() -> int:
            with running(RequestContext(LEARNER, 1, Recording(LEARNER), commit, no_note)):
                configured = self.spec(self.spec.options.model_validate(options), stream=stream)
                learned = await Learner(configured, self, seed=seed).receive(learn)
                return learned.version

        return run(scene())

    def requests(self, kind: type[T]) -> list[T]:
        """The requests of one kind, in the order they were sent."""
        return [request for request in self.asked if isinstance(request, kind)]

    def tasks(self, version: int, *, for_training: bool) -> list[str]:
        """What was run with a version, in the order it was asked for."""
        asked = self.requests(RunEpisode)
        return [each.task for each in asked if (each.version, each.for_training) == (version, for_training)]

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        asked: Request[Any] = request
        actor = _Episodes(self) if isinstance(asked, RunEpisode) else self.actor(request)
        return await Here("a role", actor, self.asked).ask(request)


class _Episodes:
    def __init__(self, roles: TrainingRoles) -> None:
        self._roles = roles

    async def receive(self, request: RunEpisode) -> EpisodeRan:
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(self._roles.seconds(request))
        self._roles.ran.append(Ran(request, began, asyncio.get_running_loop().time()))
        return self._roles.ended(request)


def failed(_request: RunEpisode) -> bool | None:
    return False


def reflected(request: Reflect) -> Reflected | Unanswered:
    task = request.experience.task
    if request.depth == "summary":
        return Reflected(summary=f"{task} in short")
    return Reflected(summary=f"{task} in short", flaws=f"flaws of {task}", revision=f"better {task}")


def rewritten(request: RevisePlan) -> PlanRevised | Unanswered:
    return PlanRevised(text=f"{request.plan}+")


@dataclass(kw_only=True)
class FakeRoles(TrainingRoles):
    """Those around AutoPlan's learner.

    Args:
        succeeds: whether an episode does; None: it faults.
        reflects: the reflector's answer.
        revises: the planner's.
    """

    spec = AutoPlanLearner
    succeeds: Callable[[RunEpisode], bool | None] = failed
    reflects: Callable[[Reflect], Reflected | Unanswered] = reflected
    revises: Callable[[RevisePlan], PlanRevised | Unanswered] = rewritten

    @property
    def plans(self) -> list[str]:
        """By version."""
        assert [event.version for event in self.published] == list(range(len(self.published)))
        return [event.content for event in self.published]

    def ended(self, request: RunEpisode) -> EpisodeRan:
        succeeded = self.succeeds(request)
        lived = lived_through(request) if request.for_training else None
        return EpisodeRan(faulted=succeeded is None, reward=float(succeeded or 0), experience=lived)

    def actor(self, request: Request[Any]) -> Any:
        return _Reflector(self) if isinstance(request, Reflect) else _Planner(self)


class _Reflector:
    def __init__(self, roles: FakeRoles) -> None:
        self._roles = roles

    async def receive(self, request: Reflect) -> Reflected | Unanswered:
        return self._roles.reflects(request)


class _Planner:
    def __init__(self, roles: FakeRoles) -> None:
        self._roles = roles

    async def receive(self, request: RevisePlan) -> PlanRevised | Unanswered:
        return self._roles.revises(request)


def lived_through(request: RunEpisode) -> Experience:
    """What an episode went through."""
    turn = Turn(completion="Action: wait", observation=f"{request.task} with version {request.version}")
    return Experience(task=request.task, opening=f"Please do {request.task}.", turns=(turn,))
