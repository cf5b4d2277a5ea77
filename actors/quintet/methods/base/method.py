"""The base classes of methods and learners: configuration, requests, prompts, and the coroutine that solves a task."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

from msgspec import Struct
from pydantic import BaseModel

from quintet.messages.environment import Policy
from quintet.messages.learning import Feedback, Learned, LearntKind, MemoryKind, Version
from quintet.messages.memory import recall_requests
from quintet.messages.message import Request, request_name
from quintet.messages.reflection import JudgeAttempt
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.versions import VersionOptions
from quintet.ports.model import SamplingOverride
from quintet.roles.registry import check_brought
from quintet.roles.role import Role

ConfigT = TypeVar("ConfigT", bound=BaseModel)


class _Configured(Generic[ConfigT]):
    """Holds its configuration. A subclass names the type once: `class React(Method[ReactConfig])`."""

    options: ClassVar[type[BaseModel]]
    """The configuration's type."""

    def __init__(self, config: ConfigT) -> None:
        self.config = config

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in vars(cls).get("__orig_bases__", ()):
            origin, arguments = get_origin(base), get_args(base)
            if isinstance(origin, type) and issubclass(origin, _Configured) and not isinstance(arguments[0], TypeVar):
                cls.options = arguments[0]


class Description(Struct, frozen=True, kw_only=True):
    """What reports say of a configured method."""

    budget: str = ""
    """The bound on model calls, for tables: `80`, or by level of recursion `4 x 20`; empty if there is none."""
    oracle: str = ""
    """What it uses rewards for while it solves a task, which no user's own task would tell it; empty: for nothing."""
    best_of: str = ""
    """Which of several finished answers to a task it gives, and who chooses it; empty: it pursues a task once. A result
    of several is no single run's."""
    skills: str = ""
    """Which list of skills a planner above it is shown: `paper-skills` for the prompt `decompose.paper-skills`. Empty:
    its inner method's; without one `skills`."""


class Method(_Configured[ConfigT], ABC, Generic[ConfigT]):
    """A method that solves one task at a time: `class React(Method[ReactConfig])`. Its instances are configured."""

    name: ClassVar[str]
    """The name on the command line: `adapt`."""
    version: ClassVar[str]
    """Raise this when the same completions lead to other requests; a run resumes only with the same version."""
    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()
    """The requests it sends to roles that call a model. The run's roles, models and prompts follow from them."""
    roles: ClassVar[tuple[Role, ...]] = ()
    """Further roles that it brings and asks: `model_role("critic")`, or roles with requests of their own."""
    prompt_folders: ClassVar[tuple[Path, ...]] = ()
    """Folders of its prompts, searched in order for `<folder>/<world>/<request>.txt`, `<request>.<part>.txt`. It acts
    in every world for which its prompts are found, in these folders, the world's or the user's. Another method's
    folder, `<other>/prompts`, also stands for what a world brings for that method."""
    worlds: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """By world, other defaults of its configuration."""
    environments: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """By world, the world's options whose defaults this method changes."""
    learner: ClassVar["type[LearnerSpec[Any]] | None"] = None
    """Its learner; None if it does not learn across episodes."""
    policy: ClassVar[Policy | None] = None
    """The world's policy that it follows; it is refused in a world without one. None: it follows none."""
    takes_listed_actions: ClassVar[bool] = False
    """Whether it can only take actions that the world lists; it is refused in a world that lists none."""
    mechanisms: ClassVar[Mapping[str, str]] = {}
    """What it does in some episodes, beside what all methods' events show: `remedies used`, and an SQL condition over
    the view `episodes` of the journal that says in which. `compare --noise` counts them."""
    nests: ClassVar[bool] = False
    """Whether it attempts goals by another method, its inner one: see `Episode.attempt`."""
    default_inner: ClassVar[str | None] = None
    """The inner method where none is configured; None with `nests`: there is none then. Its defaults in a world are
    `worlds[WORLD]["inner"]`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        check_brought(cls.roles)

    def __init__(self, config: ConfigT, inner: "Method[Any] | None" = None) -> None:
        super().__init__(config)
        self.inner = inner
        """The method that it attempts goals by, configured; None: there is none."""

    @abstractmethod
    async def solve(self, episode: Episode) -> Solved | Unsolved:
        """Pursue the episode's goal. Decisions must depend on answers and on `episode` alone."""

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        """Names of the demonstrations that the executor sees before a task, in order.

        Returns:
            None for the prompt `demonstrations`, if there is one.
        """
        return None

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        """Names of the prompts that make up the instructions for a request, in order.

        All but the first are left out in a world that has no such prompt.
        """
        return (request_name(request),)

    def reword(self, instructions: str) -> str:
        """Instructions as the method's options want them."""
        return instructions

    def describe(self) -> Description:
        """What reports say of it, as configured."""
        return Description()

    def needs_forks(self) -> bool:
        """Whether it copies sessions, as configured. It is refused in a world that cannot copy them."""
        return False

    def needs_snapshots(self) -> bool:
        """Whether it takes snapshots of sessions and opens them, as configured, without copying sessions otherwise.

        It is refused in a world that neither copies its states nor goes back (`GoesBack`).
        """
        return False

    def needs_snapshots_as_inner(self) -> bool:
        """`needs_snapshots` as an inner method, whose further trials begin in a snapshot of what it was given."""
        return self.needs_snapshots()

    def further_tasks(self) -> tuple[str, ...]:
        """Names of tasks that its episodes open beside their own. A run is refused if its world lacks one."""
        return ()

    def most_calls(self) -> int | None:
        """The most model calls of an episode, as configured; None: no bound is known. Recalled tuples cost more."""
        return None

    def most_calls_of_attempts(self, attempts: int) -> int | None:
        """The most model calls of so many attempts by the inner method; None: no bound is known."""
        each = None if self.inner is None else self.inner.most_calls()
        return None if each is None else attempts * each

    def budget_of_attempts(self, attempts: int) -> str:
        """The bound on the model calls of so many attempts by the inner method: `4 x 20`; empty if it has none."""
        each = "" if self.inner is None else self.inner.describe().budget
        return f"{attempts} x {each}" if each else ""

    @classmethod
    def asks(
        cls,
        *,
        learning: Feedback | None,
        recalling: Collection[MemoryKind] = (),
        for_world: Collection[type[Request[Any]]] = (),
    ) -> tuple[type[Request[Any]], ...]:
        """The requests of its episodes, each once, with all that the roles answer which it brings.

        Args:
            learning: with those of its learner, whose feedback this is; None: without.
            recalling: with those that recall from a memory or a notebook.
            for_world: with those that the environment role asks the run's judge and user.
        """
        further: tuple[type[Request[Any]], ...] = ()
        if learning is not None and cls.learner is not None:
            further = (*cls.learner.requests, *((JudgeAttempt,) if learning == "judged" else ()))
        brought = (request for role in cls.roles for request in role.requests)
        recall = (request for kind in recalling for request in recall_requests(kind))
        return tuple(dict.fromkeys((*cls.requests, *brought, *further, *recall, *for_world)))


