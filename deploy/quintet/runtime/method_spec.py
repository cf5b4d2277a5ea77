"""One of a run's methods: configured, with the models, the sampling and the prompts that are its own."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from quintet.messages.environment import Task
from quintet.messages.message import Request, request_name
from quintet.messages.parts import Demonstrations
from quintet.methods.base.method import Method
from quintet.ports.model import Model, Sampling
from quintet.ports.world import World
from quintet.roles.registry import prompts_of
from quintet.roles.role import PromptTexts


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
    structured: Collection[str] = ()
    """Roles whose answers are JSON of the form that a request asks for."""

    def prompt_texts(self, requests: Iterable[type[Request[Any]]], world: World) -> PromptTexts:
        """All prompts as the world words them; a request's own is its instructions as the method composes them.

        Args:
            requests: that the method's roles are asked in the run.
            world: of the run.

        Raises:
            UsageError: a prompt that a request needs is missing in this world.
        """
        texts = PromptTexts({name: world.worded(text) for name, text in self.prompts.items()}, world=world.name)
        required = {name: texts[name] for name in prompts_of(requests, self.method.roles)}
        composed = {
            name: "\n\n".join(self._instructions(request, texts))
            for request in requests
            if (name := request_name(request)) in required
        }
        return PromptTexts({**texts, **required, **composed}, world=world.name)

    def _instructions(self, request: type[Request[Any]], texts: PromptTexts) -> list[str]:
        own, *further = self.method.instructions(request)
        return [texts[own], *(texts[name] for name in further if name in texts)]

    def demonstrations(self, world: World, task: Task) -> tuple[Demonstrations, ...]:
        """What its executor is shown before a task.

        Raises:
            UsageError: the demonstrations that the method's configuration asks for are missing in this world.
        """
        names = self.method.demonstrations(world.metadata(task.name))
        if names is None:
            names = tuple(name for name in ("demonstrations",) if name in self.prompts)
        texts = PromptTexts(self.prompts, world=world.name)
        return tuple(Demonstrations(text=world.worded(texts[name])) for name in names)
