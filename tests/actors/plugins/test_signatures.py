"""Which classes of an author are refused when they are read, with file and line."""

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import LearnerSpec, Method
from quintet.methods.react.react import React
from quintet.plugins import catalogue
from quintet.plugins.brought import BroughtObject, bringing
from quintet.plugins.entry_points import Kind
from quintet.plugins.signatures import check_functions
from quintet.ports.model import Completion, Model, Sampling
from quintet.ports.world import World


class Options(BaseModel):
    pass


class NoCoroutine(React):
    def solve(self, episode: Episode) -> Any:
        return episode


class NoEpisode(React):
    async def solve(self) -> Solved | Unsolved:  # type: ignore[override]
        raise NotImplementedError


class NoSolve(Method[Options]):
    name, version = "no-solve", "1"


class NoName(Method[Options]):
    async def solve(self, episode: Episode) -> Solved | Unsolved:
        raise NotImplementedError


class NoOptions(Method):  # type: ignore[type-arg]
    name, version = "no-options", "1"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        raise NotImplementedError


class Forgetful(LearnerSpec[Options]):
    async def learn(self, run: Any, more: Any) -> Any:  # type: ignore[override]
        raise NotImplementedError

    def versions(self, training: int, trajectories: int = 0) -> int:
        return training


class Learns(React):
    learner = Forgetful


class Hasty:
    name = "hasty"

    def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return Completion(text="")


class OpensNothing(TextCraft):
    name = "opens-nothing"

    def open(self) -> Any:  # type: ignore[override]
        return None


@pytest.mark.parametrize(
    ("kind", "found", "at", "said"),
    [
        ("method", NoCoroutine, NoCoroutine.solve, "expected `async def solve(self, episode)`, got `def solve(self, e"),
        ("method", NoEpisode, NoEpisode.solve, "expected `async def solve(self, episode)`, got `async def solve(self)"),
        ("method", NoSolve, NoSolve, "NoSolve: expected a method with solve, got none"),
        ("method", NoName, NoName, "NoName: expected a method with name, version, got none"),
        ("method", NoOptions, NoOptions, "expected `Method[CONFIG]`, with the type of its configuration, as the base"),
        ("method", Learns, Forgetful.learn, "expected `async def learn(self, run)`, got `async def learn(self, run, m"),
        ("model", Hasty, Hasty.complete, "expected `async def complete(self, prompt, sampling)`, got `def complete(s"),
        ("environment", OpensNothing, OpensNothing.open, "expected `def open(self, task)`, got `def open(self)`"),
    ],
)
def test_a_class_that_cannot_be_called_as_it_will_be_is_refused_with_its_line(
    kind: Kind, found: type, at: Any, said: str
) -> None:
    makes: Mapping[str, Callable[[str], object]] = {
        "method": catalogue.method,
        "model": catalogue.model,
        "environment": catalogue.world,
    }
    with bringing([BroughtObject(kind, "mine", found, "mine.py:MINE")]), pytest.raises(UsageError) as caught:
        makes[kind]("mine")
    place, _, rest = str(caught.value).partition(": ")
    assert re.fullmatch(rf"{re.escape(__file__)}, line \d+", place)
    assert said in rest
    assert f" {at.__name__}(" in Path(__file__).read_text().splitlines()[int(place.split()[-1]) - 1]


class Wrapped:
    """Its coroutine is called by a plain function that stands for it."""

    name = "wrapped"

    async def _complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return Completion(text="")

    @wraps(_complete)
    def complete(self, *arguments: Any, **options: Any) -> Awaitable[Completion]:
        return self._complete(*arguments, **options)


class Waiting:
    """No subclass of `World`: its members may wait."""

    name = "waiting"

    async def open(self, task: Task, *, further: int = 0) -> Any:
        return task

    async def tasks(self, split: str) -> tuple[str, ...]:
        return (split,)


def test_what_can_be_called_is_taken() -> None:
    check_functions(Wrapped, Model)
    check_functions(Waiting, World, either=True)
    check_functions(React, Method)
