"""What a method is: a coroutine, its configuration and its prompts."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.learning import LearnerSpec


@dataclass(frozen=True)
class Method:
    """A method that solves one task at a time."""

    name: str
    """As on the command line: `adapt`."""
    version: str
    """Raised when the same completions lead to another conversation; a run resumes only under the same."""
    config: type[BaseModel]
    solve: Callable[[Episode[Any]], Awaitable[Solved | Unsolved]]
    roles: tuple[str, ...]
    """The roles its conversation asks besides environment and subtask: those that need a model and instructions. None
    where it asks no model."""
    prompt_folders: tuple[Path, ...]
    """Where its prompts are looked for, in order: `<folder>/<world>/<name>.txt`."""
    worlds: Mapping[str, Mapping[str, Any]]
    """The worlds it has prompts for, each with the configuration values that differ from the defaults there. Without
    roles it needs no prompts, and acts in any world."""
    demonstrations: Callable[[Any, Mapping[str, str]], tuple[str, ...] | None] = lambda _config, _metadata: None
    """The names of the prompts that the executor is shown before a task, in this order, by the configuration and the
    task's metadata; None for the prompt `demonstrations`, where there is one."""
    instructions: Callable[[Any, str], tuple[str, ...]] = lambda _config, role: (role,)
    """The names of the prompts that are a role's instructions together, in this order, by configuration and role."""
    budget: Callable[[Any], str] = lambda _config: ""
    """The bound on model calls that a configuration sets, for tables: `80`, or by level of recursion `4 x 20`."""
    environments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Options of worlds that the method asks for, where they differ from the world's own defaults."""
    learning: LearnerSpec | None = None
    """What it learns across episodes, if anything."""

    def asks(self, *, learning: bool) -> tuple[str, ...]:
        """The roles that need a model, each once: those of its episodes, and those of learning where it learns."""
        further = self.learning.roles if learning and self.learning is not None else ()
        return tuple(dict.fromkeys((*self.roles, *further)))

    def acts_in(self, world: str) -> bool:
        """Whether it can act in a world of that name."""
        return not self.roles or world in self.worlds

    def defaults(self, world: str) -> Mapping[str, Any]:
        """The configuration values that differ from the defaults in a world."""
        return self.worlds.get(world, {})
