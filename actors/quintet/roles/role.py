"""What a role declares: the requests it answers, and how its actor is started on a host."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.messages.message import Message, Request
from quintet.messages.parts import PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.ports.embedder import Embedder
from quintet.ports.roles import Roles
from quintet.ports.transport import HostName
from quintet.ports.world import World
from quintet.roles.role_model import RoleModel


class Actor(Protocol):
    """An object with one `receive`, whose annotation says which requests it accepts."""

    async def receive(self, request: Any) -> Message: ...


class EpisodeMethod(Protocol):
    """A configured method, as the actor sees it that runs its coroutine."""

    name: ClassVar[str]

    async def solve(self, episode: Episode) -> Solved | Unsolved: ...


class PromptTexts(dict[str, str]):
    """Prompts by name, as a world words them. A request's own prompt is its instructions as the method composes them.

    Raises:
        UsageError: there is no prompt of the name that was looked up.
    """

    def __init__(self, texts: Mapping[str, str], *, method: str, world: str) -> None:
        super().__init__(texts)
        self._label = f"prompts of {method} for {world}"

    def __missing__(self, name: str) -> str:
        raise UsageError(f"{self._label}: expected one of {', '.join(sorted(self))}, got {name!r}")


@dataclass(frozen=True)
class RunMethod:
    """One of a run's methods, as it runs on one host."""

    name: str
    """In the run, by which `Solve.by` names it."""
    inner: str
    """The name of its inner method; empty if it has none."""
    method: EpisodeMethod
    demonstrations: Callable[[Task], tuple[PromptPart, ...]]
    """Its executor's, by task."""
    roles: Roles
    """As it asks them: its own where it has them, else the run's."""


@dataclass(frozen=True)
class ActorParts:
    """Everything that starts the actors of one of a run's methods on one host."""

    host: HostName
    roles: Roles
    """As the method asks them."""
    methods: tuple[RunMethod, ...]
    """All of the run's, outermost first."""
    world: World
    workers: int
    """The most calls at a time of a world that blocks, on the host."""
    world_roles: tuple[str, ...]
    """The names of the run's judge and user, as far as it has them."""
    prompts: PromptTexts
    """The method's."""
    model: Callable[[], RoleModel]
    """Makes the model of the role that is started, as the run is configured."""
    embedder: Embedder | None
    """Of the run's memory; None: the run embeds nothing."""
    episode_seconds: float | None
    """Limit of an episode's working time; None: none."""
    queued: Callable[[], Awaitable[float]]
    """Seconds that the running episode has waited for permits so far, which are not working time."""


_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Role:
    """A kind of actor. Which roles a run has follows from the requests that its methods ask, and from `Method.roles`.

    Raises:
        UsageError: the name is not of lower-case letters, digits and `_`; or a request has no tag.
    """

    name: str
    """In `[model.NAME]`, `[runtime.roles.NAME]`, reports and Ray's list of actors."""
    requests: Mapping[type[Request[Any]], tuple[str, ...]]
    """The requests it answers, each with the prompts it needs. The prompt of a request's own name is its instructions;
    a request may do without, and use those of others. A request with a field `role` goes to the role of that name."""
    start: Callable[[ActorParts], Actor]
    completion_tokens: int | None = None
    """Its longest completion, unless configured; None: it calls no model, and its requests have no prompts."""
    at_session: bool = False
    """Whether a request about a session goes to the session's host."""
    prompts: Path | None = None
    """A folder of `<name>.txt`, for all worlds: its prompts where a method has none. None: a method must have them."""
    optional_prompts: tuple[str, ...] = ()
    """Names of prompts that it uses if there are any."""
    apart: bool = False
    """Its calls are not the method's: the run's budget pays for them, an episode's limits do not count them."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"role: expected a name of lower-case letters, digits and _, got {self.name!r}")
        for request in self.requests:
            if request.__struct_config__.tag is None:
                raise UsageError(f"role {self.name}: expected {request.__name__} with a tag of its own, got none")
