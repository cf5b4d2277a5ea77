"""What a run is made of: methods in a world, with models behind their roles; each host spawns its actors from it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import chain
from typing import Any, Final

from quintet.messages.environment import Task
from quintet.messages.learning import Feedback, MemoryKind
from quintet.messages.message import Request, request_name
from quintet.messages.parts import Demonstrations, Notebook, Recollection
from quintet.methods.base.method import LearnerSpec, Method, list_requests
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.ports.embedder import Embedder
from quintet.ports.model import Closes, Model, Sampling, TakesQuestions
from quintet.ports.world import PlayedWorld, World
from quintet.questions.shape import AnswerForm
from quintet.roles.question_roles import JUDGE_ROLE, WORLD_ROLES
from quintet.roles.registry import prompts_of, roles_of
from quintet.roles.role import ActorParts, PromptTexts, Role, RunMethod
from quintet.roles.role_model import RoleModel
from quintet.runtime.batched import Batched
from quintet.runtime.calls import JournaledModel, Permits
from quintet.runtime.host import Host
from quintet.runtime.retries import RetryPolicy
from quintet.runtime.roles import HostRoles, Placement


@dataclass(frozen=True)
class MethodSpec:
    """A configured method, with what its own actors are made of."""

    name: str
    """In the run: `Solve.by` has it, and the names of its actors. The method's own; a second one is `NAME-2`."""
    method: Method[Any]
    models: Mapping[str, Model]
    """By role: executor, planner, reflector; the outermost has the memory's too."""
    sampling: Mapping[str, Sampling]
    """By role."""
    prompts: Mapping[str, str]
    """Texts by name: those of requests, and those that its executor is shown. If the world has several wordings, they
    are in the one that the world calls the prompts' own."""
    answers: Mapping[str, AnswerForm] = field(default_factory=dict[str, AnswerForm])
    """What answers are, by role; of one that is not named, text."""
    with_example_turns: Collection[str] = ()
    """Roles that are shown worked examples as turns of the conversation."""

    def prompt_texts(self, requests: Iterable[type[Request[Any]]], world: World) -> PromptTexts:
        """All prompts as the world words them, requests' as the method composes them; a `UsageError` without one."""
        worded = {name: world.worded(text) for name, text in self.prompts.items()}
        texts = PromptTexts(worded, method=self.name, world=world.name)
        required = {name: texts[name] for name in prompts_of(requests, self.method.roles)}
        composed = {
            name: self.method.reword("\n\n".join(self._instructions(request, texts)))
            for request in requests
            if (name := request_name(request)) in required
        }
        return PromptTexts({**texts, **required, **composed}, method=self.name, world=world.name)

    def _instructions(self, request: type[Request[Any]], texts: PromptTexts) -> list[str]:
        own, *further = self.method.instructions(request)
        return [texts[own], *(texts[name] for name in further if name in texts)]

    def demonstrations(self, world: World, task: Task) -> tuple[Demonstrations, ...]:
        """What its executor is shown before a task; a `UsageError` if the world has no such demonstrations."""
        names = self.method.demonstrations(world.metadata(task.name))
        if names is None:
            names = tuple(name for name in ("demonstrations",) if name in self.prompts)
        texts = PromptTexts(self.prompts, method=self.name, world=world.name)
        return tuple(Demonstrations(text=world.worded(texts[name])) for name in names)


EMBEDDER: Final = "embedder"
"""The name in `RunSpec.models` for the model that embeds; it is no role."""


@dataclass(frozen=True)
class Limits:
    """Deadlines in seconds; None: none."""

    model: RetryPolicy = field(default_factory=RetryPolicy)
    """Of a model call."""
    step: float | None = None
    """Of a request to an environment."""
    session: float | None = None
    """Of one that may be many steps: to make a session, or to ask its expert."""
    episode: float | None = None
    """Of an episode's working time."""


