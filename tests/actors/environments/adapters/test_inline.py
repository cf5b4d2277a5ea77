"""A world that answers at once is called in the event loop, and is closed only if it holds something."""

import asyncio

from quintet.environments.adapters.inline import InlineWorld
from quintet.environments.adapters.optional import close_state
from quintet.ports.world import Closeable
from tests.actors.environments.adapters.stairs import LOW, MeetingClimb, ThreadStairs
from tests.deploy.testing.broken_environments import Climb, Stairs
from tests.simulation.virtual import run


async def play() -> None:
    state = await InlineWorld(Stairs()).open(LOW)
    fork = await state.fork()
    assert (await state.step("up")).observation == state.observation == "You are 1 steps up."
    assert fork.observation == fork.opening.observation
    assert await fork.admissible() == ("up",)
    assert await fork.expert() == ("up", "up")
    restored = await InlineWorld(Stairs()).restore(LOW, await state.snapshot())
    assert restored.observation == state.observation


def test_a_plain_world_is_played_as_a_slow_one_without_waiting() -> None:
    loop_steps = play()
    try:
        loop_steps.send(None)
    except StopIteration:
        return
    raise AssertionError("something waited")


def test_only_a_state_that_holds_something_has_a_close() -> None:
    async def open_both() -> tuple[object, object]:
        return await InlineWorld(Stairs()).open(LOW), await InlineWorld(ThreadStairs()).open(LOW)

    holds_nothing, holds = run(open_both())
    assert not isinstance(holds_nothing, Closeable)
    assert isinstance(holds, Closeable)
    MeetingClimb.closed.clear()
    closing = holds.close()
    assert closing is not None
    asyncio.run(_finish(closing))
    assert MeetingClimb.closed.is_set()


async def _finish(closing: object) -> None:
    assert asyncio.iscoroutine(closing)
    await closing


def test_a_state_that_holds_nothing_is_left_alone() -> None:
    close_state(Climb(LOW))
