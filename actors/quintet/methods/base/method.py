"""What a method is: a class with a typed configuration, the requests it asks, its prompts, and how it solves a task."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel

from quintet.messages.learning import Learned
from quintet.messages.message import Request, request_name
from quintet.messages.parts import PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.ports.model import SamplingOverride

ConfigT = TypeVar("ConfigT", bound=BaseModel)


class _Configured(Generic[ConfigT]):
    """Holds its configuration; a subclass names the type once: `class React(Method[ReactConfig])`."""

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


class Method(_Configured[ConfigT], ABC, Generic[ConfigT]):
    """A method that solves one task at a time: `class React(Method[ReactConfig])`. Its instances are configured."""

    name: ClassVar[str]
    """As on the command line: `adapt`."""
    version: ClassVar[str]
    """Raised when the same completions lead to another conversation; a run resumes only under the same."""
    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()
    """The requests it asks of roles that call a model. The run's roles, models and prompts follow from them."""
    prompt_folders: ClassVar[tuple[Path, ...]] = ()
    """Where its prompts are looked for, in order: `<folder>/<world>/<request>.txt`, `<request>.<part>.txt`."""
    worlds: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """The worlds it has prompts for, each with the configuration values that differ from the defaults there."""
    environments: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """By world, the world's options that differ from its own defaults under this method."""
    learner: ClassVar["type[LearnerSpec[Any]] | None"] = None
    """How it learns across episodes; None if it does not."""

    @abstractmethod
    async def solve(self, episode: Episode) -> Solved | Unsolved:
        """Pursue the episode's goal. Everything decided here must follow from answers and from `episode`."""

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        """Names of the prompts that the executor is shown before a task, in order.

        Args:
            metadata: the world's, of the task.

        Returns:
            None for the prompt `demonstrations`, if there is one.
        """
        return None

    def instructions(self, request: type[Request[Any]]) -> tuple[str, ...]:
        """Names of the prompts that together are the instructions for a request, in order."""
        return (request_name(request),)

    def budget(self) -> str:
        """The bound on model calls, for tables: `80`, or by level of recursion `4 x 20`; empty if there is none."""
        return ""

    @classmethod
    def acts_in(cls, world: str) -> bool:
        """Whether it can act in a world of that name; a method that asks no model acts in any."""
        return not cls.requests or world in cls.worlds

    @classmethod
    def asks(cls, *, learning: bool) -> tuple[type[Request[Any]], ...]:
        """The requests of its episodes, and those of its learner if it learns, each once."""
        further = cls.learner.requests if learning and cls.learner is not None else ()
        return tuple(dict.fromkeys((*cls.requests, *further)))


class LearnerSpec(_Configured[ConfigT], ABC, Generic[ConfigT]):
    """How a method learns. The method itself solves the episodes, each with one version of what was learnt."""

    requests: ClassVar[tuple[type[Request[Any]], ...]] = ()
    """The requests it asks of roles that call a model, beside those of the episodes."""
    worlds: ClassVar[Mapping[str, Mapping[str, Any]]]
    """By world, the values of `[learning]` that differ from the defaults there: of its own options, and `split`,
    `tasks` and `held_out`, the tasks to learn from."""

    @abstractmethod
    async def learn(self, run: LearnerContext) -> Learned:
        """Publish versions, and name the one to keep."""

    @abstractmethod
    def parts(self, content: str) -> tuple[PromptPart, ...]:
        """What an episode is shown of a version with this content."""

    @abstractmethod
    def versions(self, training: int) -> int:
        """How many versions follow version 0, by the number of training tasks.

        Raises:
            ValueError: the options ask for more tasks than there are; the text says what was expected and got.
        """

    def exploration(self) -> SamplingOverride | None:
        """How far completions vary in episodes that are learnt from; None: as in others."""
        return None

    def chooses(self) -> bool:
        """Whether a version is chosen by held-out tasks; some are held out then."""
        return False

    def episodes(self, training: int, held_out: int, test: int) -> int:
        """How many episodes there are at most, by the numbers of tasks; 0: unknown."""
        return 0