@dataclass(frozen=True)
class RunSpec:
    """Configured methods in a world."""

    methods: tuple[MethodSpec, ...]
    """Outermost first; each is the inner method of the one before it. At least one."""
    world: World
    seed: int
    sampling_seed: int = 0
    """Other than 0: it changes the seeds of calls, and of nothing else."""
    group: int = 1
    """Epochs in a row that meet the same world, at least 1."""
    world_options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What the world was made from, beside its name."""
    limits: Limits = field(default_factory=Limits)
    learner: LearnerSpec[Any] | None = None
    """Of the outermost method; None: the run does not learn."""
    feedback: Feedback = "reward"
    """Whence its learner knows whether an episode succeeded."""
    recollection: Recollection | Notebook | None = None
    """How its memory or notebook is recalled from, of no version yet; None: it has neither."""
    embedder: Embedder | None = None
    """Of the run's memory; None: the run embeds nothing."""
    given: tuple[object, ...] = ()
    """The instances that were given to it; whoever made them closes them."""
    workers: int = 16
    """The most calls at a time of a world that blocks, on each host."""

    @property
    def method(self) -> Method[Any]:
        """The outermost one, which pursues the tasks."""
        return self.methods[0].method

    @property
    def memory_kind(self) -> MemoryKind | None:
        """What its store has; None: it has no store."""
        if self.recollection is None:
            return None
        return "notebook" if isinstance(self.recollection, Notebook) else "memory"

    @property
    def judged(self) -> bool:
        """Whether it has a judge, which grades answers that its world was given."""
        return JUDGE_ROLE.name in self.world_roles

    @property
    def world_roles(self) -> tuple[str, ...]:
        """The names of its judge and its user, as far as it has them."""
        return tuple(role.name for role in WORLD_ROLES if role.name in self.methods[0].models)

    @property
    def models(self) -> dict[str, Model]:
        """By the name of the actor that calls it: `executor`, `INNER/executor`. An endpoint's embedder: `EMBEDDER`."""
        found = {self.actor(each, role): model for each in self.methods for role, model in each.models.items()}
        return found | ({EMBEDDER: self.embedder.model} if isinstance(self.embedder, ModelEmbedder) else {})

    @property
    def roles(self) -> tuple[Role, ...]:
        """Those that live on its hosts."""
        brought = {role.name: role for each in self.methods for role in each.method.roles}
        return roles_of(chain.from_iterable(self.requests.values()), tuple(brought.values()))

    @property
    def prompts(self) -> dict[str, Mapping[str, str]]:
        """By the method's name in the run, texts by name."""
        return {each.name: each.prompts for each in self.methods}

    @property
    def requests(self) -> dict[str, tuple[type[Request[Any]], ...]]:
        """By the method's name in the run, the requests that it asks of roles with models and of roles it brings."""
        methods = [type(each.method) for each in self.methods]
        asked = list_requests(
            methods,
            learning=None if self.learner is None else self.feedback,
            recalling=() if self.memory_kind is None else (self.memory_kind,),
            for_world=[request for role in WORLD_ROLES if role.name in self.world_roles for request in role.requests],
        )
        return dict(zip((each.name for each in self.methods), asked, strict=True))

    def actor(self, each: MethodSpec, role: str) -> str:
        """The name of the actor that answers for a role with a model to one of the methods."""
        return role if each is self.methods[0] else f"{each.name}/{role}"

    def spawn_roles(self, host: Host, placement: Placement) -> HostRoles:
        """Spawn on `host` the actors that live there: the run's, and those that are each inner method's own.

        Returns:
            All roles, as this host asks them for the outermost method.

        Raises:
            UsageError: a request's prompt is missing in this world.
        """
        asked = any(isinstance(each, TakesQuestions) for each in self.models.values())
        tasks = partial(self.task, epoch=0) if asked else None
        roles = HostRoles(
            host,
            placement,
            step_deadline=self.limits.step,
            session_deadline=self.limits.session,
            repeats=self.world.repeats,
            tasks=tasks,
        )
        asked_by = {each.name: self._asked_by(each, roles) for each in self.methods}
        inner_names = [*(each.name for each in self.methods[1:]), ""]
        methods = tuple(
            RunMethod(
                name=each.name,
                inner=inner,
                method=each.method,
                demonstrations=partial(each.demonstrations, self.world),
                roles=asked_by[each.name],
            )
            for each, inner in zip(self.methods, inner_names, strict=True)
        )
        permits = Permits(host)
        for each in self.methods:
            prompts = each.prompt_texts(self.requests[each.name], self.world)
            for role in self._own_roles(each):
                if placement.lives_on(role.name, host.name):
                    parts = ActorParts(
                        host=host.name,
                        roles=asked_by[each.name],
                        methods=methods,
                        world=self.world,
                        workers=self.workers,
                        world_roles=self.world_roles,
                        prompts=prompts,
                        model=partial(self._model, each, role, host, permits, asked_by[each.name]),
                        embedder=self._embedder(host, permits),
                        episode_seconds=self.limits.episode,
                        queued=permits.queued,
                    )
                    host.spawn(self.actor(each, role.name), role.start(parts))
        return asked_by[self.methods[0].name]

    async def aclose(self) -> None:
        """Close the models that it made, once every host with these roles is closed."""
        for model in set(self.models.values()):
            if isinstance(model, Closes) and not any(model is each for each in self.given):
                await model.aclose()

    def _own_roles(self, each: MethodSpec) -> tuple[Role, ...]:
        """The roles whose actors are the method's own; the outermost's are the run's."""
        brought = each.method.roles
        found = roles_of(self.requests[each.name], brought)
        if each is self.methods[0]:
            return found
        return tuple(role for role in found if role.completion_tokens is not None or role in brought)

    def _asked_by(self, each: MethodSpec, roles: HostRoles) -> HostRoles:
        return roles.of({role.name: self.actor(each, role.name) for role in self._own_roles(each)}, each.method.roles)

    def _model(self, each: MethodSpec, role: Role, host: Host, permits: Permits, roles: HostRoles) -> RoleModel:
        model = self._journaled(each.models[role.name], host, permits, apart=role.apart)
        return RoleModel(
            model,
            each.sampling[role.name],
            answers=each.answers.get(role.name, "text"),
            examples="turns" if role.name in each.with_example_turns else "text",
            roles=roles,
        )

    def _embedder(self, host: Host, permits: Permits) -> Embedder | None:
        if isinstance(self.embedder, ModelEmbedder):
            return self.embedder.through(lambda model: self._journaled(model, host, permits))
        return self.embedder

    def _journaled(self, model: Model, host: Host, permits: Permits, *, apart: bool = False) -> JournaledModel:
        policy, world = self.limits.model, PlayedWorld(self.world, self.world_options)
        if batched := isinstance(model, Batched):
            policy = replace(policy, deadline=None)
        return JournaledModel(
            model,
            host.recorder,
            permits,
            seed=self.seed,
            sampling_seed=self.sampling_seed,
            policy=policy,
            apart=apart,
            world=world,
            batched=batched,
        )

    def task(self, name: str, epoch: int) -> Task:
        """A task of this run: its world depends on the run's seed, the task and the group of the epoch only."""
        return seeded_task(self.seed, name, epoch // self.group)


def seeded_task(seed: int, name: str, epoch: int) -> Task:
    """A task of a run with that seed; its world depends on nothing else."""
    digest = blake2b(f"{seed}/{name}/{epoch}".encode(), digest_size=8).digest()
    return Task(name=name, seed=int.from_bytes(digest, "big") >> 1)
