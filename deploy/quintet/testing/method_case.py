"""What the contract of methods is tried on: a method in one of its environments, with a model that acts at random."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import pytest
from msgspec import Struct
from pydantic import BaseModel

from quintet.config import plugins
from quintet.config.methods import find_methods, make_methods, unmet_need
from quintet.config.objects import take_objects
from quintet.config.resolve import combine_layers, resolve
from quintet.config.settings import Settings, from_assignments, from_table
from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import beneath
from quintet.errors import UsageError
from quintet.events import Record
from quintet.launch.prepare import prepare
from quintet.launch.refusals import unmet_answer
from quintet.messages.environment import Task
from quintet.methods.base.method import Method
from quintet.plugins import catalogue
from quintet.plugins.brought import bringing
from quintet.plugins.extras import PackageMissing
from quintet.plugins.prompts import find_prompts, worlds_of
from quintet.ports.async_world import AsyncWorld
from quintet.ports.world import World
from quintet.runtime.spec import RunSpec
from quintet.testing.random_model import RandomModel
from quintet.testing.replay import run_episode, with_model
from quintet.testing.subprocesses import name_plug_in

_MODEL = f"{RandomModel.__module__}:{RandomModel.__name__}"

EPISODE_SECONDS = 60.0
"""Working time of an episode; with an instant model it is never used up."""


class MethodCase(Struct, frozen=True, kw_only=True, dict=True):
    """A method on one of its worlds."""

    name: str
    """As a command takes it: with inner methods, and options."""
    world: str
    """Empty if its prompts are found for none."""
    assignments: tuple[str, ...] = ()
    """Settings, as on the command line."""
    origin: str = ""
    """Where the environment is found, if it is an object: `/abs/file.py:OBJECT`."""
    tasks: int = 3
    """How many of the world's tasks are tried."""

    @contextmanager
    def brought(self) -> Generator[list[Settings], None, None]:
        """Its settings with names alone; the catalogue finds the objects behind them inside."""
        layers, objects = take_objects(self.settings())
        with bringing(objects):
            yield layers

    @property
    def method(self) -> type[Method[Any]]:
        return self.methods[0]

    @property
    def methods(self) -> tuple[type[Method[Any]], ...]:
        """The method and the inner ones, outermost first."""
        with self.brought() as layers:
            return tuple(find_methods(combine_layers(layers)).values())

    def values(self) -> BaseModel:
        """Its configuration for the world, validated."""
        return self.method.options.model_validate(self.defaults())

    def defaults(self) -> dict[str, Any]:
        """Its own options that differ in the world."""
        return {name: value for name, value in self.method.worlds.get(self.world, {}).items() if name != "inner"}

    def settings(self) -> list[Settings]:
        """Those of its runs; later ones override earlier ones."""
        tables = {
            "method": {"name": self.name},
            "environment": {"name": self.origin or self.world},
            "model": {"name": _MODEL},  # the default one is for worlds with an expert
        }
        return [from_table(tables, "quintet check"), from_assignments(self.assignments)]

    def configured(self) -> tuple[Method[Any], ...]:
        """The method and the inner ones, configured, outermost first."""
        with self.brought() as layers:
            return make_methods(resolve(layers).methods)

    def obstacle(self) -> str:
        """Why the method cannot be run in the world at all; empty if it can."""
        with self.brought() as layers:
            if self.world not in catalogue.names("environment"):
                return f"environment {self.world or 'with prompts for it'} is not installed"
            world = plugins.make_world(resolve(layers).config.environment)
        methods = self.configured()
        if needed := unmet_need(methods, world):
            return f"environment: expected {needed}"
        first = [Task(name=name, seed=0) for name in world.tasks(world.splits[0])[: self.tasks]]
        return unmet_answer(methods, world, first)

    def prepared(self) -> RunSpec:
        """A run of the method in the world. Where it cannot be run, the test is skipped."""
        if obstacle := self.obstacle():
            pytest.skip(obstacle)
        return prepare(self.settings()).spec

    @cached_property
    def waits(self) -> bool:
        """Whether its world's calls may take long: an episode is tried less often there."""
        found = beneath(self.spec.world)
        return isinstance(found, AsyncWorld) or self.spec.world.blocking is not None

    def run(self, task: str, left: Sequence[Record] = (), *, calls: int | None = None) -> list[Record]:
        """See `run_episode`. A world that holds something open is a new one, since a run closes it at its end."""
        found = beneath(self.spec.world)
        if not isinstance(found, AsyncWorld) and not overrides(found, World, "aclose"):
            return run_episode(self.spec, task, left, calls=calls)
        with self.brought() as layers:
            world = plugins.make_world(resolve(layers).config.environment)
        return run_episode(replace(self.spec, world=world), task, left, calls=calls)

    @cached_property
    def spec(self) -> RunSpec:
        """As `prepared`, with a model that acts at random."""
        made = self.prepared()
        return replace(with_model(made, RandomModel()), limits=replace(made.limits, episode=EPISODE_SECONDS))

    def __str__(self) -> str:
        return f"on {self.world}" if self.world else "on no environment"


def method_cases(
    name: str | type[Method[Any]],
    assignments: Sequence[str] = (),
    *,
    environment: str | Callable[..., World | AsyncWorld] | None = None,
) -> list[MethodCase]:
    """The method in each environment for which it and its inner ones have prompts, or else in all.

    Environments that need options, or a package that is not installed, are left out.

    Args:
        name: as a command takes it, with inner methods; or a class.
        environment: only in this one: a name, a class or function that makes it, or `FILE.py:OBJECT`.
    """
    name, given = name_method(name), tuple(assignments)
    if environment is not None:
        named = name_plug_in("environment", environment)
        return [MethodCase(name=name, world=named.name, assignments=given, origin=named.origin)]
    methods = MethodCase(name=name, world="", assignments=given).methods
    worlds = playable_worlds(methods)
    own = [world for world in worlds if not any(find_prompts(method, world).any_plain for method in methods)]
    worlds = own or worlds or [""]
    return [MethodCase(name=name, world=world, assignments=given) for world in worlds]


def playable_worlds(methods: Sequence[type[Method[Any]]]) -> list[str]:
    """Environments for which each of these methods has prompts, plain ones too, as `method_cases` has them."""
    each = [worlds_of(method) for method in methods]
    everywhere = [world for world in catalogue.names("environment") if all(world in found for found in each)]
    return [world for world in everywhere if not plugins.needs_options(world) and _is_installed(world)]


@cache
def _is_installed(environment: str) -> bool:
    """Whether the packages are there that an environment needs; what else keeps it from being made is said then."""
    try:
        catalogue.world(environment)
    except UsageError as error:
        return not isinstance(error, PackageMissing)
    return True


def name_method(given: str | type[Method[Any]]) -> str:
    """A method's name as a command takes it, or the text by which any process finds its class."""
    if isinstance(given, str):
        return given
    return name_plug_in("method", given).place
