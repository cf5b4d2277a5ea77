"""The face by which the environment role calls a world follows from what the world declares."""

from typing import Any, cast

import pytest

from quintet.environments.calls.at_once import AtOnce
from quintet.environments.calls.calls import calls_to
from quintet.environments.calls.plain import as_plain
from quintet.environments.calls.processes import InProcesses
from quintet.environments.calls.threads import InThreads
from quintet.errors import UsageError
from quintet.ports.world import World
from tests.actors.environments.calls.stairs import ProcessStairs, SlowStairs, ThreadStairs
from tests.deploy.testing.broken_environments import Stairs


def declaring(blocking: object) -> World:
    world = ThreadStairs()
    world.blocking = cast("Any", blocking)
    return world


@pytest.mark.parametrize(
    ("world", "face"),
    [(Stairs(), AtOnce), (declaring(None), AtOnce), (ThreadStairs(), InThreads), (ProcessStairs(), InProcesses)],
)
def test_a_world_is_called_as_it_declares(world: World, face: type) -> None:
    assert type(calls_to(world, workers=2)) is face


def test_a_slow_world_is_called_itself() -> None:
    slow = SlowStairs()
    assert calls_to(as_plain(slow), workers=2) is slow


def test_what_a_world_says_of_itself_is_passed_on() -> None:
    face, world = calls_to(ThreadStairs(), workers=1), Stairs()
    assert (face.name, face.version, face.forks, face.exact) == (world.name, world.version, world.forks, world.exact)
    assert face.splits == world.splits
    assert face.tasks("test") == world.tasks("test")
    assert face.metadata("low stairs") == world.metadata("low stairs")


def test_another_way_of_blocking_is_an_error_that_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="stairs: blocking: expected thread, process or None, got 'fiber'"):
        calls_to(declaring("fiber"), workers=1)


def test_a_world_for_processes_that_cannot_be_pickled_is_an_error() -> None:
    world = ProcessStairs()
    world.lock = (each for each in "stairs")  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match=r"stairs: expected one that can be pickled.* 'generator' object"):
        calls_to(world, workers=1)
