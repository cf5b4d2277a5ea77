"""An `AsyncWorld` as a `World`."""

import asyncio

from quintet.environments.adapters.sync import SyncState, SyncWorld, as_sync
from quintet.ports.world import World
from tests.actors.environments.adapters.stairs import LOW, AsyncStairs
from tests.deploy.testing.broken_environments import Stairs


def test_a_plain_world_is_left_as_it_is() -> None:
    world = Stairs()
    assert as_sync(world) is world


def play(world: World, slow: AsyncStairs) -> None:
    state = world.open(LOW)
    assert state.step("up").observation == state.observation == "You are 1 steps up."
    assert state.admissible() == ("up",)
    assert state.expert() == ("up",)
    assert state.fork().opening == state.opening
    assert world.restore(LOW, state.snapshot()).observation == "You are 1 steps up."
    assert isinstance(state, SyncState)
    state.close()
    assert slow.closed == ["low stairs"]


def test_a_slow_world_is_played_from_plain_code() -> None:
    slow = AsyncStairs(0, 0)
    play(as_sync(slow), slow)


def test_so_it_is_where_an_event_loop_runs() -> None:
    slow = AsyncStairs(0, 0)

    async def within() -> None:
        play(as_sync(slow), slow)

    asyncio.run(within())


def test_its_wording_is_passed_on() -> None:
    assert SyncWorld(AsyncStairs()).worded("go up") == "go upwards"
