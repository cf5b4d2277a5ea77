"""Members that only some worlds declare are found beneath every adapter."""

import asyncio
from collections.abc import Collection

import pytest

from quintet.environments.adapters.as_async import as_async
from quintet.environments.adapters.declared import (
    as_getting_ready,
    as_judged,
    as_refusing,
    as_unrepeatable,
    counts_rejections,
    declared_by,
    goes_back,
    places_of,
)
from quintet.environments.adapters.inline import InlineWorld
from quintet.environments.adapters.sync import SyncWorld, as_sync
from quintet.environments.adapters.threads import ThreadedWorld
from quintet.errors import UsageError
from quintet.ports.model import Closes
from quintet.ports.world import Forks, WorldDefinition
from tests.actors.environments.adapters.stairs import AsyncStairs, ProcessStairs
from tests.deploy.testing.broken_environments import Rigid, Stairs


class Declares:
    """Declares everything."""

    goes_back = needs_judge = counts_rejections = True
    repeats = False
    places = 3

    def __init__(self) -> None:
        self.resets = 0

    async def get_ready(self, tasks: Collection[str]) -> None:
        pass

    async def reset(self) -> None:
        self.resets += 1

    def refusal(self, task: str, *, judged: bool) -> str:
        return "" if judged else "needs a judge"


class Declaring(Declares, Stairs):
    pass


class DeclaringProcess(Declares, ProcessStairs):
    pass


class AsyncDeclaring(Declares, AsyncStairs):
    forks: Forks = "none"

    def __init__(self) -> None:
        AsyncStairs.__init__(self)
        Declares.__init__(self)


def adapted() -> list[WorldDefinition]:
    in_thread = ThreadedWorld(Declaring(), 1)
    return [Declaring(), InlineWorld(Declaring()), in_thread, SyncWorld(AsyncDeclaring()), as_sync(AsyncDeclaring())]


@pytest.mark.parametrize("world", adapted(), ids=lambda world: type(world).__name__)
def test_each_is_found(world: WorldDefinition) -> None:
    assert goes_back(world)
    assert counts_rejections(world)
    assert places_of(world) == 3
    assert as_judged(world) is not None
    assert as_getting_ready(world) is declared_by(world)
    refusing, unrepeatable = as_refusing(world), as_unrepeatable(world)
    assert refusing is not None
    assert refusing.refusal("low stairs", judged=False) == "needs a judge"
    assert unrepeatable is not None
    asyncio.run(unrepeatable.reset())
    found = declared_by(world)
    assert isinstance(found, Declares)
    assert found.resets == 1


def test_a_world_in_processes_has_them_too() -> None:
    world = as_async(DeclaringProcess(), workers=1)
    assert places_of(world) == 3
    assert isinstance(world, Closes)
    asyncio.run(world.aclose())


@pytest.mark.parametrize(
    "world", [Stairs(), InlineWorld(Stairs()), SyncWorld(AsyncStairs())], ids=lambda world: type(world).__name__
)
def test_a_plain_world_has_none(world: WorldDefinition) -> None:
    assert places_of(world) is None
    assert (as_judged(world), as_refusing(world), as_unrepeatable(world)) == (None, None, None)
    assert as_getting_ready(world) is None
    assert not counts_rejections(world)
    assert goes_back(world)  # since it copies its states
    assert not goes_back(Rigid())


def test_a_world_that_says_that_it_repeats_does() -> None:
    world = Declaring()
    world.repeats = True
    assert as_unrepeatable(world) is None


def test_places_are_at_least_one() -> None:
    world = Declaring()
    world.places = 0
    with pytest.raises(UsageError, match="environment stairs: places: expected at least 1, got 0"):
        places_of(world)
