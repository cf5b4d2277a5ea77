"""The assembly: everything a host needs to be furnished with a run's actors."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.messages.parts import Demonstrations
from quintet.methods.base.learning import LearnerSpec
from quintet.methods.base.method import Method
from quintet.ports.model import Closes, Model, Sampling
from quintet.ports.world import Worded, World
from quintet.roles.environment import Environment
from quintet.roles.executor import Executor
from quintet.roles.formed import Formed
from quintet.roles.planner import Planner
from quintet.roles.reflector import Reflector
from quintet.roles.subtask import Subtask
from quintet.runtime.calls import JournaledModel, Permits, RetryPolicy
from quintet.runtime.host import Host
from quintet.runtime.roles import HostRoles, Placement

ROLES = ("planner", "executor", "reflector", "environment", "subtask")


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
class LearnerSetup:
    """How the method learns across the run's episodes."""

    spec: LearnerSpec
    config: Any
    """An instance of `spec.config`."""


@dataclass(frozen=True)
class RunSpec:
    """A method with its configuration, in a world, with models behind its roles."""

    method: Method
    config: Any
    """An instance of `method.config`."""
    world: World
    models: Mapping[str, Model]
    """By role: executor, planner, reflector."""
    sampling: Mapping[str, Sampling]
    """By role."""
    prompts: Mapping[str, str]
    """Texts by name: those of the roles, and those that the method's executor is shown. Where the world words things
    in several ways, they are in the way that the world calls the prompts' own."""
    seed: int
    limits: Limits = field(default_factory=Limits)
    learning: LearnerSetup | None = None
    """None: nothing is learnt."""
    structured: Collection[str] = ()
    """Roles that are answered with JSON of the form that a request asks for."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that need a model."""
        return self.method.asks(learning=self.learning is not None)

    def spawn_roles(self, host: Host, placement: Placement) -> HostRoles:
        """Spawn on `host` the roles that live there.

        Returns:
            All roles, as they are asked from this host.
        """
        roles = HostRoles(host, placement, step_deadline=self.limits.step)
        permits = Permits(host)
        for role in ROLES:
            lives_here = role not in placement.hosts or host.name in placement.hosts[role]
            if lives_here and (role in self.roles or role in ("environment", "subtask")):
                host.spawn(role, self._actor(role, host, roles, permits))
        return roles

    async def aclose(self) -> None:
        """Have the models let go of what they hold, once no host that was furnished here is open."""
        for model in set(self.models.values()):
            if isinstance(model, Closes):
                await model.aclose()

    def _actor(
        self, role: str, host: Host, roles: HostRoles, permits: Permits
    ) -> Environment | Executor | Planner | Reflector | Subtask:
        match role:
            case "planner":
                return Planner(
                    self._model(role, host, permits),
                    instructions=self.instructions(role),
                    update=self._prompt_if_any("update"),
                    sampling=self.sampling[role],
                    structured=role in self.structured,
                )
            case "executor":
                return Executor(
                    self._model(role, host, permits),
                    instructions=self.instructions(role),
                    thought=self._prompt_if_any("thought"),
                    formalizer=self._prompt_if_any("formalizer"),
                    sampling=self.sampling[role],
                    structured=role in self.structured,
                    roles=roles,
                )
            case "reflector":
                return Reflector(
                    self._model(role, host, permits),
                    instructions=self.instructions(role),
                    summary=self._prompt("summary"),
                    flaw=self._prompt("flaw"),
                    revision=self._prompt("revision"),
                    sampling=self.sampling[role],
                    structured=role in self.structured,
                )
            case "environment":
                return Environment(self.world, host=host.name)
            case _:
                limit = self.limits.episode
                return Subtask(self.method, self.config, self.shown, roles, time_limit=limit, queued=permits.queued)

    def shown(self, task: Task) -> tuple[Demonstrations, ...]:
        """What the executor is shown before a task.

        Raises:
            UsageError: the method has none of the demonstrations that its configuration asks for in this world.
        """
        if "executor" not in self.method.roles:
            return ()
        names = self.method.demonstrations(self.config, self.world.metadata(task.name))
        if names is None:
            names = tuple(name for name in ("demonstrations",) if name in self.prompts)
        return tuple(Demonstrations(text=self._prompt(name)) for name in names)

    def instructions(self, role: str) -> str:
        """What every prompt of a role begins with.

        Raises:
            UsageError: the method names a prompt that it does not have in this world.
        """
        return "\n\n".join(self._prompt(name) for name in self.method.instructions(self.config, role))

    def _prompt(self, name: str) -> str:
        text = self.prompts.get(name)
        if text is None:
            has = ", ".join(sorted(self.prompts))
            raise UsageError(f"prompt: expected one of {has} for {self.world.name}, got {name!r}")
        return self.world.worded(text) if isinstance(self.world, Worded) else text

    def _prompt_if_any(self, name: str) -> str:
        return self._prompt(name) if name in self.prompts else ""

    def _model(self, role: str, host: Host, permits: Permits) -> Formed:
        journaled = JournaledModel(self.models[role], host.recorder, permits, seed=self.seed, policy=self.limits.model)
        return Formed(journaled, structured=role in self.structured)

    def task(self, name: str, epoch: int) -> Task:
        """A task of this run: its world depends on the run's seed, the task and the epoch only."""
        digest = blake2b(f"{self.seed}/{name}/{epoch}".encode(), digest_size=8).digest()
        return Task(name=name, seed=int.from_bytes(digest, "big") >> 1)
