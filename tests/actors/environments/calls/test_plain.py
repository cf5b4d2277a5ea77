"""A slow world behind the face of a plain one."""

import asyncio

from quintet.environments.calls.plain import PlainFace, PlainState, as_plain
from quintet.ports.world import World
from tests.actors.environments.calls.stairs import LOW, SlowStairs
from tests.deploy.testing.broken_environments import Stairs


def test_a_plain_world_is_left_as_it_is() -> None:
    world = Stairs()
    assert as_plain(world) is world


def play(world: World, slow: SlowStairs) -> None:
    state = world.open(LOW)
    assert state.step("up").observation == state.observation == "You are 1 steps up."
    assert state.admissible() == ("up",)
    assert state.expert() == ("up",)
    assert state.fork().opening == state.opening
    assert world.restore(LOW, state.snapshot()).observation == "You are 1 steps up."
    assert isinstance(state, PlainState)
    state.close()
    assert slow.closed == ["low stairs"]


def test_a_slow_world_is_played_from_plain_code() -> None:
    slow = SlowStairs(0, 0)
    play(as_plain(slow), slow)


def test_so_it_is_where_an_event_loop_runs() -> None:
    slow = SlowStairs(0, 0)

    async def within() -> None:
        play(as_plain(slow), slow)

    asyncio.run(within())


def test_its_wording_is_passed_on() -> None:
    assert PlainFace(SlowStairs()).worded("go up") == "go upwards"
