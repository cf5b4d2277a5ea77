"""A world that blocks, in threads: at once, in order, and closed only when no thread uses it."""

import asyncio
from contextlib import suppress

from quintet.environments.adapters.called import CalledState, CalledWorld
from tests.actors.environments.adapters.stairs import LOW, MeetingClimb, ThreadStairs
from tests.actors.environments.loops import in_loop


async def four_at_once() -> list[str]:
    world = CalledWorld(ThreadStairs(), 4)
    states = [await world.open(LOW) for _ in range(4)]
    await asyncio.gather(*(state.call("step", "meet") for state in states))
    await world.aclose()
    return [state.observation for state in states]


def test_four_steps_take_the_time_of_one() -> None:
    # Each step ends only while all four are under way.
    assert asyncio.run(four_at_once()) == ["You are 1 steps up."] * 4


@in_loop
async def test_a_state_whose_call_was_given_up_is_closed_by_the_thread_that_makes_the_call() -> None:
    state: CalledState = await CalledWorld(ThreadStairs(), 1).open(LOW)
    for event in (MeetingClimb.hanging, MeetingClimb.let_go, MeetingClimb.closed):
        event.clear()
    step = asyncio.create_task(state.call("step", "hang"))
    await asyncio.to_thread(MeetingClimb.hanging.wait, 20)
    step.cancel()
    with suppress(asyncio.CancelledError):
        await step
    await state.close()
    assert not MeetingClimb.closed.is_set()
    MeetingClimb.let_go.set()
    assert await asyncio.to_thread(MeetingClimb.closed.wait, 20)