def skills_of(method: Method[Any]) -> str:
    """Which list of skills a planner above a method is shown.

    In a world without the prompt the planner's own instructions have them.
    """
    return method.describe().skills or ("skills" if method.inner is None else skills_of(method.inner))


def list_requests(
    methods: Sequence[type[Method[Any]]],
    *,
    learning: Feedback | None,
    recalling: Collection[MemoryKind],
    for_world: Collection[type[Request[Any]]],
) -> list[tuple[type[Request[Any]], ...]]:
    """The requests that each of a run's methods asks.

    The learner's, the memory's, the judge's and the user's are the outermost's.

    Args:
        methods: outermost first.
    """
    outermost, *inner = methods
    own = outermost.asks(learning=learning, recalling=recalling, for_world=for_world)
    return [own, *(each.asks(learning=None) for each in inner)]


class LearnerSpec(_Configured[ConfigT], ABC, Generic[ConfigT]):
    """A method's learner. The method itself solves the episodes, each with one published version."""

    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()
    """The requests it sends to roles that call a model, in addition to those of the episodes."""
    learns: ClassVar[LearntKind] = "plan"
    """What it learns. The kind decides which prompt parts an episode gets from a version's content."""
    worlds: ClassVar[Mapping[str, Mapping[str, Any]]]
    """By world, other defaults of `[learning]`: for its own options, for `feedback`, and for `split`, `tasks` and
    `held_out`, which name the training tasks."""

    memory: ClassVar[Mapping[str, Any]] = {}
    """Other defaults of `[memory]`: how what it learns is recalled."""
    follows_streams: ClassVar[bool] = False
    """Whether it can learn along a stream: where `stream` is true it takes the training tasks in their order, plays
    each once, with the newest version, and publishes a version after each step. It is refused otherwise."""

    def __init__(self, config: ConfigT, *, stream: bool = False) -> None:
        super().__init__(config)
        self.stream = stream
        """Whether its training tasks are a stream: they are the run's result, so nothing explores, and there are no
        others."""

    @abstractmethod
    async def learn(self, run: LearnerContext) -> Learned:
        """Publish versions, and return the one to keep."""

    @abstractmethod
    def versions(self, training: int, trajectories: int = 0) -> int:
        """How many versions follow version 0.

        Args:
            training: the number of training tasks.
            trajectories: how many the run was given to learn from.

        Raises:
            ValueError: the options need more of either than there are; the text says what was expected and got.
        """

    def most_calls(self, training: int) -> int | None:
        """The most model calls beside those of its episodes; None: no bound is known.

        Args:
            training: the number of training tasks, or of the trajectories that it learns from in their place.
        """
        return None

    def exploration(self) -> SamplingOverride | None:
        """Sampling of training episodes, but not along a stream; None: as in others."""
        return None

    def purpose(self, version: Version) -> str:
        """What its method does in training episodes with a version, in the method's own words; see `Solve.purpose`."""
        return ""

    def chooses(self) -> bool:
        """Whether held-out tasks choose the version; if so, some tasks must be held out."""
        return isinstance(self.config, VersionOptions) and self.config.chooses()

    def plays(self) -> bool:
        """Whether it plays training tasks; if not, the run has none."""
        return True

    def episodes(self, training: int, held_out: int, test: int, trajectories: int = 0) -> int:
        """The most episodes, by the numbers of tasks and of given trajectories; 0: unknown."""
        return 0
