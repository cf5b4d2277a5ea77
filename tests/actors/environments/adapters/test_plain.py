"""Any world as a `World`: coroutines run to their end, and what an object lacks has the base class's answer."""

import asyncio

import pytest

from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import as_world, beneath
from quintet.ports.world import World
from tests.actors.environments.adapters.stairs import LOW, AsyncStairs
from tests.actors.environments.loops import in_loop
from tests.actors.shop import TEA, Shop
from tests.deploy.testing.broken_environments import Rigid, Stairs
from tests.deploy.testing.declaring_environments import Office


def test_a_world_that_inherits_is_left_as_it_is() -> None:
    world = Stairs()
    assert as_world(world) is beneath(world) is world


def play(world: World, slow: AsyncStairs) -> None:
    state = world.open(LOW)
    assert state.step("up").observation == state.observation == "You are 1 steps up."
    assert state.admissible() == ("up",)
    assert state.expert() == ("up",)
    assert state.naive() is None
    assert state.picture == b""
    assert state.fork().opening == state.opening
    assert world.restore(LOW, state.snapshot()).observation == "You are 1 steps up."
    assert world.advise(LOW, ["up"], "") == ("up",)
    assert world.worded("go up") == "go upwards"
    state.close()
    assert slow.closed == ["low stairs"] * 2


def test_a_slow_world_is_played_from_plain_code() -> None:
    slow = AsyncStairs(0, 0)
    world = as_world(slow)
    assert beneath(world) is slow
    play(world, slow)


@in_loop
async def test_so_it_is_where_an_event_loop_runs() -> None:
    slow = AsyncStairs(0, 0)

    play(as_world(slow), slow)


def test_an_object_that_inherits_nothing_has_every_default() -> None:
    world = as_world(Shop())
    assert (world.name, world.exact, world.splits) == ("shop", False, ("all",))
    assert (world.places, world.blocking, world.needs_judge) == (None, None, None)
    assert (world.repeats, world.takes_snapshots, world.counts_rejections) == (True, True, False)
    assert world.refusal("tea", judged=False) == ""
    assert world.worded("click") == "click"
    assert world.advise(TEA, ["click 13"], "") == ("order",)
    asyncio.run(world.reset())


@pytest.mark.parametrize("world", [Stairs(), Rigid(), as_world(Shop())])
def test_what_a_world_overrides_is_known(world: World) -> None:
    assert not overrides(beneath(world), World, "get_ready")
    assert overrides(Office(), World, "get_ready")
