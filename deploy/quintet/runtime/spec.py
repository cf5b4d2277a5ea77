"""What a run is made of: a method in a world, with models behind its roles; each host spawns its roles from it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any, Final

from quintet.messages.environment import Task
from quintet.messages.message import Request, request_name
from quintet.messages.parts import Demonstrations, Recollection
from quintet.methods.base.method import LearnerSpec, Method
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.ports.embedder import Embedder
from quintet.ports.model import Closes, Model, Sampling
from quintet.ports.world import Worded, World
from quintet.roles.registry import prompts_of, roles_of, with_models
from quintet.roles.role import ActorParts, PromptTexts, Role
from quintet.roles.role_model import RoleModel
from quintet.runtime.calls import JournaledModel, Permits, RetryPolicy
from quintet.runtime.host import Host
from quintet.runtime.roles import HostRoles, Placement

EMBEDDER: Final = "embedder"
"""The name in `RunSpec.models` for the model that embeds; it is no role."""


@dataclass(frozen=True)
class Limits:
    """Deadlines in seconds; None: none."""

    model: RetryPolicy = field(default_factory=RetryPolicy)
    """Of a model call."""
    step: float | None = None
    """Of a request to an environment."""
    episode: float | None = None
    """Of an episode's working time."""


@dataclass(frozen=True)
class RunSpec:
    """A configured method in a world, with models behind its roles."""

    method: Method[Any]
    world: World
    models: Mapping[str, Model]
    """By role: executor, planner, reflector. An endpoint's embedder is under `EMBEDDER`."""
    sampling: Mapping[str, Sampling]
    """By role."""
    prompts: Mapping[str, str]
    """Texts by name: those of requests, and those that the method's executor is shown. If the world has several
    wordings, they are in the one that the world calls the prompts' own."""
    seed: int
    limits: Limits = field(default_factory=Limits)
    learner: LearnerSpec[Any] | None = None
    """None: the run does not learn."""
    recollection: Recollection | None = None
    """How its memory is recalled from, of no version yet; None: it has no memory."""
    embedder: Embedder | None = None
    """Of the run's memory; None: the run embeds nothing."""
    structured: Collection[str] = ()
    """Roles whose answers are JSON of the form that a request asks for."""

    @property
    def requests(self) -> tuple[type[Request[Any]], ...]:
        """The requests that its method, its learner and its memory ask of roles with models, each once."""
        return self.method.asks(learning=self.learner is not None, recalling=self.recollection is not None)

    @property
    def roles(self) -> tuple[Role, ...]:
        """Those that live on its hosts."""
        return roles_of(self.requests)

    @property
    def model_roles(self) -> tuple[str, ...]:
        """The names of those that call a model."""
        return with_models(self.roles)

    def spawn_roles(self, host: Host, placement: Placement) -> HostRoles:
        """Spawn on `host` the roles that live there.

        Returns:
            All roles, as this host asks them.

        Raises:
            UsageError: a request's prompt is missing in this world.
        """
        roles = HostRoles(host, placement, step_deadline=self.limits.step)
        permits = Permits(host)
        prompts = self.prompt_texts()
        for role in self.roles:
            if placement.lives_on(role.name, host.name):
                parts = ActorParts(
                    host=host.name,
                    roles=roles,
                    method=self.method,
                    world=self.world,
                    prompts=prompts,
                    demonstrations=self.demonstrations,
                    model=partial(self._model, role.name, host, permits),
                    embedder=self._embedder(host, permits),
                    episode_seconds=self.limits.episode,
                    queued=permits.queued,
                )
                host.spawn(role.name, role.start(parts))
        return roles

    async def aclose(self) -> None:
        """Close the models, once every host with these roles is closed."""
        for model in set(self.models.values()):
            if isinstance(model, Closes):
                await model.aclose()

    def prompt_texts(self) -> PromptTexts:
        """All prompts as the world words them; a request's own is its instructions as the method composes them.

        Raises:
            UsageError: a prompt that a request or its instructions need is missing in this world.
        """
        texts = PromptTexts(
            {name: self._in_world_words(text) for name, text in self.prompts.items()}, world=self.world.name
        )
        required = {name: texts[name] for name in prompts_of(self.requests)}
        composed = {
            name: "\n\n".join(texts[each] for each in self.method.instructions(request))
            for request in self.requests
            if (name := request_name(request)) in required
        }
        return PromptTexts({**texts, **required, **composed}, world=self.world.name)

    def demonstrations(self, task: Task) -> tuple[Demonstrations, ...]:
        """What the executor is shown before a task.

        Raises:
            UsageError: the demonstrations that the method's configuration asks for are missing in this world.
        """
        names = self.method.demonstrations(self.world.metadata(task.name))
        if names is None:
            names = tuple(name for name in ("demonstrations",) if name in self.prompts)
        texts = PromptTexts(self.prompts, world=self.world.name)
        return tuple(Demonstrations(text=self._in_world_words(texts[name])) for name in names)

    def _in_world_words(self, text: str) -> str:
        return self.world.worded(text) if isinstance(self.world, Worded) else text

    def _model(self, role: str, host: Host, permits: Permits) -> RoleModel:
        model = self._journaled(self.models[role], host, permits)
        return RoleModel(model, self.sampling[role], structured=role in self.structured)

    def _embedder(self, host: Host, permits: Permits) -> Embedder | None:
        if isinstance(self.embedder, ModelEmbedder):
            return self.embedder.through(lambda model: self._journaled(model, host, permits))
        return self.embedder

    def _journaled(self, model: Model, host: Host, permits: Permits) -> JournaledModel:
        return JournaledModel(model, host.recorder, permits, seed=self.seed, policy=self.limits.model)

    def task(self, name: str, epoch: int) -> Task:
        """A task of this run: its world depends on the run's seed, the task and the epoch only."""
        return seeded_task(self.seed, name, epoch)


def seeded_task(seed: int, name: str, epoch: int) -> Task:
    """A task of a run with that seed; its world depends on nothing else."""
    digest = blake2b(f"{seed}/{name}/{epoch}".encode(), digest_size=8).digest()
    return Task(name=name, seed=int.from_bytes(digest, "big") >> 1)
