"""How the environment role calls a world follows from what the world declares."""

from typing import Any, cast

import pytest

from quintet.environments.adapters.as_async import as_async
from quintet.environments.adapters.inline import InlineWorld
from quintet.environments.adapters.processes import ProcessWorld
from quintet.environments.adapters.sync import as_sync
from quintet.environments.adapters.threads import ThreadedWorld
from quintet.errors import UsageError
from quintet.ports.world import World
from tests.actors.environments.adapters.stairs import AsyncStairs, ProcessStairs, ThreadStairs
from tests.deploy.testing.broken_environments import Stairs


def declaring(blocking: object) -> World:
    world = ThreadStairs()
    world.blocking = cast("Any", blocking)
    return world


@pytest.mark.parametrize(
    ("world", "adapter"),
    [
        (Stairs(), InlineWorld),
        (declaring(None), InlineWorld),
        (ThreadStairs(), ThreadedWorld),
        (ProcessStairs(), ProcessWorld),
    ],
)
def test_a_world_is_called_as_it_declares(world: World, adapter: type) -> None:
    assert type(as_async(world, workers=2)) is adapter


def test_a_slow_world_is_called_itself() -> None:
    slow = AsyncStairs()
    assert as_async(as_sync(slow), workers=2) is slow


def test_what_a_world_says_of_itself_is_passed_on() -> None:
    adapter, world = as_async(ThreadStairs(), workers=1), Stairs()
    assert (adapter.name, adapter.version, adapter.forks, adapter.exact) == (
        world.name,
        world.version,
        world.forks,
        world.exact,
    )
    assert adapter.splits == world.splits
    assert adapter.tasks("test") == world.tasks("test")
    assert adapter.metadata("low stairs") == world.metadata("low stairs")


def test_another_way_of_blocking_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="stairs: blocking: expected thread, process or None, got 'fiber'"):
        as_async(declaring("fiber"), workers=1)


def test_a_world_for_processes_that_cannot_be_pickled_is_an_error() -> None:
    world = ProcessStairs()
    world.lock = (each for each in "stairs")  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match=r"stairs: expected one that can be pickled.* 'generator' object"):
        as_async(world, workers=1)
